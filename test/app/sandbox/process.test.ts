import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { look, processStart } from "../../../src/app/process.ts";
import { readRunning, sandboxData, writeRunning } from "../../../src/app/sandbox/running-file.ts";
import { answers } from "../../../src/app/sandbox/sandbox.ts";
import { runSandbox, type SandboxProcess } from "../../../src/commands/sandbox/process.ts";
import { temporaryHome } from "../../support/home.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { platformWith } from "../../support/platform.ts";
import { soon } from "../../support/soon.ts";

const IDLE_MS = 900_000;

/** A sandbox in this process; its clock is the test's. */
async function started(home: string, more: Partial<SandboxProcess> = {}) {
  const clock = new ManualClock();
  let hasEnded = false;
  const sandbox = await runSandbox({
    platform: platformWith(clock),
    home,
    idleMs: IDLE_MS,
    isAlive: async () => true,
    ended: () => {
      hasEnded = true;
    },
    ...more,
  });
  onTestFinished(async () => void (await sandbox?.end()));
  return { clock, sandbox, hasEnded: () => hasEnded };
}

const post = (url: string, path: string, body: object, token?: string) =>
  fetch(`${url}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });

async function person(url: string): Promise<string> {
  const answer = await post(url, "/v1/api/auth/mcp-token", {});
  return ((await answer.json()) as { api_token: string }).api_token;
}

const scenesOf = async (url: string, token: string) =>
  (
    (await (await fetch(`${url}/v1/api/scenes`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
      scenes: { scene_id: string }[];
    }
  ).scenes;

it("a second one for the same home finds the first and steps back; nothing outside of its secret path answers", async () => {
  const home = await temporaryHome();
  const { sandbox } = await started(home);
  expect((await started(home)).sandbox).toBeUndefined();
  const { url, pid } = readRunning(home)!;
  expect([url, pid]).toEqual([sandbox!.url, process.pid]);
  const { origin, pathname } = new URL(url);
  expect(pathname.length).toBeGreaterThan(20);
  for (const path of [
    "/v1/api/scenes",
    "/sandbox",
    "/mock/negotiations",
    `${pathname}x/v1/api/scenes`,
    `${pathname.slice(0, -1)}/sandbox`,
  ])
    expect((await fetch(`${origin}${path}`)).status).toBe(404);
  expect((await fetch(`${url}/mock/negotiations`)).status).toBe(401); // no controls: a route like any other
});

it("ends when it is idle, and not while a negotiation runs; the next one has its data", async () => {
  const home = await temporaryHome();
  const { sandbox, clock, hasEnded } = await started(home);
  const token = await person(sandbox!.url);
  const [scene] = await scenesOf(sandbox!.url, token);
  const demand = { scene_id: scene!.scene_id, user_id: "me", intent: "a designer" };
  const { negotiation_id: id } = (await (
    await post(sandbox!.url, "/v1/api/negotiations/submit", demand, token)
  ).json()) as {
    negotiation_id: string;
  };
  // Undecided, it runs for the engine's five minutes and then to its end.
  await clock.advance(200_000);
  expect(hasEnded()).toBe(false);
  await clock.advance(IDLE_MS - 300_000);
  expect(hasEnded()).toBe(false);
  await clock.advance(IDLE_MS);
  await soon(hasEnded).toBe(true);
  expect(readRunning(home)).toBeUndefined();

  const again = await started(home);
  const found = await fetch(`${again.sandbox!.url}/v1/api/negotiations/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(found.status).toBe(200);
  expect((await scenesOf(again.sandbox!.url, token))[0]).toMatchObject({ scene_id: scene!.scene_id });
});

it("a long pause of the person does not end it while a negotiation waits for them", async () => {
  const home = await temporaryHome();
  const { sandbox, clock, hasEnded } = await started(home, { idleMs: 60_000 });
  const token = await person(sandbox!.url);
  const [scene] = await scenesOf(sandbox!.url, token);
  await post(
    sandbox!.url,
    "/v1/api/negotiations/submit",
    { scene_id: scene!.scene_id, user_id: "me", intent: "x" },
    token,
  );
  await clock.advance(240_000);
  expect(hasEnded()).toBe(false);
});

it("what a killed one left, or what another program's number stands in, is taken over; a broken file is kept aside", async () => {
  const home = await temporaryHome();
  writeRunning(home, { instance: "gone", pid: 2 ** 22 - 1, url: "http://127.0.0.1:9/x", started: "boot:1" });
  writeFileSync(sandboxData(home), '{"version":1,"scenes":[');
  const { sandbox } = await started(home, { isAlive: async (named) => look(named) !== "idle" });
  expect(readRunning(home)?.url).toBe(sandbox!.url);
  const token = await person(sandbox!.url);
  expect(await scenesOf(sandbox!.url, token)).toHaveLength(2);
  const kept = `${sandboxData(home)}.broken-${readRunning(home)!.instance}`;
  expect(readFileSync(kept, "utf8")).toBe('{"version":1,"scenes":[');

  // The number lives and is not ours: it does not answer by that name.
  const other = await temporaryHome();
  const started1 = processStart(process.ppid);
  writeRunning(other, {
    instance: "other",
    pid: process.ppid,
    url: sandbox!.url,
    ...(started1 && { started: started1 }),
  });
  expect(await answers(readRunning(other)!)).toBe(false);
  expect((await started(other, { isAlive: async (named) => look(named) !== "idle" })).sandbox).toBeDefined();
});

it("a home that is moved, removed or taken over: it writes nothing more there, answers nobody, and ends", async () => {
  const [moved, removed, taken] = [await temporaryHome(), await temporaryHome(), await temporaryHome()];
  const lose: [string, () => void][] = [
    [moved, () => renameSync(join(moved, "sandbox"), join(moved, "elsewhere"))],
    [removed, () => rmSync(join(removed, "sandbox"), { recursive: true })],
    [taken, () => writeRunning(taken, { instance: "new", pid: process.pid, url: "http://127.0.0.1:9/x" })],
  ];
  for (const [home, change] of lose) {
    const { sandbox, clock, hasEnded } = await started(home);
    const token = await person(sandbox!.url);
    const before = readFileSync(sandboxData(home), "utf8");
    change();
    const scene = { name: "late", description: "x", organizer_id: "me" };
    expect((await post(sandbox!.url, "/v1/api/scenes", scene, token)).status).toBe(410);
    await clock.advance(20_000);
    await soon(hasEnded).toBe(true);
    if (home === taken) expect(readRunning(home)?.instance).toBe("new");
    const file = home === moved ? join(moved, "elsewhere", "data.json") : sandboxData(home);
    if (home !== removed) expect(readFileSync(file, "utf8")).toBe(before);
    else expect(() => readFileSync(file)).toThrow("ENOENT");
  }
});

it("it is named no more before it closes, so that nobody comes to one that is about to be gone", async () => {
  const home = await temporaryHome();
  mkdirSync(join(home, "sandbox"), { mode: 0o755 });
  const { sandbox, hasEnded } = await started(home);
  const ending = sandbox!.end();
  expect(readRunning(home)).toBeUndefined();
  await ending;
  expect(hasEnded()).toBe(true);
});
