import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dossier } from "./sample.ts";

describe("what was left out", () => {
  const leftOut = (demand_raw: string, demand_formulated: string) =>
    dossier({ demand_raw, demand_formulated }).demand.leftOut.join(" | ");

  test("another number in the place of one's own is missed, though both are masked", () => {
    expect(leftOut("Call me at 13800138000 in the evening.", "Call me at 13900139000 in the evening.")).toBe(
      "[phone hidden]",
    );
  });

  test("of a number that is masked no end stands by itself", () => {
    for (const [raw, formulated] of [
      ["Call me at 138 0013 8000 in the evening.", "Call me at 138 0013 in the evening."],
      ["Call me at 13800138000 or write.", "Call me or write."],
      ["Mail a.designer@example.org soon.", "Mail a.designer soon."],
    ] as const)
      expect(leftOut(raw, formulated)).not.toMatch(/\d|@|example/);
    expect(leftOut("Call me at 13800138000 or write.", "Call me or write.")).toBe("at [phone hidden]");
  });

  test("property: it is words of the cleaned text, whatever is masked in it", () => {
    const word = fc.constantFrom("Call", "me", "13800138000", "138", "0013", "8000", "a@b.example", "or", "write", ".");
    const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(" "));
    fc.assert(
      fc.property(text, text, (demand_raw, demand_formulated) => {
        const { raw, leftOut: runs } = dossier({ demand_raw, demand_formulated }).demand;
        for (const run of runs) expect(raw).toContain(run);
      }),
    );
  });
});
