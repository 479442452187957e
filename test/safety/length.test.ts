import fc from "fast-check";
import { expect, it } from "vitest";
import { countGraphemes, cutColumns, cutGraphemes } from "../../src/safety/sanitize/length.ts";
import { stringWidth } from "../../src/text-width.ts";
import { Reached } from "../support/reached.ts";

const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const graphemes = (text: string) => [...segmenter.segment(text)].map(({ segment }) => segment);

/** Everyday characters, and those that join with others: marks, jamo, emoji with a joiner, flags, halves of a pair. */
const characters = fc.oneof(
  fc.integer({ min: 0x09, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  fc.constantFrom(
    "a",
    "é",
    "中",
    "—",
    "“",
    "。",
    "　",
    "か",
    "\r",
    "\n",
    "\u0301",
    "\u3099",
    "\u302A",
    "\u200D",
    "\uFE0F",
  ),
  fc.constantFrom("각", "\u1100", "\u1161", "👩‍💻", "🇩🇪", "©", "®", "\u{1F3FD}", "\uD800", "क्", "\u00AD"),
);
const texts = fc.array(characters, { maxLength: 40 }).map((all) => all.join(""));

it("every character of the basic plane, alone and beside itself, counts as the platform counts it", () => {
  for (let unit = 9; unit < 0x1_00_00; unit++) {
    const char = String.fromCharCode(unit);
    const text = `a${char}${char}b`;
    if (countGraphemes(text) !== graphemes(text).length) expect.fail(`U+${unit.toString(16)}`);
  }
});

it("property: graphemes are counted and cut as the platform has them", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 40 }), (text, limit) => {
      const all = graphemes(text);
      expect(countGraphemes(text)).toBe(all.length);
      const { text: kept, used, cut } = cutGraphemes(text, limit);
      if (all.length <= limit && text.length <= limit)
        expect({ kept, used, cut }).toEqual({ kept: text, used: all.length, cut: false });
      if (cut && kept !== "…") expect(text.startsWith(kept.slice(0, -1))).toBe(true);
      if (cut && all.every((one) => one.length === 1)) expect(kept).toBe(`${all.slice(0, limit - 1).join("")}…`);
    }),
    { numRuns: 2_000 },
  );
});

it("property: a line that fits is kept, and none is wider than its columns", () => {
  const [fitting, wider, whole] = [new Reached(), new Reached(), new Reached()];
  fc.assert(
    fc.property(texts, fc.integer({ min: 2, max: 40 }), (text, columns) => {
      const line = text.replace(/\s+/g, " ").trim();
      const width = graphemes(line).reduce((sum, one) => sum + stringWidth(one), 0);
      const { text: kept, cut } = cutColumns(text, columns);
      if (fitting.when(width <= columns && line.length <= columns))
        expect({ kept, cut }).toEqual({ kept: line, cut: false });
      if (wider.when(width > columns)) expect(cut).toBe(true);
      if (whole.when(!cut)) expect(kept).toBe(line);
    }),
    { numRuns: 2_000 },
  );
  for (const one of [fitting, wider, whole]) one.atLeast(100);
});
