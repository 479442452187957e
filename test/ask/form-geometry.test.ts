import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import wrapAnsi from "wrap-ansi";
import {
  cutToRow,
  fitsMessage,
  fitsRow,
  MIN_FORM,
  rowsOf,
  SEEN_CLIENTS,
  surfaceOf,
} from "../../src/ask/client-forms.ts";
import { pageMessage, pauseForm } from "../../src/ask/questions.ts";
import { isWholeInField } from "../../src/ask/whole.ts";
import { showInvisible } from "../../src/safety/invisible.ts";
import { textsOf } from "../../src/text/index.ts";
import { Reached } from "../support/reached.ts";
import { workOf } from "../support/work.ts";
import SEEN from "./drawn-forms.json" with { type: "json" };

/** What Claude Code 2.1.332 draws, as it was seen on its screen. */
const cut = (row: string, columns: number): string => {
  if (stringWidth(row) <= columns) return row;
  let shown = "";
  for (const { segment } of new Intl.Segmenter().segment(row)) {
    if (stringWidth(`${shown}${segment}…`) > columns) break;
    shown += segment;
  }
  return `${shown}…`;
};
const MAX_ROWS = 4;
function rowsDrawn(message: string, terminal: number, wraps: boolean): string[] {
  const columns = Math.max(20, terminal - 6);
  const breaks = message.includes("\n");
  const rows = (wraps && !breaks ? wrapAnsi(message, columns, { hard: true, trim: true }) : message)
    .split("\n")
    .map((row) => cut(row, columns));
  return rows.length <= MAX_ROWS
    ? rows
    : [...rows.slice(0, MAX_ROWS - 1), `… (+${rows.length - MAX_ROWS + 1} more lines)`];
}
const descriptionDrawn = (text: string, terminal: number) => cut(text, Math.max(20, terminal - 12));

/** A form that grows with its text in a screen of 24 rows: the rows that are left for the message, whatever is drawn. */
const LEFT_FOR_MESSAGE: Record<string, number> = { "codex-mcp-client": 14, "copilot-cli": 8 };
function rowsInGrowingForm(message: string, client: string, terminal: number): string[] {
  const columns = terminal - 4;
  const rows = message.split("\n").flatMap((line) => wrapAnsi(line, columns, { hard: true, trim: false }).split("\n"));
  return rows.slice(0, LEFT_FOR_MESSAGE[client]);
}

const drawn = (message: string, client: string, terminal: number): string[] =>
  client in LEFT_FOR_MESSAGE ? rowsInGrowingForm(message, client, terminal) : rowsDrawn(message, terminal, true);

/** What a reader has of a text: everything but the spaces, where rows may break, however its letters are composed. */
const read = (text: string) => text.normalize().replaceAll(/\s/g, "");

const word = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "grapheme-ascii", minLength: 1, maxLength: 14 }) },
  { weight: 3, arbitrary: fc.constantFrom("我需要一位懂医院排队系统的产品设计师", "预算，可以商量。", "排队、分诊") },
  fc.string({ unit: "grapheme-ascii", minLength: 40, maxLength: 160 }),
  fc.integer({ min: 20, max: 120 }).map((length) => "x".repeat(length)),
  fc.integer({ min: 1, max: 40 }).map((length) => " ".repeat(length)),
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("👩‍👩‍👧‍👦", "🇨🇳", "ＡＢＣ", "naïve", "हिन्दी", "한국어", "13800138000", "lin@example.org"),
  fc.constantFrom("\t", "\n", "\r\n", "\u2028", "\u200B", "\u202E", "  "),
);
const texts = fc
  .tuple(fc.array(word, { maxLength: 12 }), fc.constantFrom(" ", ""))
  .map(([words, between]) => words.join(between));
const terminals = fc.oneof(fc.constantFrom(60, 80, 100), fc.integer({ min: 60, max: 250 }));
const langs = fc.constantFrom("en" as const, "zh" as const);
const besides = fc.record({
  decideBy: fc.option(fc.constantFrom("By 14:05:09, or withdrawn", "14:05:09 前未定即撤回"), { nil: undefined }),
  host: fc.option(fc.constantFrom("127.0.0.1:43210", `${"long-name.".repeat(8)}example`), { nil: undefined }),
});

/** How each client draws was read from its screen; one that is added to the table of clients needs its way here first. */
const DRAWN_HERE = ["claude-code", ...Object.keys(LEFT_FOR_MESSAGE)];
const CLIENTS = [...new Set(SEEN_CLIENTS.map(({ client }) => client)), "a stranger"];
const geometryOf = (name: string) => surfaceOf({ name, version: "99.0" }).form;

