import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { paintWith } from "../../src/terminal/paint.ts";
import { pieceLines } from "../../src/terminal/pieces.ts";
import { lineRanges, wrap } from "../../src/terminal/wrap.ts";

const text = fc.stringMatching(/^[a-zé 一-龥，。“”().\u{1F469}-\u{1F4BB}]{0,120}$/u);
const columns = fc.integer({ min: 2, max: 60 });

describe("lines", () => {
  it("break between words in both scripts; what closes stays with its word", () => {
    expect(wrap("about ten hours a week, remote", 12)).toEqual(["about ten", "hours a", "week, remote"]);
    expect(wrap("寻找熟悉门诊流程的设计师，可远程。", 12)).toEqual(["寻找熟悉门诊", "流程的设计", "师，可远程。"]);
  });

  it("hold every word, are never too wide where a word may be broken, and stand where they say", () => {
    fc.assert(
      fc.property(text, columns, (it, width) => {
        const ranges = lineRanges(it, width);
        const letters = (of: string) => of.replace(/\s+/g, "");
        expect(ranges.map(({ start, end }) => letters(it.slice(start, end))).join("")).toBe(letters(it));
        for (const [i, { start, end }] of ranges.entries()) {
          expect(start).toBeGreaterThanOrEqual(ranges[i - 1]?.end ?? 0);
          expect(it.slice(ranges[i - 1]?.end ?? 0, start)).toMatch(/^\s*$/);
          expect(stringWidth(it.slice(start, end))).toBeLessThanOrEqual(width);
        }
      }),
    );
  });
});

describe("a text in pieces", () => {
  const look = { paint: paintWith(true), gutter: () => "| ", gutterWidth: 2 };

  it("keeps its styles behind a break, and its line feeds", () => {
    const pieces = [{ text: "mine " }, { text: "about ten hours", style: "bold" as const }, { text: "\nend" }];
    expect(pieceLines(pieces, { ...look, width: 16 })).toEqual([
      "| mine \x1b[1mabout ten\x1b[22m",
      "| \x1b[1mhours\x1b[22m",
      "| end",
    ]);
  });

  it("loses and adds no character but white space at a break", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 6 }), columns, (texts, width) => {
        const lines = pieceLines(
          texts.map((it) => ({ text: it })),
          { ...look, paint: paintWith(false), width: width + 2 },
        );
        expect(
          lines
            .map((line) => line.slice(2))
            .join("")
            .replace(/\s+/g, ""),
        ).toBe(texts.join("").replace(/\s+/g, ""));
      }),
    );
  });
});
