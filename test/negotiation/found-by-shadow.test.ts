import { describe, expect, it } from "vitest";
import { Standstill } from "../../mock-backend/standstill.ts";
import type { Clock } from "../../src/clock.ts";
import { pauseWithoutForms } from "../ask/pause-support.ts";
import { cancels } from "../support/backend.ts";
import { leaveDecision } from "../support/facts.ts";
import { createWorld } from "../support/world.ts";

/** Courses in which a withdrawal, a yes or its program meets a backend that goes on. */

const INTENT = "machine learning";

describe("a withdrawal that the backend refuses, because the plan is ready", () => {
  it("is no decision of the person that came too late", async () => {
    const world = await createWorld();
    const standstill = new Standstill(world.clock);
    const p = await world.process({ clock: standstill.clock });
    await p.call("towow_demand", { intent: INTENT });
    await world.clock.advance(200_000);
    standstill.begin(200_000);
    await world.clock.advance(240_000);
    expect(cancels(world.mock).map(({ status }) => status)).toEqual([409]);
    const { result } = await p.call("towow_status");
    expect(result.warnings).toContain("auto_confirmed");
    expect(result.warnings).not.toContain("decision_too_late");
  });

  it("at a program's end, after somebody else confirmed: the next program says what went out", async () => {
    const world = await createWorld();
    const ended = await world.process();
    const demand = await ended.call("towow_demand", { intent: INTENT });
    const { negotiation_id: id } = demand.result.data;
    world.mock.engine.confirm(id, "Somebody else's machine learning", "other");
    await world.clock.until(() => world.mock.negotiations()[0]?.state === "completed");
    await world.clock.run(ended.negotiations.shutdown());
    expect(cancels(world.mock).map(({ status }) => status)).toEqual([409]);
    world.dead.add(ended.pid);
    const p = await world.process();
    const { result } = await p.call("towow_demand", { negotiation_id: id });
    expect(result).toMatchObject({ status: "degraded", data: { decision: null, state: "completed" } });
    expect(result.warnings).toContain("auto_confirmed");
    expect(result.warnings).not.toContain("decision_too_late");
  });

  it("while the backend does not show it: what a later look shows is said", async () => {
    const world = await createWorld();
    const p = await world.process();
    const demand = await p.call("towow_demand", { intent: INTENT });
    const { negotiation_id: id } = demand.result.data;
    world.mock.engine.confirm(id, null, "other");
    await world.clock.until(() => world.mock.negotiations()[0]?.state === "completed");
    world.mock.faults.add({ route: "get", kind: "status", status: 500, times: 200 });
    await world.clock.advance(290_000);
    expect(cancels(world.mock).map(({ status }) => status)).toContain(409);
    world.mock.faults.clear();
    const { result } = await p.call("towow_demand", { negotiation_id: id });
    expect(result).toMatchObject({ status: "degraded", data: { decision: null, state: "completed" } });
    expect(result.warnings).toContain("auto_confirmed");
  });
});

it("a clock that is set back while the text is written withdraws nothing before its time", async () => {
  const world = await createWorld({ stepMs: 5_000 });
  let offsetMs = 0;
  const { monotonic, after, sleep } = world.clock;
  const clock: Clock = { now: () => world.clock.now() + offsetMs, monotonic, after, sleep };
  const p = await world.process({ clock });
  const demand = p.start("towow_demand", { intent: INTENT });
  await world.clock.until(() => world.mock.negotiations()[0]?.state === "formulating");
  offsetMs = -60_000;
  await world.clock.run(demand);
  await world.clock.advance(200_000);
  expect(cancels(world.mock)).toEqual([]);
  await world.clock.advance(120_000);
  expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmedBy: undefined });
});

it("under leave, a no is carried out while agents are asked, though a look had shown the broadcast", async () => {
  const world = await createWorld({ offerTimeoutMs: 100_000 });
  world.mock.engine.offerWith(() => "hang");
  const p = await world.process({ config: { on_unconfirmed: "leave" } });
  const demand = await p.call("towow_demand", { intent: INTENT });
  const { params } = demand.result.data.resume_with;
  await world.clock.advance(310_000);
  const status = await p.call("towow_status");
  expect(status.result).toMatchObject({ status: "degraded", data: { state: "offering" } });
  const { result } = await p.call("towow_demand", { ...params, decision: "reject" });
  expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "timeout", cancelled: true });
  expect(result.data.decision).toBe("reject");
  expect(result.summary).toMatch(/The backend had already broadcast it and asked \d+ agents?\./);
});

describe("a yes within the last seconds whose answer is lost", () => {
  it("is given a moment to show its effect, and not withdrawn behind it", async () => {
    const { world, p, params } = await lateYes();
    world.mock.faults.add({ route: "confirm", kind: "plain_500_after", delayMs: 4_000, delayWhen: "before" });
    await p.call("towow_demand", params);
    await world.clock.advance(20_000);
    expect(cancels(world.mock)).toEqual([]);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "user", cancelled: false });
    const { result } = await p.call("towow_demand", { negotiation_id: params.negotiation_id });
    expect(result.data).toMatchObject({ decision: "accept", state: "completed" });
  });

  it("that a killed program left: its effect is looked for, not without end while no time passes", async () => {
    const world = await createWorld();
    const killed = await world.process();
    const { negotiation_id: id } = await pauseWithoutForms(world, killed);
    await leaveDecision(world, killed, id!, { kind: "accept" });
    await world.clock.advance(287_000);
    world.mock.faults.add({ route: "confirm", kind: "plain_500_after" });
    const p = await world.process();
    p.negotiations.recoverSoon();
    await world.clock.advance(20_000);
    expect([...world.runaway]).toEqual([]);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "user", cancelled: false });
  });

  it("that never arrived is withdrawn in time", async () => {
    const { world, p, params } = await lateYes();
    world.mock.faults.add({ route: "confirm", kind: "drop_before", delayMs: 4_000, times: 1_000 });
    await p.call("towow_demand", params);
    await world.clock.advance(20_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: undefined, cancelled: true });
    expect([...world.runaway]).toEqual([]);
  });
});

/** Said just before the margin begins. */
async function lateYes() {
  const world = await createWorld({ stepMs: 1_500 });
  const p = await world.process();
  const { result } = await p.call("towow_demand", { intent: INTENT });
  await world.clock.advance(283_000);
  return { world, p, params: { ...result.data.resume_with.params, decision: "accept" } };
}

it("an edit whose program died was in time: when the backend goes on by itself, it is not called late", async () => {
  const world = await createWorld();
  const killed = await world.process({ config: { on_unconfirmed: "leave" } });
  const { negotiation_id: id } = await pauseWithoutForms(world, killed);
  await leaveDecision(world, killed, id!, { kind: "edit", text: "Mine" });
  const p = await world.process({ config: { on_unconfirmed: "leave" } });
  p.negotiations.recoverSoon();
  await world.clock.advance(20_000); // it is undone
  world.dead.add(p.pid);
  await world.clock.advance(300_000);
  const heir = await world.process({ config: { on_unconfirmed: "leave" } });
  const { result } = await heir.call("towow_status", { negotiation_id: id });
  expect(result.warnings).toContain("auto_confirmed");
  expect(result.warnings).not.toContain("decision_too_late");
});
