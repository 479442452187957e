import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeInvisible, isBlank, showInvisible, stripInvisible } from "../../src/safety/invisible.ts";
import { forEachEntry } from "../support/entries.ts";
import { workOf } from "../support/work.ts";

const RANGES: [what: string, from: number, to: number][] = [
  ["C0 controls", 0x00, 0x08],
  ["C0 controls after the tab and the line feed", 0x0b, 0x0c],
  ["more C0 controls", 0x0e, 0x1f],
  ["DEL and the C1 controls", 0x7f, 0x9f],
  ["soft hyphen", 0xad, 0xad],
  ["grapheme joiner", 0x34f, 0x34f],
  ["Arabic letter mark", 0x61c, 0x61c],
  ["Hangul fillers", 0x115f, 0x1160],
  ["Khmer vowels that are not drawn", 0x17b4, 0x17b5],
  ["Mongolian selectors", 0x180b, 0x180f],
  ["zero-width", 0x200b, 0x200f],
  ["separators and bidirectional embedding", 0x2028, 0x202e],
  ["joiners, isolates and deprecated controls", 0x2060, 0x206f],
  ["a Khitan filler", 0x16fe4, 0x16fe4],
  ["a null note head", 0x1d159, 0x1d159],
  ["Hangul filler", 0x3164, 0x3164],
  ["byte order mark", 0xfeff, 0xfeff],
  ["halfwidth filler", 0xffa0, 0xffa0],
  ["interlinear annotation", 0xfff0, 0xfffb],
  ["musical controls", 0x1d173, 0x1d17a],
  ["tags", 0xe0000, 0xe007f],
  ["supplementary variation selectors", 0xe0100, 0xe01ef],
];
const hidden = fc
  .constantFrom(...RANGES)
  .chain(([, from, to]) => fc.integer({ min: from, max: to }).map((code) => String.fromCodePoint(code)));

const PLAIN = [
  "我需要一位懂医院排队系统的产品设计师，预算可以商量。",
  "I need a designer (remote is fine) — budget: €2,000–3,000; naïve café, 50% off!",
  "混排 text，第一行\n第二行\t制表，“引号”……《书名》",
  "const f = (a) => a + `\\u{200B}`; // \\n\n\tif (x < 3 && y > 2) return { a: [1, 2] };",
  "日本語とカタカナ、한국어 문장, Ελληνικά, русский, हिन्दी",
];
const PICTURES = ["👩‍👩‍👧‍👦", "👨🏽‍🚀", "❤️‍🔥", "🏳️‍🌈", "👍🏿", "🇨🇳", "1️⃣", "☎︎", "🙆‍♀️", "👁️‍🗨️"];

/** Everything that can stand in a text, the invisible more often than in life. */
const messy = fc
  .array(
    fc.oneof(
      fc.constantFrom(...PLAIN, ...PICTURES, "a", " ", "\r", "\n", "\uFE0F", "\u200D"),
      hidden,
      fc.string({ unit: "binary" }),
    ),
  )
  .map((parts) => parts.join(""));

