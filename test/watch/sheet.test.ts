import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { showInvisible } from "../../src/safety/invisible.ts";
import { sheetLines, sheetOf, textLines } from "../../src/watch/sheet.ts";
import { format } from "./views.ts";

const SUBMITTED = "I need a product designer for two weeks, call +49 30 1234567";
const FORMULATED =
  "I need a product designer for two weeks, about ten hours a week, call +49 30 1234567. Remote is fine.";
const plain = (lines: readonly string[]) => stripVTControlCharacters(lines.join("\n"));

describe("the sheet", () => {
  it("what was submitted, the whole text with the network's words marked and numbered, personal data named", () => {
    expect(plain(sheetLines(sheetOf(SUBMITTED, FORMULATED), format(60)))).toBe(`Submitted
│ I need a product designer for two weeks, call +49 30
│ 1234567

The network added · 38% of this text · it goes out exactly
as shown
+ I need a product designer for two weeks, about ten hours a
+ week, call +49 30 1234567. Remote is fine.

 1  about ten hours a week
 2  Remote is fine.
 !  +49 30 1234567 · personal data: phone number`);
  });

  it("in Chinese, 40 columns", () => {
    const sheet = sheetOf("找一位懂医院排队的产品设计师", "找一位懂医院排队的产品设计师，每周约十小时，可远程。");
    expect(plain(sheetLines(sheet, format(40, "zh")))).toBe(`提交的需求
│ 找一位懂医院排队的产品设计师

网络补充的 · 占全文 39% · 将按所示原样
广播
+ 找一位懂医院排队的产品设计师，每周约十
+ 小时，可远程。

 1  每周约十小时，可远程。`);
  });

  it("says so where the network added nothing, and marks nothing", () => {
    const lines = sheetLines(sheetOf(SUBMITTED, SUBMITTED), format(80, "en", true));
    expect(lines.join("\n")).toContain("Nothing · it goes out exactly as shown");
    expect(lines.join("\n")).not.toContain("\x1b[43m");
  });

  it("says what the network left out of the submitted words", () => {
    const lines = plain(sheetLines(sheetOf("No equity, and never remote.", "Equity, and remote."), format(80)));
    expect(lines).toContain("The network left out: No equity … never");
    expect(plain(sheetLines(sheetOf(SUBMITTED, FORMULATED), format(80)))).not.toContain("left out");
  });

  it("a version of the person's own: their changes and the network's words that stayed, each in its colour", () => {
    const edited = "I need a product designer for three weeks, about ten hours a week. Remote is fine.";
    const colour = textLines(sheetOf(SUBMITTED, FORMULATED, edited), format(100, "en", true)).join("");
    expect(colour).toContain("\x1b[46mthree");
    expect(colour).toContain("\x1b[43mabout ten hours a week");
  });

  it("texts too long to be compared are shown whole, as nobody's", () => {
    const long = "word ".repeat(5_000);
    const sheet = sheetOf("word", long);
    expect(sheet.isCompared).toBe(false);
    expect(plain(sheetLines(sheet, format(80)))).toContain("Too long to compare word by word");
  });

  it("never loses, adds or hides a character of the text, and is never too wide", () => {
    const text = fc.stringMatching(/^[a-z一-龥 ，。.@+0-9\n​]{0,160}$/);
    fc.assert(
      fc.property(
        text,
        text,
        fc.option(text, { nil: undefined }),
        fc.integer({ min: 20, max: 100 }),
        (a, b, edit, width) => {
          const lines = textLines(sheetOf(a, b, edit), format(width));
          const letters = (of: string) => of.replace(/\s+/g, "");
          expect(letters(lines.map((line) => line.slice(2)).join(""))).toBe(letters(showInvisible(edit ?? b)));
          for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});
