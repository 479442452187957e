import { remembering } from "../remember.ts";

/** Finds which words two texts share. It compares letters, not meaning, so its results are called "named" and never "can". */

/** Words that name nothing. */
const EMPTY = new Set(
  "a an and as at by for from i in is it me my of on or our that the to we who with you your".split(" "),
);
const WORD = /[\p{L}\p{N}+#]+/gu;
const HAN = /\p{Script=Han}/u;
const HAN_RUN = /\p{Script=Han}+|[^\p{Script=Han}]+/gu;
/** The least length of a stem: "design" names "designer". */
const STEM_LENGTH = 4;
const MAX_WORD_LENGTH = 24;
/** More than this share of a need must be named. */
const SHARE = 0.5;
const MAX_LENGTH = 8_000;

export interface Words {
  all: ReadonlySet<string>;
  /** The beginnings of the words. */
  stems: ReadonlySet<string>;
}

export const plain = remembering(
  (text) => text.slice(0, MAX_LENGTH).normalize("NFKC").toLowerCase().trim(),
  8_000,
  200,
);

/** Returns the words of a text. Chinese is split into pairs of characters, which needs no dictionary. */
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

/** Returns whether a text names most of what is needed. */
export function names(text: Words, need: Words): boolean {
  if (need.all.size === 0) return false;
  let found = 0;
  for (const word of need.all) if (holds(text, word)) found++;
  return found / need.all.size > SHARE;
}

const holds = ({ all, stems }: Words, word: string): boolean =>
  all.has(word) || stems.has(word) || stemsOf(word).some((stem) => all.has(stem));
