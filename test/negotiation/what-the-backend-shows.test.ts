import { describe, expect, it } from "vitest";
import { ACCEPT, FIVE_MINUTES, only, pauseWithoutForms } from "../ask/pause-support.ts";
import { endedAs, factsAbout, outcomeOf } from "../support/facts.ts";
import { createWorld, type World } from "../support/world.ts";

/** What was sent and answered with 200 is not done by that: what the backend shows decides what is said. */

/** As the backend shows it now, in the answer to the next requests of that kind, which do nothing. */
function answerWithoutDoing(world: World, route: "action" | "confirm", times = 1): void {
  const { negotiation_id, state, demand_raw, demand_formulated } = only(world);
  const body = JSON.stringify({ negotiation_id, state, demand_raw, demand_formulated, participants: [] });
  world.mock.faults.add({ route, kind: "status", status: 200, body, times });
}

describe("a cancel that is answered, and shown to have ended nothing", () => {
  it("is unknown, and goes again until it is seen to have an effect", async () => {
    const world = await createWorld();
    const p = await world.process();
    const { negotiation_id } = await pauseWithoutForms(world, p);
    answerWithoutDoing(world, "action");
    const { result } = await p.call("towow_demand", { negotiation_id, decision: "reject" });
    expect(result.error?.code).toBe("tool.backend.timeout.outcome_unknown");
    await world.clock.advance(5_000);
    expect(only(world)).toMatchObject({ cancelled: true });
    expect(await outcomeOf(world, negotiation_id ?? "")).toMatchObject({ kind: "cancelled" });
  });

  it("never claims that nothing was broadcast, where the backend goes on after all", async () => {
    const world = await createWorld();
    const p = await world.process();
    const { negotiation_id } = await pauseWithoutForms(world, p);
    answerWithoutDoing(world, "action", Number.POSITIVE_INFINITY);
    await world.clock.advance(FIVE_MINUTES + 60_000);
    expect(only(world)).toMatchObject({ cancelled: false, state: "completed" });
    const { result } = await p.call("towow_status", { negotiation_id, view: "full" });
    expect(result.summary).not.toMatch(/not broadcast|No agent was asked|withdrawn/);
    expect(result.warnings).toContain("auto_confirmed");
  });
});

it("a plan that comes after a cancel says that the cancel had no effect", async () => {
  const world = await createWorld();
  const p = await world.process();
  const { negotiation_id } = await pauseWithoutForms(world, p);
  await p.call("towow_demand", { negotiation_id, decision: "reject" });
  world.rewrite = (body) =>
    (body as { negotiation_id?: string }).negotiation_id === negotiation_id
      ? { ...(body as object), plan_output: "A plan", center_rounds: 1 }
      : body;
  const { result } = await p.call("towow_status", { negotiation_id, view: "full" });
  expect(result.summary).not.toMatch(/answer to the text was no|not broadcast/);
  expect(result.warnings).toContain("auto_confirmed");
});

describe("an end without a plan", () => {
  const leave = { on_unconfirmed: "leave", mode: "developer" };

  it("is said to have been broadcast undecided, where agents were asked", async () => {
    const world = await createWorld();
    const p = await world.process({ config: leave });
    const { result } = await p.call("towow_demand", { intent: "machine learning [[center=fail]]" });
    const { negotiation_id } = result.data.resume_with.params;
    await world.clock.advance(FIVE_MINUTES + 60_000);
    expect(only(world)).toMatchObject({ state: "completed", plan_output: null });
    const status = await p.call("towow_status", { negotiation_id, view: "full" });
    expect(status.result).toMatchObject({ status: "degraded" });
    expect(status.result.warnings).toEqual(expect.arrayContaining(["auto_confirmed", "plan_missing"]));
    expect(await endedAs(p.negotiations, negotiation_id)).toBe("auto_confirmed");
    expect((await factsAbout(world, negotiation_id)).decided).toEqual([]);
  });

  it("shows in the confirmation's own result that another text went out", async () => {
    const world = await createWorld();
    const p = await world.process({ config: leave, answer: () => ACCEPT });
    world.rewrite = (body, { method }) => {
      const n = body as { state?: string };
      const hasMoved = !["created", "formulating", "formulated"].includes(n.state ?? "created");
      if (method !== "GET" || !hasMoved) return body;
      const participants = [{ agent_id: "agent_one", display_name: "Lin", resonance_score: 0.8, state: "replied" }];
      return { ...n, state: "completed", demand_formulated: "Somebody else's text", participants, plan_output: null };
    };
    const { result } = await p.call("towow_demand", { intent: "machine learning" });
    expect(result).toMatchObject({ status: "degraded", data: { state: "completed", resume_with: null } });
    expect(result.warnings).toEqual(expect.arrayContaining(["confirmed_text_mismatch", "plan_missing"]));
    expect(result.summary).toContain("ended without a plan");
  });
});
