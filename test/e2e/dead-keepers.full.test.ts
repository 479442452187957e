import { execFileSync } from "node:child_process";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Death, Keeper } from "../../checks/machines/kills/keeper.ts";
import type { Result } from "../../checks/machines/kills/server.ts";
import { cancels, confirms, runningMock } from "../support/backend.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { factsInHome } from "../support/home-facts.ts";

/** The program that keeps an open pause is dead, stopped or out of sight; others of its home are asked, live on, and go. */

const ROOT = new URL("../..", import.meta.url).pathname;
const INTENT = "A designer for a hospital queue pilot";

function mayLeaveNamespace(): boolean {
  try {
    execFileSync("unshare", ["--pid", "--fork", "--mount-proc", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

async function pauseKeptBy(death: Death, { deadlineS = 60, form = false } = {}) {
  const mock = await runningMock({ confirmTimeoutMs: deadlineS * 1000 });
  const home = await temporaryHome();
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url, TOWOW_CONFIRM_DEADLINE_S: String(deadlineS) };
  let answer = (_: Result) => {};
  let isShown = () => {};
  const shown = new Promise<void>((resolve) => {
    isShown = resolve;
  });
  const given = new Promise<Result>((resolve) => {
    answer = resolve;
  });
  const keeper = new Keeper(
    ROOT,
    env,
    death,
    form
      ? () => {
          isShown();
          return given;
        }
      : undefined,
  );
  onTestFinished(() => keeper.remove());
  await keeper.start();
  const demand = keeper.server.call("towow_demand", { intent: INTENT, scene_id: mock.sceneId });
  const params = form ? void (await shown) : (await demand).data.resume_with.params;
  const start = async () => {
    const session = await legacyClient({ env, args: ["--mode", "developer"] });
    return { status: async () => (await session.call("towow_status")).result, end: () => session.close() };
  };
  const only = () => mock.negotiations()[0]!;
  return { mock, home, keeper, demand, params, answer, start, only };
}

it.each(["unreaped", "stopped"] as const)(
  "%s: another takes over when it is asked, and its end withdraws",
  async (death) => {
    const { mock, keeper, start, only } = await pauseKeptBy(death);
    keeper.die();
    const heir = await start();
    const status = await heir.status();
    expect(status.data.resume_with.params.confirmation_id).toBeTruthy();
    expect(cancels(mock)).toHaveLength(0);
    await heir.end();
    expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
  },
);

it("dead after another has seen it alive: that one's end withdraws", async () => {
  const { keeper, start, only } = await pauseKeptBy("unreaped");
  const heir = await start();
  await heir.status();
  keeper.die();
  await keeper.isDown();
  await heir.end();
  expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
});

it.each(["unreaped", "stopped"] as const)("%s with a no that did not arrive: another carries it out", async (death) => {
  const { mock, keeper, params, start, only } = await pauseKeptBy(death);
  mock.faults.add({ route: "action", kind: "drop_before", times: Number.POSITIVE_INFINITY });
  void keeper.server.call("towow_demand", { ...params, decision: "reject" });
  await expect.poll(() => cancels(mock).length).toBeGreaterThan(0);
  keeper.die();
  mock.faults.clear();
  await (await start()).status();
  await expect.poll(() => only().cancelled, { timeout: 10_000 }).toBe(true);
});

it("stopped with an edit that did not arrive: undone, and when it goes on it sends nothing any more", async () => {
  const { mock, home, keeper, params, start, only } = await pauseKeptBy("continued");
  mock.faults.add({ route: "confirm", kind: "drop_before", times: Number.POSITIVE_INFINITY });
  void keeper.server.call("towow_demand", { ...params, decision: "edit", confirmed_text: "A nurse instead." });
  await expect.poll(() => confirms(mock).length).toBeGreaterThan(0);
  keeper.die();
  mock.faults.clear();
  const heir = await start();
  await heir.status();
  const undone = async () => (await factsInHome(home, only().negotiation_id)).undone.get(1);
  await expect.poll(undone, { timeout: 20_000 }).toMatchObject({ why: "edit_lost" });
  keeper.goOn();
  await new Promise((resolve) => setTimeout(resolve, 6_000)); // longer than it waits between two tries
  expect(confirms(mock).every(({ status }) => status !== 200)).toBe(true);
  expect(only().state).toBe("formulated");
  await heir.end();
}, 60_000);

it("hanging, so that it looks alive: whoever knows the demand withdraws it before the deadline", async () => {
  const { keeper, start, only } = await pauseKeptBy("hangs", { deadlineS: 12 });
  const heir = await start();
  await heir.status();
  keeper.die();
  await expect.poll(() => only().state !== "formulated", { timeout: 20_000 }).toBe(true);
  expect(only()).toMatchObject({ cancelled: true, confirmedBy: undefined });
}, 40_000);

it("hanging, once its file has been silent: taken over by who is asked, and the end of that one withdraws", async () => {
  const { home, keeper, start, only } = await pauseKeptBy("hangs");
  const { owner } = (await factsInHome(home, only().negotiation_id)).submitted!;
  keeper.die();
  const longAgo = new Date(Date.now() - 20_000);
  await utimes(join(home, "running", owner.instance), longAgo, longAgo);
  const heir = await start();
  await heir.status();
  await heir.end();
  expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
});

it.runIf(mayLeaveNamespace())(
  "in another pid namespace, its form open: a status and an end beside it change nothing",
  async () => {
    const { mock, demand, answer, start, only } = await pauseKeptBy("lives elsewhere", { form: true });
    const other = await start();
    const status = await other.status();
    expect(JSON.stringify(status.warnings)).not.toContain("unguarded");
    await other.end();
    expect(cancels(mock)).toHaveLength(0);
    answer({ action: "accept", content: { decision: "accept" } });
    await demand;
    expect(only()).toMatchObject({ confirmedBy: "user", cancelled: false });
  },
  40_000,
);

it.runIf(mayLeaveNamespace())(
  "killed in another pid namespace: taken over once its file has been silent",
  async () => {
    const { home, keeper, start, only } = await pauseKeptBy("killed elsewhere");
    const { owner } = (await factsInHome(home, only().negotiation_id)).submitted!;
    keeper.die();
    const longAgo = new Date(Date.now() - 20_000);
    await utimes(join(home, "running", owner.instance), longAgo, longAgo);
    const heir = await start();
    await heir.status();
    await heir.end();
    expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
  },
  40_000,
);
