import { diffWordsWithSpace } from "diff";

export interface Piece {
  text: string;
  change: "same" | "added" | "removed";
}

/** What an edit changes, word by word; Chinese is cut into words by the platform's own segmenter. */
export function differences(original: string, edited: string, lang: string): Piece[] {
  const intlSegmenter = new Intl.Segmenter(lang, { granularity: "word" });
  return diffWordsWithSpace(original, edited, { intlSegmenter }).map(({ value, added, removed }) => ({
    text: value,
    change: added ? "added" : removed ? "removed" : "same",
  }));
}
