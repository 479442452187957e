import { describe, expect, it } from "vitest";
import { Standstill } from "../../mock-backend/standstill.ts";
import { cancels, confirms } from "../support/backend.ts";
import { createWorld } from "../support/world.ts";
import { INTENT, NOT_BROADCAST, paused, REACHED, TOO_LATE, waitForOffers } from "./engine-support.ts";

/** What was seen at the real engine and told wrongly once: what is said of it now is what the backend did. */

describe("over the deadline", () => {
  it("the engine stands still and goes on: it asked agents before it took the withdrawal", async () => {
    const { world, p, id } = await paused();
    waitForOffers(world);
    await world.clock.advance(280_000);
    world.mock.standStill(30_000, 2_000);
    await world.clock.advance(45_000);
    const { result } = await p.call("towow_status", { negotiation_id: id });
    expect(result.summary).toMatch(/Nobody decided in time/);
    expect(result.summary).toMatch(REACHED);
    expect(result.data.open).toEqual([]);
  });

  it("the engine goes on and takes the withdrawal before it asks anybody: no more is claimed than that", async () => {
    const { world, p, id } = await paused();
    await world.clock.advance(280_000);
    world.mock.standStill(30_000, 10);
    await world.clock.advance(45_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "timeout", participants: [] });
    const { result } = await p.call("towow_status", { negotiation_id: id });
    expect(result.summary).toContain("No agent was asked.");
    expect(result.summary).toContain("may have started looking for agents");
    expect(result.warnings).toContain("withdrawn_late");
    expect(result.summary).not.toMatch(NOT_BROADCAST);
  });

  it("the engine has looked for agents and found none when the withdrawal comes: it was broadcast, and that is said", async () => {
    const { world, p, id } = await paused();
    await world.clock.advance(280_000);
    world.mock.engine.patch(id, { candidates: [] });
    world.mock.standStill(30_000, 400);
    await world.clock.advance(45_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "timeout", center_rounds: 1, cancelled: true });
    const { result } = await p.call("towow_status", { negotiation_id: id });
    expect(result.warnings).toContain("auto_confirmed");
    expect(result.summary).toContain("It had already been broadcast.");
  });

  it("a withdrawal within the deadline says nothing of a late one", async () => {
    const { world, p, id } = await paused();
    await world.clock.advance(300_000);
    expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmedBy: undefined });
    const { result } = await p.call("towow_status", { negotiation_id: id });
    for (const code of ["withdrawn_late", "auto_confirmed"]) expect(result.warnings).not.toContain(code);
    expect(result.status).toBe("ok");
  });

  it("the program stands still and goes on: its withdrawal came behind the broadcast", async () => {
    const world = await createWorld({ offerTimeoutMs: 100_000 });
    const standstill = new Standstill(world.clock);
    const p = await world.process({ clock: standstill.clock });
    const demand = await p.call("towow_demand", { intent: INTENT });
    waitForOffers(world);
    await world.clock.advance(200_000);
    standstill.begin(110_000);
    await world.clock.advance(120_000);
    expect(cancels(world.mock)).toHaveLength(1);
    const { result } = await p.call("towow_status", { negotiation_id: demand.result.data.negotiation_id });
    expect(result.summary).toMatch(REACHED);
    expect(result.summary).not.toMatch(NOT_BROADCAST);
    expect(result.data.open).toEqual([]);
  });
});

/** The backend's deadline is shorter than ours: it has broadcast, and nobody here has seen it yet. */
const SHORT = { confirmTimeoutMs: 120_000 };

const LATE_MS = 121_000;

