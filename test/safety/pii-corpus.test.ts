import { describe, expect, test } from "vitest";
import { findPii, maskPii } from "../../src/safety/pii/pii.ts";
import { readCorpus, score } from "./marked-corpus.ts";

const CORPORA = [
  { name: "pii-corpus.txt", lines: 400 },
  { name: "pii-held-out.txt", lines: 100 },
  { name: "pii-blind.txt", lines: 400 },
  { name: "pii-fresh.txt", lines: 100 },
  { name: "pii-third.txt", lines: 420 },
  { name: "pii-fourth.txt", lines: 120 },
  { name: "pii-fifth.txt", lines: 120 },
  { name: "pii-sixth.txt", lines: 120 },
  { name: "pii-seventh.txt", lines: 439 },
  { name: "pii-eighth.txt", lines: 440 },
].map(({ name, lines }) => ({ name, lines, corpus: readCorpus(name) }));

describe.each(CORPORA)("$name", ({ lines, corpus }) => {
  test("is large, and about half of it is without personal data", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(lines);
    const clean = corpus.filter(({ marks }) => marks.length === 0).length / corpus.length;
    expect(clean).toBeGreaterThan(0.48);
    expect(clean).toBeLessThan(0.55);
  });

  test("what is promised is found whole, and little else", () => {
    const { recall, precision, missed, wrong } = score(corpus, findPii);
    expect(recall, missed.join("\n")).toBeGreaterThanOrEqual(0.97);
    expect(precision, wrong.join("\n")).toBeGreaterThanOrEqual(0.95);
  });

  test("the same is found when all lines stand in one text", () => {
    const found = (text: string) => findPii(text).map(({ kind, start, end }) => `${kind}: ${text.slice(start, end)}`);
    const texts = corpus.map(({ text }) => text);
    expect(found(texts.join("\n"))).toEqual(texts.flatMap(found));
  });

  test("what is masked stays as it is when it is read again", () => {
    for (const { text } of corpus) expect(maskPii(maskPii(text))).toBe(maskPii(text));
  });
});
