import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { attribute, attributeEdit, segmentsOf, shareOf, tokens, withoutTakenOut } from "../../src/view/authorship.ts";

const text = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc
    .array(fc.constantFrom("we ", "need ", "a ", "designer", ", ", "。", "设计", "师", " ", "\n", "2", "😀"), {
      maxLength: 30,
    })
    .map((parts) => parts.join("")),
);

const textOf = (parts: readonly { text: string }[]): string => parts.map((part) => part.text).join("");

describe("whose words", () => {
  it("loses and adds no character, whatever the texts", () => {
    fc.assert(
      fc.property(text, text, text, (submitted, formulated, edited) => {
        expect(tokens(formulated).join("")).toBe(formulated);
        const passages = attribute(submitted, formulated) ?? [];
        expect(passages.map((passage) => passage.text).join("")).toBe(formulated);
        expect((attributeEdit(passages, edited) ?? []).map((passage) => passage.text).join("")).toBe(edited);
        expect(textOf(withoutTakenOut(segmentsOf(passages, []), []))).toBe(formulated);
      }),
    );
  });

  it("a text that came back unchanged is the person's to the last sign", () => {
    fc.assert(
      fc.property(text, (submitted) => {
        expect((attribute(submitted, submitted) ?? []).every(({ by }) => by === "person")).toBe(true);
      }),
    );
  });

  it.each([
    [
      "a pilot in a hospital, with a designer.",
      "a pilot in a hospital in Hangzhou, with a designer. Remote is fine.",
      ["in Hangzhou", "Remote is fine."],
    ],
    ["寻找一位产品设计师。", "寻找一位有适老化经验的产品设计师。可以远程。", ["有适老化经验的", "可以远程。"]],
  ])("marks what the network added: %s", (submitted, formulated, added) => {
    const passages = attribute(submitted, formulated) ?? [];
    expect(passages.filter(({ by }) => by === "network").map((passage) => passage.text.trim())).toEqual(added);
  });

  it("parts and personal data stay in their order and cover the text", () => {
    fc.assert(
      fc.property(text, text, fc.array(fc.nat(50), { maxLength: 6 }), (submitted, formulated, cuts) => {
        const passages = attribute(submitted, formulated) ?? [];
        const points = [...new Set(cuts)].sort((a, b) => a - b);
        const spans = points.slice(1).map((end, i) => ({ start: points[i] ?? 0, end, kind: "phone" }));
        const segments = segmentsOf(passages, spans);
        expect(segments.map((segment) => segment.text).join("")).toBe(formulated);
        expect(segments.every((segment) => segment.text !== "")).toBe(true);
        expect(shareOf(segments)).toBe(shareOf(passages)); // a telephone number cuts no word in two
      }),
    );
  });
});

const joined = (submitted: string, formulated: string) => {
  const passages = attribute(submitted, formulated) ?? [];
  return passages.filter(({ by }) => by === "network").map(({ text }) => text.trim());
};

it("signs, amounts and pictures that the network added are the network's", () => {
  expect(joined("寻找产品设计伙伴", "寻找产品设计伙伴 🔞💰❌ $$$ ≠ @@@")).toEqual(["🔞💰❌ $$$ ≠ @@@"]);
  expect(joined("Budget 500 a day.", "Budget -500 a day. 👨‍👩‍👧")).toEqual(["-", "👨‍👩‍👧"]);
  expect(joined("Two 👨‍👩‍👧 of us", "Two 👨‍👩‍👧 of us")).toEqual([]);
  expect(joined("Two 👨 of us", "Two 👨‍👩‍👧 of us")).toEqual(["👨‍👩‍👧"]);
  expect(joined("ready", "ready\u{E0041}\uFEFF")).toEqual(["\u{E0041}"]);
  expect(shareOf(attribute("a designer", "a designer 💰") ?? [])).toBe(33);
});

it("a comma, a quotation mark or a dash between the person's words stays theirs", () => {
  expect(joined("a designer two days a week", "“a designer” — two days, a week.")).toEqual([]);
  expect(joined("हिन्दी में", "हिन्दी में।")).toEqual([]);
  expect(joined("设计师 两天", "设计师，两天。")).toEqual([]);
});

it("what the network added is never said to be nothing, however long the text is", () => {
  const own = "A designer for the queues of a hospital. ".repeat(100).trim();
  expect(shareOf(attribute(own, `${own} Remote is fine.`) ?? [])).toBe(1);
  expect(shareOf(attribute(own, own) ?? [])).toBe(0);
});

it("of a long text the person's own words stay theirs, wherever the network added to it", () => {
  const own = "我需要一位懂医院流程的设计师。".repeat(700);
  const half = own.length / 2;
  for (const at of [0, half, own.length]) {
    const passages = attribute(own, `${own.slice(0, at)}Remote is fine.${own.slice(at)}`) ?? [];
    expect(passages.filter(({ by }) => by === "network")).toEqual([{ by: "network", text: "Remote is fine." }]);
  }
  expect(attribute(own, "别的".repeat(4_000))).toBeUndefined();
});

it("thousands of signs in a row are walked through once, not once for each of them", () => {
  const tested = vi.spyOn(RegExp.prototype, "test");
  onTestFinished(() => tested.mockRestore());
  const passages = attribute("!", "?;".repeat(1_900)) ?? [];
  const times = tested.mock.calls.length;
  expect(passages.map(({ text }) => text).join("")).toHaveLength(3_800);
  expect(times).toBeLessThan(4 * 3_800);
});
