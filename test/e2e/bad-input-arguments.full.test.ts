import { describe, expect, it } from "vitest";
import { requests } from "../support/backend.ts";
import { type Case, dialects, expectRefusals, INTENT, start, writes } from "./bad-input-support.ts";

describe.each(dialects)("%s", (_, connect, lang) => {
  it("arguments, ids and tools that do not exist", async () => {
    const world = await start(connect, lang);
    const ids = [
      "a/b",
      "..",
      ".",
      "../x",
      "a%2e%2e",
      "%2e",
      "a b",
      "a?b",
      "a#b",
      "a\\b",
      "a\u0000b",
      "a\u202Eb",
      "a\nb",
      "x".repeat(129),
    ];
    for (const unknown of ["towow_destroy", "constructor"])
      await expect(world.session.call(unknown)).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(unknown),
        data: { code: "tool.input.invalid.unknown_tool" },
      });
    await expectRefusals(world, [
      ["a tool of the other mode", "towow_list_scenes", {}, "tool.policy.blocked.inactive_tool", /towow_set_mode/],
      [
        "an unknown argument",
        "towow_status",
        { negotiation: "x" },
        "tool.input.invalid.unknown_argument",
        /negotiation\b.*negotiation_id(, |、)wait/s,
      ],
      ["a wrong choice", "towow_status", { wait: "forever" }, "tool.input.invalid.arguments", /wait/],
      ["no mode", "towow_set_mode", {}, "tool.input.invalid.argument_missing", /mode/],
      ...ids.flatMap((id): Case[] => [
        [
          `status of ${JSON.stringify(id)}`,
          "towow_status",
          { negotiation_id: id },
          "tool.input.invalid.id_malformed",
          /negotiation_id/,
        ],
        [
          `a demand in ${JSON.stringify(id)}`,
          "towow_demand",
          { intent: INTENT, scene_id: id },
          "tool.input.invalid.id_malformed",
          /scene_id/,
        ],
      ]),
      [
        "an unknown negotiation",
        "towow_status",
        { negotiation_id: "neg_0" },
        "tool.negotiation.not_found.unknown_negotiation",
        /neg_0/,
      ],
      [
        "waiting for one",
        "towow_status",
        { negotiation_id: "neg_0", wait: "done" },
        "tool.negotiation.not_found.unknown_negotiation",
      ],
      ["resuming one", "towow_demand", { negotiation_id: "neg_0" }, "tool.negotiation.not_found.unknown_negotiation"],
      [
        "deciding one",
        "towow_demand",
        { negotiation_id: "neg_0", confirmation_id: "c", decision: "accept" },
        "tool.negotiation.not_found.unknown_negotiation",
      ],
      [
        "rejecting one",
        "towow_demand",
        { negotiation_id: "neg_0", decision: "reject" },
        "tool.negotiation.not_found.unknown_negotiation",
      ],
      [
        "cancelling one",
        "towow_demand",
        { negotiation_id: "neg_0", decision: "cancel" },
        "tool.negotiation.not_found.unknown_negotiation",
      ],
    ]);
    expect(writes(world.mock)).toEqual([]);
    const looks = requests(world.mock, "GET", /negotiations\//).map((entry) => entry.path);
    expect(new Set(looks)).toEqual(new Set(["/v1/api/negotiations/neg_0"]));
  });
});
