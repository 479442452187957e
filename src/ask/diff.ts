import { piecesBetween } from "../view/aligned.ts";

/** Beyond this many different words the marks would show another text instead of an edit. */
const MAX_CHANGES = 600;

/**
 * Marks an edit in plain text, word by word, as `git diff --word-diff` does. The platform's segmenter cuts Chinese
 * into words. Returns undefined for texts that are too long or too different to compare.
 */
export function markedDifference(original: string, edited: string, lang: string): string | undefined {
  const segmenter = new Intl.Segmenter(lang, { granularity: "word" });
  const wordsOf = (text: string) => Array.from(segmenter.segment(text), ({ segment }) => segment);
  const pieces = piecesBetween(wordsOf(original), wordsOf(edited));
  const changes = pieces?.filter(({ change }) => change !== "same").flatMap(({ text }) => wordsOf(text)) ?? [];
  if (changes.length > MAX_CHANGES) return undefined;
  const marks = { same: ["", ""], removed: ["[-", "-]"], added: ["{+", "+}"] } as const;
  return pieces?.map(({ text, change }) => marks[change].join(text)).join("");
}
