import { expect, it } from "vitest";
import { FIVE_MINUTES, only, pauseWithoutForms } from "../ask/pause-support.ts";
import { cancels, confirms, submits } from "../support/backend.ts";
import {
  decisionAbout,
  endedAs,
  factsAbout,
  fillDisk,
  fillDiskBehindSubmits,
  fillDiskExceptFor,
  hangHome,
  takeHome,
} from "../support/facts.ts";
import { createWorld, type Process, type World } from "../support/world.ts";

/** The disk is full from some moment on. The same with a real one: `node checks/machines.ts disk`. */

const UNWRITABLE = "tool.config.unavailable.home_unwritable";
const INTENT = "A designer for a hospital queue pilot";

async function paused(
  config: Record<string, unknown> = {},
): Promise<{ world: World; process: Process; params: Record<string, string> }> {
  const world = await createWorld();
  const process = await world.process({ config });
  const { result } = await process.call("towow_demand", { intent: INTENT });
  return { world, process, params: result.data.resume_with.params };
}

it("before a submit: nothing is sent", async () => {
  const world = await createWorld();
  const process = await world.process();
  fillDisk(world);
  const { result } = await process.call("towow_demand", { intent: INTENT });
  expect(result.error?.code).toBe(UNWRITABLE);
  expect(submits(world.mock)).toEqual([]);
});

it("between a submit and its record: taken back at once, for nobody could guard it", async () => {
  const world = await createWorld();
  const process = await world.process();
  fillDiskBehindSubmits(world);
  const { result } = await process.call("towow_demand", { intent: INTENT });
  expect(result.error?.code).toBe(UNWRITABLE);
  expect(world.mock.negotiations()).toMatchObject([{ cancelled: true }]);
});

it("and where it cannot be taken back either, that is what the person hears", async () => {
  const world = await createWorld();
  const process = await world.process();
  fillDiskBehindSubmits(world);
  world.mock.faults.add({ route: "action", kind: "status", status: 500, times: Number.POSITIVE_INFINITY });
  const { result } = await process.call("towow_demand", { intent: INTENT });
  expect(result.error?.code).toBe("tool.backend.timeout.submit_outcome_unknown");
});

it("at the pause: the question is not shown, and the demand is withdrawn before the deadline", async () => {
  const world = await createWorld();
  const process = await world.process();
  fillDiskExceptFor(world, "attempt", "answer", "submitted");
  const { result } = await process.call("towow_demand", { intent: INTENT });
  expect(result.error?.code).toBe(UNWRITABLE);
  await world.clock.advance(310_000);
  expect(world.mock.negotiations()).toMatchObject([{ cancelled: true }]);
});

it("at the decision: not confirmed, told so, and still open once there is room", async () => {
  const { world, process, params } = await paused();
  const free = fillDiskBehindSubmits(world);
  const { result } = await process.call("towow_demand", { ...params, decision: "accept" });
  expect(result.error?.code).toBe(UNWRITABLE);
  expect(confirms(world.mock)).toEqual([]);
  free();
  const again = await process.call("towow_demand", { ...params, decision: "accept" });
  expect(again.result.data).toMatchObject({ decision: "accept" });
  expect(confirms(world.mock)).toHaveLength(1);
});

it("after a confirm: it stays confirmed, is not withdrawn, and the next program writes the end", async () => {
  const { world, process, params } = await paused();
  const free = fillDiskExceptFor(world, "attempt", "answer", "decided");
  const { result } = await process.call("towow_demand", { ...params, decision: "accept" });
  expect(result.data).toMatchObject({ decision: "accept" });
  await world.clock.advance(310_000);
  expect([confirms(world.mock).length, cancels(world.mock).length]).toEqual([1, 0]);
  expect(await decisionAbout(world, params.negotiation_id!)).toMatchObject({ kind: "accept" });
  free();
  world.dead.add(process.pid);
  const later = await world.process();
  expect((await later.call("towow_status", { negotiation_id: params.negotiation_id! })).isError).toBe(false);
  expect(await endedAs(later.negotiations, params.negotiation_id!)).toBe("confirmed");
});

it("at the program's end: what is undecided is withdrawn", async () => {
  const { world, process } = await paused();
  fillDiskBehindSubmits(world);
  await world.clock.run(Promise.race([process.negotiations.shutdown(), world.clock.sleep(3_000)]));
  expect(world.mock.negotiations()).toMatchObject([{ cancelled: true }]);
});

