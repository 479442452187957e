import { expect, test } from "vitest";
import { findPii } from "../../src/safety/pii/pii.ts";
import { readCorpus, score } from "./marked-corpus.ts";

const CORPUS = readCorpus("pii-corpus.txt");

test("the corpus is large, and half of it is without personal data", () => {
  expect(CORPUS.length).toBeGreaterThanOrEqual(400);
  expect(CORPUS.filter(({ marks }) => marks.length === 0).length).toBeGreaterThanOrEqual(CORPUS.length / 2);
});

test("what is promised is found whole, and little else", () => {
  const { recall, precision, missed, wrong } = score(CORPUS, findPii);
  expect(recall, missed.join("\n")).toBeGreaterThanOrEqual(0.97);
  expect(precision, wrong.join("\n")).toBeGreaterThanOrEqual(0.95);
});
