import { execFileSync } from "node:child_process";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Death, Keeper } from "../../checks/machines/kills/keeper.ts";
import type { Result } from "../../checks/machines/kills/server.ts";
import { cancels, runningMock } from "../support/backend.ts";
import { legacyClient } from "../support/clients.ts";
import { temporaryHome } from "../support/home.ts";
import { factsInHome } from "../support/home-facts.ts";

/**
 * The program that keeps an open pause is dead, stopped or out of sight: each kind of death once, with real programs. What
 * follows from it is in `test/negotiation/killed-program` and `slept`.
 */

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

async function pauseKeptBy(death: Death, { form = false } = {}) {
  const mock = await runningMock();
  const home = await temporaryHome();
  const env = { TOWOW_HOME: home, TOWOW_BACKEND_URL: mock.url };
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
  await (form ? shown : demand);
  const start = async () => {
    const session = await legacyClient({ env, args: ["--mode", "developer"] });
    return { status: async () => (await session.call("towow_status")).result, end: () => session.close() };
  };
  const only = () => mock.negotiations()[0]!;
  return { mock, home, keeper, demand, answer, start, only };
}

it.each(["unreaped", "stopped"] as const)(
  "%s: another takes over when it is asked, and its end withdraws",
  async (death) => {
    const { mock, keeper, start, only } = await pauseKeptBy(death);
    keeper.die();
    await keeper.isDown(); // Until then the keeper seems to run, and everybody leaves the demand to it.
    const heir = await start();
    const status = await heir.status();
    expect(status.data.resume_with.params.confirmation_id).toBeTruthy();
    expect(cancels(mock)).toHaveLength(0);
    await heir.end();
    expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
  },
);

const isHere = (death: string): boolean => death !== "killed elsewhere" || mayLeaveNamespace();

describe.each([
  ["hanging", "hangs"],
  ["killed in another pid namespace", "killed elsewhere"],
] as const)("%s", (_, death) => {
  it.runIf(isHere(death))(
    "is taken over by who is asked once its file has been silent, and the end of that one withdraws",
    async () => {
      const { home, keeper, start, only } = await pauseKeptBy(death);
      const { owner } = (await factsInHome(home, only().negotiation_id)).submitted!;
      keeper.die();
      const longAgo = new Date(Date.now() - 20_000);
      await utimes(join(home, "running", owner.instance), longAgo, longAgo);
      const heir = await start();
      await heir.status();
      await heir.end();
      expect(only()).toMatchObject({ cancelled: true, confirmCount: 0 });
    },
  );
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
);