describe.each(["cancel", "leave"] as const)("a no behind the backend's deadline, under %s", (on_unconfirmed) => {
  it.each(["reject", "decline"])("%s while agents are asked: stopped, and who was asked is said", async (how) => {
    const answer = async () => {
      await world.clock.sleep(LATE_MS);
      return { action: "decline" } as const;
    };
    const world = await createWorld({ ...SHORT, offerTimeoutMs: 100_000 });
    waitForOffers(world);
    const p = await world.process({ config: { on_unconfirmed }, ...(how === "decline" && { answer }) });
    const demand = await p.call("towow_demand", { intent: INTENT });
    if (how === "reject") await world.clock.advance(LATE_MS);
    const { params } = demand.result.data.resume_with ?? {};
    const { result } = how === "decline" ? demand : await p.call("towow_demand", { ...params, decision: "reject" });
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "timeout", cancelled: true });
    expect(result.data.decision).toBe("reject");
    expect(result.summary).toMatch(REACHED);
    expect(result.summary).not.toMatch(NOT_BROADCAST);
    const status = await p.call("towow_status", { negotiation_id: result.data.negotiation_id });
    expect(status.result.summary).toMatch(REACHED);
    expect(status.result.data.open).toEqual([]);
  });

  it("reject before anybody was asked: that, and no more", async () => {
    const { world, p, params } = await paused({ mock: { ...SHORT, stepMs: 5_000 }, config: { on_unconfirmed } });
    await world.clock.until(() => world.mock.negotiations()[0]?.state === "encoding");
    const { result } = await p.call("towow_demand", { ...params, decision: "reject" });
    expect(result.summary).toContain("No agent was asked.");
    expect(result.summary).not.toMatch(NOT_BROADCAST);
  });

  it("reject of what is over: the result itself says that it came too late", async () => {
    const { world, p, params, id } = await paused({ mock: SHORT, config: { on_unconfirmed } });
    await world.clock.advance(LATE_MS + 10_000);
    const { result } = await p.call("towow_demand", { ...params, decision: "reject" });
    expect(result).toMatchObject({ status: "degraded", error: null, data: { decision: null, state: "completed" } });
    expect(result.warnings).toEqual(expect.arrayContaining(["decision_too_late", "auto_confirmed"]));
    expect(result.summary).toContain(TOO_LATE);
    const status = await p.call("towow_status", { negotiation_id: id });
    expect(status.result.warnings).toContain("decision_too_late");
    expect(status.result.data.open).toEqual([]);
  });
});

describe("a yes after the backend confirmed by itself", () => {
  it.each([
    ["accept", {}],
    ["edit", { confirmed_text: "Mine" }],
  ])("%s: too late, without effect, and not open any more", async (decision, extra) => {
    const { world, p, params } = await paused({ mock: SHORT });
    await world.clock.advance(LATE_MS + 10_000);
    const { result } = await p.call("towow_demand", { ...params, decision, ...extra });
    expect(confirms(world.mock)).toEqual([]);
    expect(result).toMatchObject({ status: "degraded", data: { decision: null } });
    expect(result.warnings).toEqual(expect.arrayContaining(["decision_too_late", "auto_confirmed"]));
    expect(result.summary).toContain(TOO_LATE);
    expect((await p.call("towow_status", { view: "full" })).result.data.open).toEqual([]);
  });

  it("an edit that was overtaken on its way: the same", async () => {
    const { world, p, params, id } = await paused({ mock: SHORT });
    await world.clock.advance(105_000);
    world.mock.faults.add({ route: "confirm", kind: "delay", delayMs: 20_000, delayWhen: "before" });
    const { result } = await p.call("towow_demand", { ...params, decision: "edit", confirmed_text: "Mine" });
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "timeout", confirmCount: 0 });
    expect(result.warnings).toContain("decision_too_late");
    expect(result.summary).toContain(TOO_LATE);
    const status = await p.call("towow_status", { negotiation_id: id });
    expect(status.result.warnings).toContain("decision_too_late");
    expect(status.result.data.open).toEqual([]);
  });

  it("one that a status had seen: who went on is named", async () => {
    const { world, p, params, id } = await paused({ mock: SHORT });
    await world.clock.advance(LATE_MS);
    await p.call("towow_status", { negotiation_id: id });
    const { result } = await p.call("towow_demand", { ...params, decision: "accept" });
    expect(result.error?.code).toBe("tool.negotiation.conflict.already_decided");
    expect(result.error?.message).toContain("went on by itself, at the backend, 2026-11-21T00:02:0");
  });
});

describe("somebody else confirmed with another text", () => {
  it.each([undefined, "accept", "edit"])("and here comes %s: it is another text, not ours", async (decision) => {
    const { world, p, params, id } = await paused();
    world.mock.engine.confirm(id, "Another text", "other");
    await world.clock.advance(3_000);
    const { result } = await (decision === undefined
      ? p.call("towow_status", { negotiation_id: id })
      : p.call("towow_demand", { ...params, decision, ...(decision === "edit" && { confirmed_text: "Mine" }) }));
    expect(world.mock.negotiations()[0]).toMatchObject({ confirmedBy: "other", confirmedText: "Another text" });
    expect(result.status).toBe("degraded");
    expect(result.warnings).toEqual(expect.arrayContaining(["auto_confirmed", "other_text_broadcast"]));
    expect(result.summary).toContain("The backend broadcast a text you were not shown here.");
    if (decision !== undefined) expect(result.summary).toContain(TOO_LATE);
    expect((await p.call("towow_status", { view: "full" })).result.data.open).toEqual([]);
  });

  it("and a reject comes a moment later: not said to be unbroadcast", async () => {
    const { world, p, params, id } = await paused();
    world.mock.engine.confirm(id, "Another text", "other");
    await world.clock.advance(60);
    const { result } = await p.call("towow_demand", { ...params, decision: "reject" });
    expect(result.summary).not.toMatch(NOT_BROADCAST);
  });
});
