import { describe, expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import { createWorld } from "../support/world.ts";
import { ACCEPT, INTENT, only } from "./pause-support.ts";

const LONG = "Wanted: somebody who knows hospital software. ".repeat(45).slice(0, 2_000);

describe("seen means seen whole", () => {
  it("a text of 2,000 characters is never pressed into a form, and returned whole", async () => {
    const world = await createWorld();
    world.mock.engine.formulateWith(() => LONG);
    const p = await world.process({ answer: () => ACCEPT });
    const demand = await p.call("towow_demand", { intent: INTENT });
    expect(p.forms).toHaveLength(0);
    expect(demand.result.data).toMatchObject({ formulated_text: LONG, decision: null });
    expect(demand.text).toContain(LONG);
    expect(confirms(world.mock)).toHaveLength(0);

    const { params } = demand.result.data.resume_with;
    const decided = await p.call("towow_demand", { ...params, decision: "accept" });
    expect(p.forms).toHaveLength(1);
    expect(p.forms[0]?.message).not.toContain(LONG);
    expect(p.forms[0]?.message).toContain("2000 characters");
    expect(decided.result.data).toMatchObject({ decision: "accept", decided_by: "form" });
    expect(only(world).confirmedText).toBe(LONG);
  });

  it("a decision argument never confirms by itself where the client has forms", async () => {
    const world = await createWorld();
    world.mock.engine.formulateWith(() => LONG);
    const p = await world.process({ answer: () => ({ action: "cancel" }) });
    const demand = await p.call("towow_demand", { intent: INTENT });
    const { params } = demand.result.data.resume_with;
    for (const decision of ["accept", "edit"])
      await p.call("towow_demand", { ...params, decision, ...(decision === "edit" && { confirmed_text: "Mine" }) });
    expect(p.forms.length).toBeGreaterThan(0);
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("an edited long text is shown whole before a form asks about it", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: () => ({ action: "cancel" }) });
    const demand = await p.call("towow_demand", { intent: INTENT });
    p.forms.length = 0;
    const { params } = demand.result.data.resume_with;
    const shown = await p.call("towow_demand", { ...params, decision: "edit", confirmed_text: LONG });
    expect(p.forms).toHaveLength(0);
    expect(shown.result.data.formulated_text).toBe(LONG);
    await p.call("towow_demand", shown.result.data.resume_with.params);
    expect(p.forms).toHaveLength(1);
    expect(p.forms[0]?.message).toContain("2000 characters");
    expect(confirms(world.mock)).toHaveLength(0);
  });

  it("invisible characters are shown as escapes, and the raw text is what goes out", async () => {
    const world = await createWorld();
    const raw = "Designer\u202E wanted\u{E0041}";
    world.mock.engine.formulateWith(() => raw);
    const p = await world.process({ answer: () => ACCEPT });
    await p.call("towow_demand", { intent: INTENT });
    expect(p.forms[0]?.message).toContain("Designer\\u{202E} wanted\\u{E0041}");
    expect(only(world).confirmedText).toBe(raw);
  });
});
