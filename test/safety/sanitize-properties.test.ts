import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { sanitizeLine } from "../../src/safety/sanitize/foreign.ts";
import { countGraphemes } from "../../src/safety/sanitize/length.ts";
import {
  MAX_DEPTH,
  MAX_LINE_LENGTH,
  SANITIZE_DEFAULTS,
  UNITS_PER_GRAPHEME,
} from "../../src/safety/sanitize/options.ts";
import { sanitizeAny } from "../support/sanitize-any.ts";
import { HARMLESS, HOSTILE } from "./hostile-corpus.ts";

const BITS = [
  "<a ",
  "](",
  "http://",
  "token=",
  "1381234",
  "5678",
  "@b.cn",
  "\u001B[",
  "\u200D",
  "\u0301",
  "👩",
  "…",
  "\n",
  " ",
  "[",
  "微信：",
  "data:",
];
const piece = fc.oneof(
  fc.constantFrom(...HOSTILE.map((h) => h.text.slice(0, 400)), ...HARMLESS, ...BITS),
  fc.string({ unit: "binary", maxLength: 20 }),
  // Half surrogates: what JSON may hold and Unicode may not.
  fc
    .array(
      fc.integer({ min: 0xd7f0, max: 0xe010 }).map((c) => String.fromCharCode(c)),
      { maxLength: 4 },
    )
    .map((c) => c.join("")),
);
const text = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(""));
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { depthSize: "small" },
    text,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie("list"),
    tie("record"),
  ),
  list: fc.array(tie("json"), { maxLength: 6 }),
  record: fc.dictionary(text, tie("json"), { maxKeys: 6 }),
}));
const options = fc.record({
  limits: fc.record({
    offerChars: fc.integer({ min: 1, max: 300 }),
    planChars: fc.integer({ min: 1, max: 300 }),
    nameChars: fc.integer({ min: 8, max: 80 }),
  }),
  redactPii: fc.boolean(),
});
const RUNS = { numRuns: 1_000 };

describe("any JSON", () => {
  test("is never thrown at, and comes out the same the second time", () => {
    fc.assert(
      fc.property(json, options, (value, given) => {
        const once = sanitizeAny(value, given).value;
        expect(sanitizeAny(once, given).value).toEqual(once);
      }),
      RUNS,
    );
  });

  test("never outgrows its limit, however many strings it is spread over", () => {
    fc.assert(
      fc.property(json, options, (value, given) => {
        const { offerChars } = given.limits;
        const graphemes = strings(sanitizeAny(value, given).value).map(countGraphemes);
        expect(graphemes.reduce((sum, n) => sum + n, 0)).toBeLessThanOrEqual(offerChars);
      }),
      RUNS,
    );
  });

  test("nested 100,000 deep is cut where no offer goes", () => {
    let value: unknown = "bottom";
    for (let n = 0; n < 100_000; n++) value = n % 2 ? [value] : { a: value };
    const { value: cut, meta } = sanitizeAny(value, SANITIZE_DEFAULTS);
    expect(meta.truncated).toBe(true);
    expect(JSON.stringify(cut).length).toBeLessThan(MAX_DEPTH * 10);
  });

  test("what is as deep as may be stands whole, and one level more is cut there", () => {
    const nested = (levels: number, bottom: unknown) =>
      Array.from({ length: levels }).reduce<unknown>((inner) => [inner], bottom);
    const whole = sanitizeAny(nested(MAX_DEPTH, "bottom"), SANITIZE_DEFAULTS);
    expect(JSON.stringify(whole.value)).toBe(JSON.stringify(nested(MAX_DEPTH, "bottom")));
    const cut = sanitizeAny(nested(MAX_DEPTH + 1, "bottom"), SANITIZE_DEFAULTS);
    expect(JSON.stringify(cut.value)).toBe(JSON.stringify(nested(MAX_DEPTH, "…")));
    expect([whole.meta.truncated, cut.meta.truncated]).toEqual([undefined, true]);
  });

  test("and what is no JSON becomes null, also where it holds itself", () => {
    const loop: Record<string, unknown> = { f: () => 1, u: undefined, b: 1n };
    loop.self = loop;
    expect(sanitizeAny(loop, SANITIZE_DEFAULTS).value).toMatchObject({ f: null, u: null, b: null });
  });
});

const strings = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  return value !== null && typeof value === "object" ? Object.values(value).flatMap(strings) : [];
};

