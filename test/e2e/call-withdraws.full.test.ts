import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { alongside } from "../journeys/alongside.ts";
import { cli } from "../support/cli.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { realPause } from "../support/real-pause.ts";
import { world } from "./call-support.ts";

/** A command whose demand nobody decided on, while the network does not answer. */

it("withdraws until it arrives, however long the network is away, and says so", async () => {
  const clock = new ManualClock();
  const { mock, call } = await world({}, { clock });
  mock.faults.add({ route: "action", kind: "drop_before", times: 13 });
  const ended = call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  const { status, stderr } = await alongside(clock, ended, realPause);
  expect([status, stderr]).toEqual([0, expect.stringContaining("The network does not answer.")]);
  expect(stderr).not.toContain("could not be withdrawn");
  expect(mock.negotiations()).toMatchObject([{ cancelled: true, confirmCount: 0 }]);
});

it("names what it could not withdraw by the deadline, and is no success", async () => {
  const clock = new ManualClock();
  const { mock, call } = await world({ TOWOW_CONFIRM_DEADLINE_S: "8" }, { clock });
  mock.faults.add({ route: "action", kind: "drop_before", times: Number.POSITIVE_INFINITY });
  const ended = call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  const { status, stderr } = await alongside(clock, ended, realPause);
  const [{ negotiation_id = "" } = {}] = mock.negotiations();
  expect([status, stderr]).toEqual([1, expect.stringContaining(`${negotiation_id} could not be withdrawn`)]);
  expect(stderr).toContain(`towow-mcp cancel ${negotiation_id}`);
});

it("says why `leave` is not followed after text of others was read, as config and the doctor do", async () => {
  const { mock, env, call } = await world({ TOWOW_ON_UNCONFIRMED: "leave" });
  await writeFile(join(env.TOWOW_HOME, "tainted.json"), JSON.stringify({ until: Date.now() + 3_600_000 }));
  const { stderr } = await call("towow_demand", { intent: "A designer", scene_id: mock.sceneId });
  expect(stderr).toContain("Withdrawing neg_");
  expect(stderr).toContain("on_unconfirmed is leave, but others' text was read here");
  expect(mock.negotiations()).toMatchObject([{ cancelled: true, confirmCount: 0 }]);
  expect((await cli(["config"], { env })).stdout).toMatch(
    /^on_unconfirmed +leave .*\(until .* not for what an AI submits /m,
  );
  const { findings } = JSON.parse((await cli(["doctor", "--json"], { env })).stdout);
  expect(findings).toContainEqual(
    expect.objectContaining({
      check: "settings.on_unconfirmed",
      message: expect.stringContaining("what an AI submits now"),
    }),
  );
});
