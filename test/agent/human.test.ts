import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { askForm, fitsForm, readAnswer } from "../../src/agent/human.ts";
import { textsOf } from "../../src/text/index.ts";

const LINES = 3;
const COLUMNS = 76;
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const NOTHING = /[\p{M}\p{DI}]/u;

/** Columns of a terminal, one code point after the other: an own count, not the one that is tested. */
function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += NOTHING.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return columns;
}

/** How many lines a terminal needs at least, words broken wherever that saves room. */
function linesAtLeast(text: string): number {
  return text.split("\n").reduce((lines, line) => lines + Math.max(1, Math.ceil(columnsOf(line) / COLUMNS)), 0);
}

/** How many lines a terminal needs that keeps words together, as Claude Code's does. */
function linesOfWords(text: string): number {
  let lines = 0;
  for (const line of text.split("\n")) {
    lines += 1;
    let used = 0;
    for (const [i, word] of line.split(" ").entries()) {
      const width = columnsOf(word);
      if (i > 0) used += 1;
      if (used > 0 && used + width > COLUMNS && width <= COLUMNS) {
        lines += 1;
        used = 0;
      }
      used += width;
      while (used > COLUMNS) {
        lines += 1;
        used -= COLUMNS;
      }
    }
  }
  return lines;
}

const word = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 14 }) },
  fc.string({ unit: "grapheme-ascii", minLength: 60, maxLength: 160 }),
  fc.constantFrom(
    "我需要一位懂医院排队系统的产品设计师",
    "预算，可以商量。",
    "👩‍👩‍👧‍👦",
    "ＡＢＣ",
    "naïve",
    "हिन्दी",
    "한국어",
    "\t",
    "\n",
  ),
);
const texts = fc.array(word, { maxLength: 60 }).map((words) => words.join(" "));

describe("fitsForm", () => {
  it("is never true for a text that needs more than three lines", () => {
    fc.assert(
      fc.property(texts, (text) => {
        if (!fitsForm(text)) return;
        const shown = text.replaceAll("\t", "        ");
        expect(linesAtLeast(shown)).toBeLessThanOrEqual(LINES);
        expect(linesOfWords(shown)).toBeLessThanOrEqual(LINES);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is true for what is well inside", () => {
    const short = fc.array(fc.constantFrom("a", "word", "我", "需要", "30%"), { maxLength: 25 });
    fc.assert(fc.property(short, (words) => void expect(fitsForm(words.join(" ").slice(0, 70))).toBe(true)));
  });

  it.each([
    ["228 narrow columns", "x".repeat(228), true],
    ["229 narrow columns", "x".repeat(229), false],
    ["114 Han characters", "需".repeat(114), true],
    ["115 Han characters", "需".repeat(115), false],
    ["three lines", "a\nb\nc", true],
    ["four lines", "a\nb\nc\nd", false],
    ["three lines and an end of line", "a\nb\nc\n", false],
    ["only line feeds", "\n\n\n", false],
    ["carriage returns that overwrite", "a\rb\rc\rd", false],
    ["line separators", `a${"\u2028b".repeat(40)}`, false],
    ["tabs, which take up to eight columns", `a${"\t".repeat(40)}b`, false],
    ["invisible characters, which are written out", `a${"\u200B".repeat(40)}b`, false],
    ["escape sequences, which are written out", `${"\u001B[8m".repeat(30)}hidden`, false],
    ["words that do not fill their lines", `${"x".repeat(70)} `.repeat(4).trim(), false],
    ["a family that a terminal may draw as many", "👩\u200D".repeat(150), false],
    ["loose jamo, which look like one cluster", "\u1100".repeat(150), false],
    ["conjuncts, which look like one cluster", "क्ष्".repeat(150), false],
    ["an empty text", "", true],
  ])("%s", (_, text, fits) => {
    expect(fitsForm(text)).toBe(fits);
  });

  it("takes its time with nothing", () => {
    const start = performance.now();
    for (const text of [
      "x".repeat(200_000),
      "a\u0301".repeat(50_000),
      `a${"\u0301".repeat(100_000)}`,
      "👩\u200D".repeat(20_000),
    ])
      fitsForm(text);
    expect(performance.now() - start).toBeLessThan(5_000);
  });
});

describe.each(["en", "zh"] as const)("the form in %s", (lang) => {
  const sentences = textsOf(lang);

  it("begins with the text, whole, when it fits", () => {
    const { message } = askForm("A designer\u200B, please", sentences, { decideBy: "SOON", host: "example.org" });
    expect(message.split("\n")[0]).toBe("A designer\\u{200B}, please");
    expect(message).toContain("SOON");
    expect(message).toContain("example.org");
  });

  it("never shows a part of a long text as if it were all", () => {
    const long = "很长的需求，".repeat(200);
    const { message } = askForm(long, sentences, {});
    expect(message).toContain(String([...long].length));
    expect(message).not.toContain(long.slice(0, 100));
    expect(message.split("\n")[1]).toContain("…");
    for (const line of message.split("\n").slice(0, 2)) expect(columnsOf(line)).toBeLessThanOrEqual(COLUMNS + 14);
  });

  it("asks for one of three decisions in one line each", () => {
    const { schema } = askForm("text", sentences, {});
    expect(schema.properties.decision).toMatchObject({ enum: ["accept", "edit", "reject"] });
    expect(schema.required).toEqual(["decision"]);
    for (const { description } of Object.values(schema.properties)) expect(description).not.toContain("\n");
  });
});

it.each([
  [undefined, undefined],
  [null, undefined],
  ["accept", undefined],
  [{}, undefined],
  [{ decision: "yes" }, undefined],
  [{ decision: ["accept"] }, undefined],
  [{ decision: "accept" }, { decision: "accept" }],
  [
    { decision: "edit", confirmed_text: 5 },
    { decision: "edit", confirmed_text: undefined },
  ],
  [
    { decision: "edit", confirmed_text: "x", more: 1 },
    { decision: "edit", confirmed_text: "x" },
  ],
])("the answer %j reads as %j", (content, read) => {
  expect(readAnswer(content)).toEqual(read);
});
