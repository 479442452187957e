import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ownIo } from "../../src/app/io.ts";
import { createPeers } from "../../src/app/peers.ts";
import { look, processName, processStart, thisProcess } from "../../src/app/process.ts";
import type { Owner } from "../../src/negotiation/facts.ts";
import { temporaryHome } from "../support/home.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";

const NETWORK = "https://network.example";

/** Some other program of this machine. */
async function other(instance: string): Promise<Owner> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await once(child, "spawn");
  onTestFinished(() => void child.kill("SIGKILL"));
  const { place } = processName();
  return { instance, pid: child.pid!, started: processStart(child.pid!)!, ...(place && { place }) };
}

async function home() {
  const dir = await temporaryHome();
  const clock = new ManualClock(Date.now());
  const member = (owner: Owner, origin = NETWORK) => {
    const at = { mayKeep: true, origin, account: "mine" as string | undefined, changes: 0 };
    const peers = createPeers(platformWith(clock), dir, owner);
    const begin = () =>
      peers.begin({
        origin: () => at.origin,
        account: () => at.account,
        mayKeep: () => at.mayKeep,
        onChange: () => void at.changes++,
      });
    onTestFinished(() => peers.end());
    return { peers, at, begin };
  };
  const self = member(thisProcess({ once: () => {} }));
  const running = join(dir, "running");
  const isShown = (owner: Owner) => expect.poll(() => readdirSync(running)).toContain(`${owner.instance}.looks`);
  const hasOthers = () => self.peers.hasOthers(NETWORK, "mine");
  return { dir, clock, member, running, isShown, hasOthers };
}

describe("whether another program of the home would see what is begun here", () => {
  it("none does where there is none, and one that looks does, until it ends", async () => {
    const { member, isShown, hasOthers } = await home();
    expect(await hasOthers()).toBe(false);
    const owner = await other("another");
    const { peers, begin } = member(owner);
    expect(peers.keepsOthers).toBe(false);
    begin();
    await isShown(owner);
    expect([peers.keepsOthers, await hasOthers()]).toEqual([true, true]);
    await peers.end();
    expect([peers.keepsOthers, await hasOthers()]).toEqual([false, false]);
  });

  it.each(["SIGSTOP", "SIGKILL"] as const)("not one that was ended by %s", async (signal) => {
    const { member, isShown, hasOthers } = await home();
    const owner = await other("another");
    member(owner).begin();
    await isShown(owner);
    process.kill(owner.pid, signal);
    await expect.poll(() => look(owner)).toBe("idle");
    expect(await hasOthers()).toBe(false);
  });

  it("not one of another backend, nor one that would not withdraw what is left to it", async () => {
    const { member, isShown, hasOthers } = await home();
    const owner = await other("another");
    const { peers, at, begin } = member(owner, "https://elsewhere.example");
    begin();
    await isShown(owner);
    expect(await hasOthers()).toBe(false);
    at.origin = NETWORK;
    peers.announce();
    await expect.poll(hasOthers).toBe(true);
    at.mayKeep = false;
    peers.announce();
    await expect.poll(hasOthers).toBe(false);
    expect(peers.keepsOthers).toBe(false);
  });

  it("not one of another account, nor one of which nobody knows the account", async () => {
    const { member, isShown, hasOthers } = await home();
    const owner = await other("another");
    const { peers, at, begin } = member(owner);
    at.account = "theirs";
    begin();
    await isShown(owner);
    expect(await hasOthers()).toBe(false);
    at.account = "mine";
    peers.announce();
    await expect.poll(hasOthers).toBe(true);
    at.account = undefined;
    peers.announce();
    await expect.poll(hasOthers).toBe(false);
    expect(await member(await other("third")).peers.hasOthers(NETWORK, undefined)).toBe(false);
  });

  it("not one that has hung for minutes, or of which nobody can tell", async () => {
    const { clock, member, running, isShown, hasOthers } = await home();
    const elsewhere: Owner = { instance: "elsewhere", pid: 7, started: "x", place: "another machine" };
    const { begin } = member(elsewhere);
    begin();
    await isShown(elsewhere);
    expect(await hasOthers()).toBe(true);
    const path = join(running, "elsewhere.looks");
    const old = Date.now() / 1000 - 200;
    utimesSync(path, old, old);
    expect(await hasOthers()).toBe(false);
    await clock.advance(60_000);
    await expect.poll(() => statSync(path).mtimeMs / 1000).toBeGreaterThan(old + 100);
    expect(await hasOthers()).toBe(true);
    writeFileSync(path, "{");
    writeFileSync(join(running, "odd.looks"), "[]");
    mkdirSync(join(running, "folder.looks"));
    expect(await hasOthers()).toBe(false);
  });

  it("is seen at every moment, while it shows itself anew again and again", async () => {
    const { member, isShown, hasOthers } = await home();
    const owner = await other("another");
    const { peers, begin } = member(owner);
    begin();
    await isShown(owner);
    const answers: Promise<boolean>[] = [];
    for (let i = 0; i < 200; i++) {
      peers.announce();
      answers.push(hasOthers());
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await Promise.all(answers)).not.toContain(false);
  });

  it("sees what another begins, also after the folder was taken away", async () => {
    const { dir, clock, member } = await home();
    const { at, begin } = member(thisProcess(ownIo));
    begin();
    const open = join(dir, "history", "open");
    const begins = async (name: string) => {
      const before = at.changes;
      writeFileSync(join(open, name), "{}");
      await expect.poll(() => clock.advance(1_000).then(() => at.changes)).toBeGreaterThan(before);
    };
    await begins("one.json");
    rmSync(join(dir, "history"), { recursive: true });
    await clock.advance(60_000);
    await begins("two.json");
  });
});
