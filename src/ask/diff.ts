import { piecesBetween } from "../view/aligned.ts";

/** Words that differ: beyond this the marks would show another text and no edit. */
const MAX_CHANGES = 600;

/**
 * An edit in plain text, word by word, as `git diff --word-diff` marks it; Chinese is cut into words by the platform's
 * own segmenter. Undefined for texts that are too long, or too different, to be compared.
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
