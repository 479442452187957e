import { describe, expect, it } from "vitest";
import { Standstill } from "../../mock-backend/standstill.ts";
import { cancels } from "../support/backend.ts";
import { createWorld } from "../support/world.ts";

/** A withdrawal meets a backend that has gone on. */

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
  expect(result.summary).toMatch(/It had already been broadcast, and \d+ agents? (was|were) asked\./);
});