describe("any text", () => {
  test("stays within its limit in graphemes, in units, and in the length of a line", () => {
    fc.assert(
      fc.property(text, options, (given, o) => {
        const out = sanitizeAny(given, o).value as string;
        expect(countGraphemes(out)).toBeLessThanOrEqual(o.limits.offerChars);
        expect(out.length).toBeLessThanOrEqual(o.limits.offerChars * UNITS_PER_GRAPHEME);
        expect(out.isWellFormed()).toBe(true);
      }),
      RUNS,
    );
  });

  test("as a name is one line of at most its columns, and comes out the same the second time", () => {
    fc.assert(
      fc.property(text, options, (given, o) => {
        const { value } = sanitizeLine(given, o);
        expect(value).not.toMatch(/[\n\r\t]/);
        expect(stringWidth(value)).toBeLessThanOrEqual(o.limits.nameChars);
        expect(sanitizeLine(value, o).value).toBe(value);
      }),
      RUNS,
    );
  });

  test("made of harmless samples only is not altered", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...HARMLESS), { maxLength: 8 }), (parts) => {
        const given = parts.join("\n\n");
        expect(sanitizeAny(given, SANITIZE_DEFAULTS)).toEqual({ value: given, warnings: [], meta: {} });
      }),
    );
  });
});

describe("lengths", () => {
  test("an offer ends at 4,000 graphemes, never inside one", () => {
    const { value, warnings, meta } = sanitizeAny("👩‍💻".repeat(500) + "字".repeat(4_500), SANITIZE_DEFAULTS);
    expect(countGraphemes(value as string)).toBe(4_000);
    // Four thousand less the ellipsis and the breaks of long lines, which are part of the length.
    expect(/^(?:👩‍💻){500}字{3400,}…$/u.test((value as string).replaceAll("\n", ""))).toBe(true);
    expect({ warnings, meta }).toEqual({ warnings: ["truncated_output"], meta: { truncated: true } });
  });

  test.each([
    ["jamo", "\u1100"],
    ["joined emoji", "👩\u200D"],
  ])("a single grapheme of any length (%s) is cut too", (_, unit) => {
    const { value, meta } = sanitizeAny(unit.repeat(100_000), SANITIZE_DEFAULTS);
    expect((value as string).length).toBeLessThanOrEqual(SANITIZE_DEFAULTS.limits.offerChars * UNITS_PER_GRAPHEME);
    expect(meta).toEqual({ truncated: true });
    expect(sanitizeAny(`x${unit.repeat(100_000)}`, SANITIZE_DEFAULTS).value).toMatch(/^x[\s\S]*…$/);
  });

  test("what is empty has a length as well", () => {
    const { value } = sanitizeAny(new Array(100_000).fill([]), SANITIZE_DEFAULTS);
    expect((value as unknown[]).length).toBeLessThanOrEqual(2_000);
  });

  test("exactly the limit is not cut", () => {
    const lines = `${"字".repeat(99)}\n`.repeat(40);
    expect(sanitizeAny(lines, SANITIZE_DEFAULTS)).toEqual({ value: lines, warnings: [], meta: {} });
  });

  test("a cut does not make a telephone number of a longer one", () => {
    const limits = { ...SANITIZE_DEFAULTS.limits, offerChars: 12 };
    expect(sanitizeAny("138123456789999999", { limits, redactPii: true }).value).not.toContain("13812345678");
  });

  test("long lines are broken at a space where there is one", () => {
    const value = sanitizeAny("a word ".repeat(500), SANITIZE_DEFAULTS).value as string;
    expect(value.replaceAll("\n", "")).toBe("a word ".repeat(500));
    expect(value.split("\n").every((line) => line.length <= MAX_LINE_LENGTH && line.endsWith(" "))).toBe(true);
    const solid = sanitizeAny("字".repeat(3_900), SANITIZE_DEFAULTS).value as string;
    expect(solid.split("\n").map((line) => line.length)).toEqual([2_000, 1_900]);
  });

  test("a name is cut by columns", () => {
    expect(sanitizeLine("通爻".repeat(50), SANITIZE_DEFAULTS).value).toBe(`${"通爻".repeat(19)}通…`);
    expect(sanitizeLine(" two\n lines\t", SANITIZE_DEFAULTS).value).toBe("two lines");
  });
});

test("found by the fuzzer: what is cut off below a secret's key reads as a secret at once, so that twice changes nothing", () => {
  let deep: unknown = 1;
  for (let level = 0; level < MAX_DEPTH + 8; level++) deep = [deep];
  const once = sanitizeAny({ api_token: deep }, SANITIZE_DEFAULTS).value;
  expect(sanitizeAny(once, SANITIZE_DEFAULTS).value).toEqual(once);
});
