import { diffWordsWithSpace } from "diff";

export interface Piece {
  text: string;
  change: "same" | "added" | "removed";
}

/** Of both texts together, in UTF-16 units. */
const LONGEST_COMPARED = 20_000;
/** Words that differ: beyond this the marks would show another text and no edit. */
const MOST_CHANGES = 600;
const TIMEOUT_MS = 50;

/**
 * What an edit changes, word by word; Chinese is cut into words by the platform's own segmenter. Undefined for texts
 * that are too long, or too different, to be compared while others wait.
 */
export function differences(original: string, edited: string, lang: string): Piece[] | undefined {
  if (original.length + edited.length > LONGEST_COMPARED) return undefined;
  const intlSegmenter = new Intl.Segmenter(lang, { granularity: "word" });
  const options = { intlSegmenter, maxEditLength: MOST_CHANGES, timeout: TIMEOUT_MS };
  return diffWordsWithSpace(original, edited, options)?.map(({ value, added, removed }) => ({
    text: value,
    change: added ? "added" : removed ? "removed" : "same",
  }));
}
