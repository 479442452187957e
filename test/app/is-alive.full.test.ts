import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHeartbeat, isAliveIn } from "../../src/app/heartbeats.ts";
import { ownIo } from "../../src/app/io.ts";
import { look, processStart, thisProcess } from "../../src/app/process.ts";
import { temporaryHome } from "../support/home.ts";
import { ManualClock } from "../support/manual-clock.ts";

/** Some other program. */
async function other(): Promise<{ pid: number; end: () => Promise<void> }> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await once(child, "spawn");
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  onTestFinished(end);
  return { pid: child.pid!, end };
}

it("an owner is alive until its process ends", async () => {
  const { pid, end } = await other();
  const started = processStart(pid);
  expect(look({ pid })).toBe("runs");
  expect(look({ pid, ...(started !== undefined && { started }) })).toBe("runs");
  await end();
  expect(look({ pid })).toBe("idle");
});

it.runIf(existsSync("/proc/self/stat"))("a pid that somebody else has by now is no owner", async () => {
  const { pid } = await other();
  expect(look({ pid, started: `${processStart(pid)}0` })).toBe("idle");
  expect(look({ pid, started: processStart(process.pid)! })).toBe("idle");
});

it("with the pid of this process, only what runs in it is alive", async () => {
  expect(look({ pid: process.pid })).toBe("idle");
  expect(look({ instance: "from before", pid: process.pid })).toBe("idle");
  expect(look(thisProcess(ownIo))).toBe("runs");
});

const onLinux = it.runIf(existsSync("/proc/self/stat"));

onLinux(
  "one that was killed and that nobody has waited for is idle, and so is one that was stopped, until it goes on",
  async () => {
    const { pid } = await other();
    process.kill(pid, "SIGSTOP");
    await expect.poll(() => look({ pid })).toBe("idle");
    process.kill(pid, "SIGCONT");
    await expect.poll(() => look({ pid })).toBe("runs");
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [line] = await once(parent.stdout, "data");
    const child = Number(String(line));
    expect(look({ pid: child })).toBe("runs");
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
    process.kill(child, "SIGKILL");
    await expect.poll(() => look({ pid: child })).toBe("idle");
    process.kill(child, 0); // its number is still taken
  },
);

describe("of another namespace, machine or boot, or where the system says nothing", () => {
  const elsewhere = { ...thisProcess(ownIo), instance: "other", place: "boot:pid:[1]" };

  async function beating({ needsHeartbeat = (): boolean => true } = {}) {
    const home = await temporaryHome();
    const clock = new ManualClock();
    const heartbeat = createHeartbeat({ home, instance: elsewhere.instance, clock });
    heartbeat.beatWhile(needsHeartbeat);
    await heartbeat.begin();
    const file = join(home, "running", elsewhere.instance);
    const silence = (ms: number) => utimesSync(file, new Date(Date.now() - ms), new Date(Date.now() - ms));
    return { clock, heartbeat, file, silence, isAlive: isAliveIn(home, clock) };
  }

  it("nobody guesses: its own pid may be anybody's here", () => {
    expect(look(elsewhere)).toBe("unknown");
    expect(look({ ...elsewhere, place: "unknown" })).toBe("unknown");
  });

  it("its file decides, which it touches every five seconds while it watches", async () => {
    const { clock, silence, isAlive, file } = await beating();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await isAlive(elsewhere)).toBe(true);
    silence(14_000);
    expect([await isAlive(elsewhere), await isAlive(elsewhere, 8_000)]).toEqual([true, false]);
    silence(16_000);
    expect(await isAlive(elsewhere)).toBe(false);
    await clock.advance(5_000);
    await expect.poll(() => isAlive(elsewhere)).toBe(true);
    expect(await isAlive({ ...elsewhere, instance: "../config" })).toBe(false);
  });

  it("where no file can be made to read the folder's time from, the clock tells it that is handed in", async () => {
    const home = await temporaryHome();
    const deep = join(home, ...Array.from({ length: 50 }, () => "d".repeat(99))).slice(0, 4_080);
    mkdirSync(join(deep, "running"), { recursive: true }); // the longest path that a file of one letter fits under
    writeFileSync(join(deep, "running", "x"), "");
    const clock = new ManualClock();
    const isAlive = () => isAliveIn(deep, clock)({ ...elsewhere, instance: "x" });
    const at = new Date(clock.now());
    utimesSync(join(deep, "running", "x"), at, at);
    expect(await isAlive()).toBe(true);
    await clock.advance(16_000);
    expect(await isAlive()).toBe(false);
  });

  it("silent once it watches nothing, gone when it ends", async () => {
    let needsHeartbeat = true;
    const { clock, heartbeat, silence, isAlive, file } = await beating({ needsHeartbeat: () => needsHeartbeat });
    needsHeartbeat = false;
    silence(16_000);
    await clock.advance(20_000);
    expect(await isAlive(elsewhere)).toBe(false);
    needsHeartbeat = true;
    await heartbeat.begin();
    expect(await isAlive(elsewhere)).toBe(true);
    needsHeartbeat = false;
    await clock.advance(5_000);
    needsHeartbeat = true; // what rested goes on
    silence(16_000);
    await clock.advance(5_000);
    await expect.poll(() => isAlive(elsewhere)).toBe(true);
    await heartbeat.end();
    expect(existsSync(file)).toBe(false);
    expect(await isAlive(elsewhere)).toBe(false);
  });
});
