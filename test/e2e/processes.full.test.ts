import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { confirms, type RunningMock, requests, runningMock } from "../support/backend.ts";
import { legacyClient, type Session, type StdioTarget } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { sendProfile } from "../support/profile.ts";
import { toolsOf } from "../support/tools-of.ts";

const INTENT = "A designer for a hospital queue pilot";

async function setUp() {
  const mock = await runningMock();
  const home = await temporaryHome();
  const target: StdioTarget = { env: { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url } };
  return { mock, home, target };
}

async function pause(session: Session, mock: RunningMock, intent = INTENT) {
  const demand = await session.call("towow_demand", { intent, scene_id: mock.sceneId });
  expect(demand.result.data).toMatchObject({ state: "formulated" });
  return demand.result.data.resume_with.params as Record<string, string>;
}

it("twenty servers at once on an empty home: one user id, one token request", async () => {
  const { mock, home, target } = await setUp();
  const sessions = await Promise.all(Array.from({ length: 20 }, () => legacyClient(target)));
  const joined = await Promise.all(
    sessions.map((s) =>
      sendProfile(s.call, "towow_join", {
        scene: mock.sceneId,
        display_name: "Lin",
        profile_data: { skills: ["a", "b", "c"], bio: "Somebody who was here twenty times at once." },
      }),
    ),
  );
  expect(joined.map((j) => j.result.status)).toEqual(Array(20).fill("ok"));
  expect(new Set(joined.map((j) => j.result.data.agent_id)).size).toBe(1);
  expect(joined.filter((j) => !j.result.data.already_joined)).toHaveLength(1);
  expect(requests(mock, "POST", /mcp-token$/)).toHaveLength(1);
  const file = JSON.parse(await readFile(join(home, "config.json"), "utf8"));
  expect(file.user_id).toBe(joined[0]?.result.data.agent_id);
  expect((await stat(join(home, "config.json"))).mode & 0o777).toBe(0o600);
  expect((await stat(home)).mode & 0o777).toBe(0o700);
});

/** A demand that waits for its decision, whose server was killed. */
async function killedInPause() {
  const { mock, home, target } = await setUp();
  const killed = await legacyClient({ ...target, spawned: true });
  const params = await pause(killed, mock);
  const pid = pidOf(killed);
  process.kill(pid, "SIGKILL");
  await expect.poll(() => isGone(pid)).toBe(true);
  return { mock, home, target, params };
}

it("killed in the pause: a server that nobody calls takes over, and its end withdraws", async () => {
  const { mock, target, params } = await killedInPause();
  const idle = await legacyClient(target);
  const before = mock.journal.length;
  const path = `/v1/api/negotiations/${params.negotiation_id}`;
  await expect.poll(() => mock.journal.slice(before).map((it) => it.path)).toContain(path);
  await idle.close();
  await expect.poll(() => mock.negotiations()[0]?.cancelled).toBe(true);
});

it("killed in the pause, and its entry among the open ones was cut to nothing: found open all the same", async () => {
  const { mock, home, target, params } = await killedInPause();
  const [entry = ""] = await readdir(join(home, "history", "open"));
  await writeFile(join(home, "history", "open", entry), "");
  const heir = await legacyClient(target);
  const status = await heir.call("towow_status");
  expect(status.result.data.open).toMatchObject([{ negotiation_id: params.negotiation_id }]);
  await heir.close();
  await expect.poll(() => mock.negotiations()[0]?.cancelled).toBe(true);
  expect(confirms(mock)).toHaveLength(0);
});

it.each(["SIGINT", "SIGTERM", "stdin"] as const)(
  "%s in the pause withdraws at once and leaves no orphan",
  async (how) => {
    const { mock, target } = await setUp();
    const session = await legacyClient({ ...target, spawned: true });
    await pause(session, mock);
    const pid = pidOf(session);
    mock.faults.add({ route: "get", kind: "delay", delayMs: 3_600_000, times: Number.POSITIVE_INFINITY });
    if (how === "stdin") void session.close();
    else process.kill(pid, how);
    await expect.poll(() => mock.negotiations()[0]?.cancelled).toBe(true); // it waits for no other answer
    await expect.poll(() => isGone(pid)).toBe(true);
    expect(mock.negotiations()[0]?.confirmCount).toBe(0);
  },
);

it("a config that cannot be read any more does not keep a demand from being withdrawn", async () => {
  const { mock, home, target } = await setUp();
  const session = await legacyClient(target);
  await pause(session, mock);
  await rm(join(home, "config.json"));
  await mkdir(join(home, "config.json"));
  const { result, text } = await session.call("towow_status");
  expect(result.warnings).toContain("config_unreadable");
  expect(text).toContain("The settings file on this machine cannot be read right now");
  await session.close();
  await expect.poll(() => mock.negotiations()[0]?.cancelled).toBe(true);
  expect(confirms(mock)).toHaveLength(0);
});

it("an edit of the config file switches the mode of a running server", async () => {
  const { mock, home, target } = await setUp();
  const session = await legacyClient(target);
  await session.call("towow_join", { scene: mock.sceneId, raw_content: "x" });
  await pause(session, mock);
  const path = join(home, "config.json");
  const file = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...file, mode: "developer" }));
  await expect.poll(() => session.listChanges()).toBeGreaterThan(0);
  expect(await session.tools()).toHaveLength(toolsOf("developer").length);
});

/** Read while the server runs: a closed transport has forgotten it. */
function pidOf(session: Session): number {
  const pid = session.pid();
  if (pid === null) throw new Error("the server is not running");
  return pid;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
}
