import { remembering } from "../remember.ts";

/**
 * This file finds which words two texts share. Letters are compared and not meaning, so a match only shows that a
 * text names something, never that its author can do it.
 */

/** Words that are ignored, because they name nothing. */
const EMPTY = new Set(
  "a an and as at by for from i in is it me my of on or our that the to we who with you your".split(" "),
);
const WORD = /[\p{L}\p{N}+#]+/gu;
const HAN = /\p{Script=Han}/u;
const HAN_RUN = /\p{Script=Han}+|[^\p{Script=Han}]+/gu;
/** The length of the shortest stem, the beginning of a word. By their stems, "design" and "designer" match. */
const STEM_LENGTH = 4;
const MAX_WORD_LENGTH = 24;
/** A text names a need if it has more than this share of the need's words. */
const SHARE = 0.5;
const MAX_LENGTH = 8_000;

export interface Words {
  all: ReadonlySet<string>;
  /** The beginnings of the words, from four letters on. */
  stems: ReadonlySet<string>;
}

/**
 * Returns the beginning of a text in the form in which texts are compared, without regard to case and to full-width
 * letters.
 */
export const plain = remembering(
  (text) => text.slice(0, MAX_LENGTH).normalize("NFKC").toLowerCase().trim(),
  8_000,
  200,
);

/**
 * Returns the words of a text. Chinese is split into overlapping pairs of characters, because splitting it into words
 * would need a dictionary.
 */
export function wordsOf(text: string): Words {
  const all = new Set<string>();
  const stems = new Set<string>();
  for (const [word] of plain(text).matchAll(WORD))
    for (const [run] of word.matchAll(HAN_RUN)) {
      if (HAN.test(run)) addPairs(run, all);
      else if (!EMPTY.has(run)) {
        all.add(run.slice(0, MAX_WORD_LENGTH));
        for (const stem of stemsOf(run)) stems.add(stem);
      }
    }
  return { all, stems };
}

function addPairs(run: string, words: Set<string>): void {
  const characters = [...run];
  if (characters.length === 1) words.add(run);
  for (let at = 0; at + 1 < characters.length; at++) words.add(`${characters[at]}${characters[at + 1]}`);
}

function stemsOf(word: string): string[] {
  const stems: string[] = [];
  for (let end = STEM_LENGTH; end < Math.min(word.length, MAX_WORD_LENGTH); end++) stems.push(word.slice(0, end));
  return stems;
}

/** Returns whether a text has most of the words of a need. */
export function names(text: Words, need: Words): boolean {
  if (need.all.size === 0) return false;
  let found = 0;
  for (const word of need.all) if (holds(text, word)) found++;
  return found / need.all.size > SHARE;
}

const holds = ({ all, stems }: Words, word: string): boolean =>
  all.has(word) || stems.has(word) || stemsOf(word).some((stem) => all.has(stem));