describe.each([
  ["showInvisible", showInvisible],
  ["stripInvisible", stripInvisible],
] as const)("%s", (name, clean) => {
  it("is idempotent", () => {
    fc.assert(fc.property(messy, (text) => void expect(clean(clean(text))).toBe(clean(text))));
  });

  it("leaves plain texts and pictures alone", () =>
    forEachEntry([...PLAIN, ...PICTURES], String, (text) => {
      expect(clean(text)).toBe(text);
      expect(clean(`请看 ${text} here`)).toBe(`请看 ${text} here`);
    }));

  it("leaves printable ASCII, Han and emoji alone in any order", () => {
    const ascii = fc.string({ unit: "grapheme-ascii" });
    const han = fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCodePoint(code));
    const parts = fc.array(fc.oneof(ascii, han, fc.constantFrom(...PICTURES, "\n", "\t"))).map((all) => all.join(""));
    const ungapped = parts.filter((text) => !/[\n\t ]{6}/.test(text));
    fc.assert(fc.property(ungapped, (text) => void expect(clean(text)).toBe(text)));
  });

  const holds = (code: number) => {
    const character = String.fromCodePoint(code);
    const cleaned = clean(`ab${character}cd`);
    expect(cleaned).not.toContain(character);
    if (name === "showInvisible" && code !== 0x0d) expect(cleaned).toBe(`ab\\u{${code.toString(16).toUpperCase()}}cd`);
    if (name === "stripInvisible" && code !== 0x0d) expect(cleaned).toBe("abcd");
  };
  it("what is not drawn is never left in a text", () =>
    forEachEntry(
      RANGES,
      ([what]) => what,
      ([, from, to]) =>
        forEachEntry(
          Array.from({ length: to - from + 1 }, (_, i) => from + i),
          (code) => code.toString(16),
          holds,
        ),
    ));

  it("nothing that is not drawn survives anywhere", () => {
    fc.assert(
      fc.property(messy, (text) => {
        const rest = clean(text).replaceAll(/(?<=\p{Extended_Pictographic}\p{M}*\p{Emoji_Modifier}?)\u200D/gu, "");
        expect(rest).not.toMatch(
          /[^\P{Cc}\n\t]|\p{Cf}|[\u2028\u2029\u115F\u1160\u3164\uFFA0\u{1D159}\u{16FE4}]|\u034F|[\u{E0000}-\u{E0FFF}]/u,
        );
      }),
    );
  });

  it("a blank cell of Braille is a space between two cells, and nothing else", () => {
    expect(clean("⠓⠊\u2800⠽⠕⠥")).toBe("⠓⠊\u2800⠽⠕⠥");
    for (const text of ["a\u2800b", "⠓\u2800b", "\u2800", "⠓\u2800\u2800⠊"])
      expect(clean(text)).not.toContain("\u2800");
  });

  it("a joiner counts as a picture only between pictures", () => {
    expect(clean("pay\u200Dload")).not.toContain("\u200D");
    expect(clean("👩\u200Dload")).not.toContain("\u200D");
    expect(clean("load\u200D👩")).not.toContain("\u200D");
  });

  it("data written in variation selectors comes to light", () => {
    const secret = "\uFE01\uFE0A\uFE03\uFE0F";
    expect(clean(`👍${secret}`)).not.toMatch(/[\uFE00-\uFE0F]/);
    expect(clean(`word ${secret}`)).not.toMatch(/[\uFE00-\uFE0F]/);
    expect(clean("☎︎")).toBe("☎︎");
  });

  it("no variation selector survives anywhere but behind an emoji or in a keycap", () => {
    const selector = fc.oneof(
      fc.integer({ min: 0xfe00, max: 0xfe0f }),
      fc.integer({ min: 0xe0100, max: 0xe01ef }),
      fc.constantFrom(0xfe0e, 0xfe0f),
    );
    const base = fc.oneof(
      fc.constantFrom("", "a", "e\u0301", "中", "葛", "1", "#", "\u20E3", "👍", "❤", "👍🏿", "🇨🇳", "\u200D", " ", "\n"),
      fc.string({ unit: "binary", maxLength: 2 }),
    );
    const pair = fc.tuple(base, fc.array(selector, { maxLength: 3 }));
    fc.assert(
      fc.property(fc.array(pair), (pairs) => {
        const text = pairs.map(([before, codes]) => before + String.fromCodePoint(...codes)).join("");
        const rest = clean(text).replaceAll(
          /(?<=[\p{Emoji}&&\p{Extended_Pictographic}])[\uFE0E\uFE0F]|(?<=[0-9#*])[\uFE0E\uFE0F](?=\u20E3)/gv,
          "",
        );
        expect(rest).not.toMatch(/[\uFE00-\uFE0F]|[\u{E0100}-\u{E01EF}]/u);
      }),
    );
  });

  const BASES = ["a", "中", "葛", "е", "1", "#", "\u20E3", "🇨", "é"];
  it("a byte behind each letter of a text is seen", () =>
    forEachEntry(BASES, JSON.stringify, (base) => {
      const plain = base.repeat(20);
      const carries = [...plain].map(
        (c, i) => c + String.fromCodePoint(i % 2 === 0 ? 0xfe0e + ((i / 2) % 2) : 0xfe00 + (i >> 1)),
      );
      const cleaned = clean(carries.join(""));
      expect(cleaned).not.toMatch(/[\uFE00-\uFE0F]/);
      if (name === "stripInvisible") expect(cleaned).toBe(plain);
    }));

  it("line ends become line feeds", () => {
    expect(clean("a\r\nb\rc\nd")).toBe("a\nb\nc\nd");
  });
});

it.each([
  ["an object's place", "\uFFFC"],
  ["a hole among the Hebrew letters, which a font draws as nothing", "\uFB37"],
  ["a noncharacter", "\uFDD0"],
  ["the last of a plane", "\uFFFF"],
  ["the last of all", "\u{10FFFF}"],
  ["half of a surrogate pair", "\uD83C"],
])("%s leaves no ink: it is shown where a text is decided on, and stays elsewhere", (_, character) => {
  const code = character.codePointAt(0)?.toString(16).toUpperCase();
  expect(showInvisible(`1${character}000`)).toBe(`1\\u{${code}}000`);
  expect(stripInvisible(`1${character}000`)).toBe(`1${character}000`);
  expect(isBlank(` ${character} `)).toBe(true);
});

describe("a long run of blanks", () => {
  it.each([
    ["line feeds", "\n".repeat(3_000), "\n↵ × 3000\n"],
    ["line ends of Windows", "\r\n".repeat(20), "\n↵ × 20\n"],
    ["no-break spaces", "\u00A0".repeat(9_000), " \\u{A0} × 9000 "],
    ["wide spaces and line feeds", "\u3000\n".repeat(600), "\n\\u{3000} × 600 ↵ × 600\n"],
    ["spaces and tabs", " \t".repeat(50), " ␣ × 50 ⇥ × 50 "],
    ["other spaces", "\u2003\u202F\u205F".repeat(30), " \\u{2003} × 30 \\u{202F} × 30 \\u{205F} × 30 "],
  ])("of %s is written out where a text is shown, and nowhere else", (_, run, shown) => {
    const text = `A designer.${run}I pay 50000.`;
    expect(showInvisible(text)).toBe(`A designer.${shown}I pay 50000.`);
    expect(stripInvisible(text)).toBe(text.replaceAll("\r\n", "\n"));
    expect(escapeInvisible(text)).toBe(text.replaceAll("\r\n", "\n"));
  });

  it("of a text as people write it stays", () => {
    for (const run of ["\n\n\n", "\n".repeat(5), " ".repeat(40), `\n${"\t".repeat(12)}`])
      expect(showInvisible(`A designer.${run}Soon.`)).toBe(`A designer.${run}Soon.`);
  });
});

it("long texts are cleaned in time", async () => {
  const text = "👩\u200D".repeat(20_000) + "\uFE0F".repeat(100_000) + "a\u0301".repeat(50_000);
  const worked = await workOf(() => {
    showInvisible(text);
    stripInvisible(text);
  });
  expect(worked).toBeLessThan(20_000); // milliseconds; what goes back over a text takes minutes
});
