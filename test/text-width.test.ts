import fc from "fast-check";
import tableWidth from "string-width";
import { expect, it } from "vitest";
import { stringWidth } from "../src/text-width.ts";

const everyday = fc.constantFrom(..."aZ ~-9", "服", "，", "。", "〇", "𠮷", "《", "」");
const others = fc.constantFrom(
  "é",
  "“",
  "…",
  "👍🏽",
  "👨‍👩‍👧",
  "\u200B",
  "\t",
  "\u0301",
  "カ",
  "가",
  "１",
  "―",
  "々",
  "⺀",
);

it("the width of a text is the same with and without the table of emoji", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 5, arbitrary: everyday }, others), { maxLength: 20 }), (parts) => {
      expect(stringWidth(parts.join(""))).toBe(tableWidth(parts.join("")));
    }),
    { numRuns: 2_000 },
  );
});

it("every Han character alone takes as many columns as the table says", () => {
  for (let code = 0x2e80; code < 0x32000; code++) {
    const letter = String.fromCodePoint(code);
    if (/\p{sc=Han}/u.test(letter) && stringWidth(letter) !== tableWidth(letter)) expect.fail(code.toString(16));
  }
});
