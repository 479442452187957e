import { describe, expect, it } from "vitest";
import { FIVE_MINUTES, only, pauseWithoutForms } from "../ask/pause-support.ts";
import { confirms } from "../support/backend.ts";
import { endedAs, outcomeOf } from "../support/facts.ts";
import { createWorld, type World } from "../support/world.ts";

/** A request fails, or the backend says that it knows nothing: what was decided is carried out all the same. */

describe("a decision whose request failed is carried out all the same", () => {
  for (const decision of ["reject", "cancel"])
    it(`${decision}: one lost answer does not broadcast the text`, async () => {
      const world = await createWorld();
      const p = await world.process();
      const params = await pauseWithoutForms(world, p);
      world.mock.faults.add({ route: "action", kind: "drop_before" });
      const told = await p.call("towow_demand", { ...params, decision });
      expect(told.result.error?.code).toBe("tool.backend.timeout.outcome_unknown");
      await world.clock.advance(FIVE_MINUTES + 5_000);
      expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
    });

  it("edit: the text that the person replaced is not broadcast", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pauseWithoutForms(world, p);
    const original = String(only(world).demand_formulated);
    world.mock.faults.add({ route: "confirm", kind: "drop_before" });
    await p.call("towow_demand", { ...params, decision: "edit", confirmed_text: "A nurse instead" });
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(only(world).confirmedText).not.toBe(original);
  });

  it("accept: a text that came later and that nobody saw is not broadcast", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pauseWithoutForms(world, p);
    world.mock.faults.add({ route: "confirm", kind: "drop_before" });
    await p.call("towow_demand", { ...params, decision: "accept" });
    world.mock.engine.setFormulatedText(params.negotiation_id!, "Something else");
    await world.clock.advance(FIVE_MINUTES + 5_000);
    expect(confirms(world.mock)).toHaveLength(1); // nor is it replaced: nobody agreed to that
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });
});

describe("a 404 that passes, as of a backend with several workers,", () => {
  const unknown = (world: World, route: "action" | "get", times: number) => {
    for (let i = 0; i < times; i++) world.mock.faults.add({ route, kind: "status", status: 404 });
  };

  it.each([1, 20])("does not undo a rejection, %i times", async (times) => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pauseWithoutForms(world, p);
    unknown(world, "action", times);
    const told = await p.call("towow_demand", { ...params, decision: "reject" });
    expect(told.result.error?.code).toBe("tool.negotiation.not_found.unknown_negotiation");
    await world.clock.advance(60_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });

  it("does not end what a killed program left", async () => {
    const world = await createWorld();
    const killed = await world.process();
    await pauseWithoutForms(world, killed);
    world.dead.add(killed.pid);
    unknown(world, "get", 1);
    const heir = await world.process();
    await heir.call("towow_status", {});
    await world.clock.advance(FIVE_MINUTES);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });

  it("is believed after a minute, once the deadline has passed", async () => {
    const world = await createWorld();
    const p = await world.process();
    const { negotiation_id: id = "" } = await pauseWithoutForms(world, p);
    unknown(world, "action", 1_000);
    await world.clock.advance(FIVE_MINUTES - 5_000);
    expect(await outcomeOf(world, id)).toBeUndefined();
    await world.clock.advance(60_000);
    expect(await outcomeOf(world, id)).toMatchObject({ kind: "not_found" });
    expect(await endedAs(p.negotiations, id)).toBe("gone");
  });
});
