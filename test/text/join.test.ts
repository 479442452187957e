import { expect, it } from "vitest";
import { joinSentences } from "../../src/text/join.ts";

it.each([
  [["One.", "Two."], "One. Two."],
  [["一句。", "又一句。"], "一句。又一句。"],
  [["（一句）", undefined, "", "end"], "（一句）end"],
  [["To go on: towow-mcp network", "Then this."], "To go on: towow-mcp network\nThen this."],
  [[undefined], ""],
])("%j is set as its language does", (sentences, text) => {
  expect(joinSentences(sentences)).toBe(text);
});
