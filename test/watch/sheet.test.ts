import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { showInvisible } from "../../src/safety/invisible.ts";
import { sheetLines, sheetOf, textLines } from "../../src/watch/sheet.ts";
import { format } from "./views.ts";

const SUBMITTED = "I need a product designer for two weeks, call +49 30 1234567";
const FORMULATED =
  "I need a product designer for two weeks, about ten hours a week, call +49 30 1234567. Remote is fine.";

describe("the sheet", () => {
  it("marks nothing where the network added nothing", () => {
    const lines = sheetLines(sheetOf(SUBMITTED, SUBMITTED), format(80, "en", true), true);
    expect(lines.join("\n")).not.toContain("\x1b[43m");
  });

  it("a version of the person's own: their changes and the network's words that stayed, each in its colour", () => {
    const edited = "I need a product designer for three weeks, about ten hours a week. Remote is fine.";
    const colour = textLines(sheetOf(SUBMITTED, FORMULATED, edited), format(100, "en", true)).join("");
    expect(colour).toContain("\x1b[46mthree");
    expect(colour).toContain("\x1b[43mabout ten hours a week");
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