describe.each(CLIENTS)("what a form of %s asks about is on the screen", (client) => {
  const shows = geometryOf(client);

  it("every character of the text, the deadline, the host and the personal data, whatever the terminal's width", () => {
    let asked = 0;
    fc.assert(
      fc.property(texts, besides, langs, terminals, (text, beside, lang, terminal) => {
        const form = pauseForm(text, textsOf(lang), beside, shows);
        if (form === undefined) return;
        asked += 1;
        const { message, schema } = form;
        expect(message).toBe(showInvisible(text)); // the text alone, and nothing beside it
        expect(read(drawn(message, client, terminal).join(""))).toBe(read(message));
        const { description = "", title, enumNames } = schema.properties.decision as Record<string, string>;
        expect(descriptionDrawn(description, terminal)).toBe(description);
        expect(description).toContain(beside.decideBy ?? "");
        expect(enumNames![0]).toContain(beside.host ?? "");
        expect(cut(title!, 26)).toBe(title);
        for (const choice of enumNames!) expect(cut(choice, 44)).toBe(choice);
      }),
      { numRuns: 1_000 },
    );
    expect(asked).toBeGreaterThan(100); // the property is about something
  });

  it("a question about a page: every row, for any text, host and writer", () => {
    fc.assert(
      fc.property(texts, besides, langs, terminals, fc.boolean(), (text, beside, lang, terminal, byAi) => {
        const { author, pageQuestion } = textsOf(lang);
        const message = pageMessage(text, textsOf(lang), beside, byAi ? author.ai : pageQuestion.added(100));
        expect(rowsDrawn(message, terminal, false).join("\n")).toBe(message);
      }),
    );
  });

  it("what is typed into the field, once the person has left it", () => {
    const reached = new Reached();
    fc.assert(
      fc.property(texts, terminals, (text, terminal) => {
        if (!reached.when(isWholeInField(text, shows))) return;
        const columns = terminal - 12 - stringWidth("Your text") - 2;
        const rows = wrapAnsi(text, columns, { hard: true, trim: false }).split("\n").slice(0, shows.fieldRows);
        expect(read(rows.map((row) => cut(row, columns)).join(""))).toBe(read(text));
      }),
    );
    reached.atLeast(20);
  });
});

it("every client in the table is drawn here as it was seen to draw", () => {
  for (const { client } of SEEN_CLIENTS) expect(DRAWN_HERE).toContain(client);
});

/** Rows that real clients drew of these texts, read from their screens. */
describe.each(Object.entries(SEEN.rows))("texts in the form of %s columns", (where, rows) => {
  const [client = "", terminal = ""] = where.split(" ");
  it.each(SEEN.texts.map((text, i) => ({ text, seen: rows[i] ?? 0, i })))(
    "text $i takes no more rows than counted",
    ({ text, seen }) => {
      const { wraps } = geometryOf(client);
      const counted = text.split("\n").reduce((sum, line) => sum + rowsOf(line, Number(terminal) - 4, wraps), 0);
      expect(counted).toBeGreaterThanOrEqual(seen);
    },
  );
});

describe("fitsMessage", () => {
  const fill = (words: string, characters: number) => words.repeat(characters).slice(0, characters);
  it.each([
    ["four rows of one long word", "x".repeat(216), true],
    ["a fifth row", "x".repeat(217), false],
    ["108 Han characters", "需".repeat(108), true],
    ["109 Han characters", "需".repeat(109), false],
    ["191 characters of words, which do not fill their rows", fill("designer wanted ", 191), true],
    ["words that fill their rows badly", `${"x".repeat(40)} `.repeat(5).trim(), false],
    [
      "long words that a wider terminal would move down whole",
      `${"x".repeat(60)} ${"y".repeat(20)} `.repeat(3).trim(),
      false,
    ],
    ["a line break", "a\nb", false],
    ["a line break at the end", "a\n", false],
    ["a carriage return", "a\rb", false],
    ["a tab, which is drawn as a space", "a\tb", false],
    ["a pile of marks on one letter", `a${"\u0301".repeat(4)}`, false],
    ["a family that a terminal may draw as many", "👩\u200D".repeat(113), false],
    ["loose jamo, which look like one cluster", "\u1100".repeat(113), false],
    ["conjuncts, which look like one cluster", "क्ष्".repeat(113), false],
    ["more letters than the rows have columns, whatever width they are said to have", "\u1161".repeat(225), false],
    ["a text of more than four code units for each column", "👨\u200D👩\u200D👧\u200D👦".repeat(82), false],
    ["an empty text", "", true],
  ])("%s", (_, text, shown) => {
    expect(fitsMessage(text, MIN_FORM)).toBe(shown);
  });

  it.each([
    ["invisible characters, which are written out", `a${"\u200B".repeat(40)}b`],
    ["escape sequences, which are written out", `${"\u001B[8m".repeat(30)}hidden`],
    ["line separators, which are written out", `a${"\u2028b".repeat(40)}`],
  ])("%s", (_, text) => {
    expect(fitsMessage(showInvisible(text), MIN_FORM)).toBe(false);
  });

  it("takes its time with nothing", async () => {
    const texts = ["x".repeat(2_000_000), `a${"\u0301".repeat(1_000_000)}`, "👩\u200D".repeat(500_000)];
    const worked = await workOf(() => {
      for (const text of texts) {
        cutToRow(text, 56);
        for (const measure of [fitsMessage, isWholeInField]) measure(text, MIN_FORM);
      }
    });
    expect(worked).toBeLessThan(20_000); // half a second; what goes back over a text takes minutes
  });
});

it("a row is cut where it is longer, and left alone where it is not", () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 8, max: 80 }), (text, columns) => {
      const row = cutToRow(text.replaceAll(/\s/g, " "), columns);
      expect(fitsRow(row, columns)).toBe(true);
      expect(rowsOf(row, columns)).toBe(1);
    }),
  );
});

it("the smallest form is the smallest of all that were seen", () => {
  for (const { form } of SEEN_CLIENTS)
    for (const [key, least] of Object.entries(MIN_FORM))
      if (typeof least === "number") expect(form[key as "messageRows"], key).toBeGreaterThanOrEqual(least);
  expect(MIN_FORM).toMatchObject({ keepsLineBreaks: false, wraps: "anywhere" });
});
