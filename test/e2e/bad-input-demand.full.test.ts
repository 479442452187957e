import { describe, expect, it } from "vitest";
import { cancels, confirms, submits } from "../support/backend.ts";
import { dialects, expectRefusals, INTENT, join, pause, start } from "./bad-input-support.ts";

describe.each(dialects)("%s", (_, connect, lang) => {
  it("intents that are empty, blank or huge", async () => {
    const world = await start(connect, lang);
    await join(world);
    await expectRefusals(world, [
      ["empty, which is absent", "towow_demand", { intent: "" }, "tool.input.invalid.demand_incomplete"],
      ["blank", "towow_demand", { intent: " \n\t　" }, "tool.input.invalid.intent_empty"],
      ["300 kB", "towow_demand", { intent: "需求 ".repeat(75_000) }, "tool.input.invalid.intent_too_long"],
      ["one too many", "towow_demand", { intent: "x".repeat(20_001) }, "tool.input.invalid.intent_too_long"],
      ["neither intent nor negotiation", "towow_demand", {}, "tool.input.invalid.demand_incomplete"],
      [
        "a decision on nothing",
        "towow_demand",
        { intent: INTENT, decision: "accept" },
        "tool.input.invalid.demand_incomplete",
      ],
    ]);
    expect(submits(world.mock)).toEqual([]);
  });

  it("decisions with ids that are forged, borrowed or used", async () => {
    const world = await start(connect, lang);
    const { mock, session } = world;
    await join(world);
    const one = await pause(world);
    const other = await pause(world, "I need a translator for a conference in May");
    const decide = { decision: "accept" };
    await expectRefusals(world, [
      [
        "forged",
        "towow_demand",
        { ...one, confirmation_id: "forged", ...decide },
        "tool.negotiation.invalid.confirmation_id",
      ],
      [
        "none",
        "towow_demand",
        { negotiation_id: one.negotiation_id, ...decide },
        "tool.negotiation.invalid.confirmation_id",
      ],
      [
        "of another",
        "towow_demand",
        { ...one, confirmation_id: other.confirmation_id, ...decide },
        "tool.negotiation.invalid.confirmation_id",
      ],
      [
        "a forged edit",
        "towow_demand",
        { ...one, confirmation_id: "forged", decision: "edit", confirmed_text: "x" },
        "tool.negotiation.invalid.confirmation_id",
      ],
      [
        "an edit to nothing",
        "towow_demand",
        { ...one, decision: "edit", confirmed_text: " \n" },
        "tool.negotiation.invalid.confirmed_text_empty",
      ],
      [
        "an edit without a text",
        "towow_demand",
        { ...one, decision: "edit" },
        "tool.negotiation.invalid.confirmed_text_empty",
      ],
      [
        "an edit that is a book",
        "towow_demand",
        { ...one, decision: "edit", confirmed_text: "x".repeat(20_001) },
        "tool.input.invalid.text_too_long",
      ],
      ["no such decision", "towow_demand", { ...one, decision: "yes" }, "tool.input.invalid.arguments"],
    ]);
    for (const confirmed_text of ["", " \n", undefined]) {
      const empty = { ...one, decision: "edit", ...(confirmed_text !== undefined && { confirmed_text }) };
      const { error } = (await session.call("towow_demand", empty)).result;
      // The question stands as it did.
      expect(error?.resume_with).toEqual({ tool: "towow_demand", params: one, needs: ["decision"] });
    }
    expect([confirms(mock).length, cancels(mock).length]).toEqual([0, 0]);

    const accepted = await session.call("towow_demand", { ...one, ...decide });
    expect(accepted.result.data).toMatchObject({ decision: "accept", decided_by: "argument" });
    const done = await session.call("towow_status", { negotiation_id: one.negotiation_id, wait: "done" });
    expect(done.result.data.state).toBe("completed");
    await expectRefusals(world, [
      [
        "accepting twice",
        "towow_demand",
        { ...one, ...decide },
        "tool.negotiation.conflict.already_decided",
        /confirmed|已确认/,
      ],
      [
        "editing after it",
        "towow_demand",
        { ...one, decision: "edit", confirmed_text: "Another text" },
        "tool.negotiation.conflict.already_decided",
      ],
      [
        "rejecting after it",
        "towow_demand",
        { ...one, decision: "reject" },
        "tool.negotiation.conflict.already_decided",
      ],
      [
        "its id for the other",
        "towow_demand",
        { ...other, confirmation_id: one.confirmation_id, ...decide },
        "tool.policy.blocked.tainted", // the plan was read: from here on no word of a model decides
      ],
      [
        "cancelling what is over",
        "towow_demand",
        { negotiation_id: one.negotiation_id, decision: "cancel" },
        "tool.negotiation.conflict.already_completed",
      ],
    ]);
    expect(confirms(mock).map((entry) => entry.path)).toEqual([`/v1/api/negotiations/${one.negotiation_id}/confirm`]);
    expect(mock.negotiations().map((n) => n.confirmCount)).toEqual([1, 0]);
    expect(submits(mock)).toHaveLength(2);
  });
});