it("a home that cannot even be read: withdrawn with a third of the margin left, and not before", async () => {
  const { world } = await paused();
  await world.clock.advance(275_000);
  takeHome(world);
  await world.clock.advance(15_000);
  expect(cancels(world.mock)).toEqual([]); // it may come back in time, and then it can be known
  await world.clock.advance(9_000);
  expect(world.mock.negotiations()).toMatchObject([{ cancelled: true, confirmCount: 0 }]);
});

it("and what it cannot know is left as it is: somebody confirmed meanwhile", async () => {
  const { world, params } = await paused();
  await world.clock.advance(275_000);
  takeHome(world);
  world.mock.engine.confirm(params.negotiation_id!, "Another text", "other");
  await world.clock.advance(60_000);
  expect(cancels(world.mock)).toEqual([]);
});

it("a program that starts on a full disk withdraws what a killed one left, and says so once there is room", async () => {
  const { world, process, params } = await paused();
  const free = fillDisk(world);
  world.dead.add(process.pid);
  const heir = await world.process();
  const asked = await heir.call("towow_status", { negotiation_id: params.negotiation_id! });
  expect(asked.result.data.state).toBe("formulated");
  await world.clock.advance(310_000);
  expect(world.mock.negotiations()).toMatchObject([{ cancelled: true, confirmCount: 0 }]);
  free();
  const { result } = await heir.call("towow_status", { negotiation_id: params.negotiation_id! });
  expect(result.summary).toContain("Nobody decided in time, so the demand was withdrawn. No agent was asked.");
});

it("a home that does not answer takes no yes: the call ends, and what is written late does not count", async () => {
  const { world, process, params } = await paused();
  const comeBack = hangHome(world);
  const { result } = await process.call("towow_demand", { ...params, decision: "accept" });
  expect(result.error?.code).toBe(UNWRITABLE);
  comeBack();
  await world.clock.advance(250_000);
  expect(confirms(world.mock)).toEqual([]);
  await world.clock.advance(60_000);
  expect(world.mock.negotiations()).toMatchObject([{ cancelled: true, confirmCount: 0 }]);
});

it("nothing of a home that does not answer keeps a program: undecided is withdrawn, and it ends", async () => {
  const { world, process } = await paused();
  hangHome(world);
  await world.clock.run(process.negotiations.shutdown());
  expect(world.mock.negotiations()).toMatchObject([{ cancelled: true, confirmCount: 0 }]);
});

it("nor the guard: undecided is withdrawn before the deadline", async () => {
  const { world } = await paused();
  hangHome(world);
  await world.clock.advance(310_000);
  expect(world.mock.negotiations()).toMatchObject([{ cancelled: true, confirmCount: 0 }]);
});

it("what a full disk kept from being written is said by the program that knows it", async () => {
  const world = await createWorld();
  const p = await world.process();
  const { negotiation_id: id = "" } = await pauseWithoutForms(world, p);
  fillDiskBehindSubmits(world);
  await world.clock.advance(FIVE_MINUTES + 10_000);
  expect(only(world)).toMatchObject({ cancelled: true });
  const { result } = await p.call("towow_status", { negotiation_id: id, view: "full" });
  expect(result.summary).toContain("Nobody decided in time");
  expect(result.warnings).not.toContain("plan_missing");
});

it("after it was full for too long, a short time without room loses no fact", async () => {
  const world = await createWorld({ stepMs: 10_000, confirmTimeoutMs: 900_000 });
  const p = await world.process({ config: { confirm_deadline_s: 900 }, flags: { mode: "developer" } });
  const free = fillDiskExceptFor(world, "attempt", "answer", "submitted");
  await p.call("towow_submit_demand", { intent: INTENT, scene_id: world.sceneId });
  for (const untilNextLookMs of [60_000, 0]) {
    await p.call("towow_status", { negotiation_id: only(world).negotiation_id });
    await world.clock.advance(untilNextLookMs);
  }
  await world.clock.advance(740_000); // when it was formulated is given up by now
  expect(cancels(world.mock)).toEqual([]);
  await world.clock.until(() => only(world).cancelled);
  await world.clock.advance(3_000);
  free();
  await world.clock.advance(2_000);
  expect(await endedAs(p.negotiations, only(world).negotiation_id)).toBe("withdrawn");
  const { formulated, outcomes } = await factsAbout(world, only(world).negotiation_id);
  expect([formulated, outcomes.size]).toEqual([undefined, 1]);
});
