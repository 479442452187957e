import { type ChangeObject, diffWordsWithSpace } from "diff";

export interface Piece {
  text: string;
  change: "same" | "added" | "removed";
}

/** Of both texts together, in UTF-16 units. */
const MAX_COMPARED_LENGTH = 20_000;
/** Words that differ: beyond this the marks would show another text and no edit. */
const MAX_CHANGES = 600;

/**
 * What an edit changes, word by word; Chinese is cut into words by the platform's own segmenter. Undefined for texts
 * that are too long, or too different, to be compared. Others have their turn after each change that is looked for.
 */
export async function differences(original: string, edited: string, lang: string): Promise<Piece[] | undefined> {
  if (original.length + edited.length > MAX_COMPARED_LENGTH) return undefined;
  const intlSegmenter = new Intl.Segmenter(lang, { granularity: "word" });
  const changes = await new Promise<ChangeObject<string>[] | undefined>((resolve) => {
    diffWordsWithSpace(original, edited, { intlSegmenter, maxEditLength: MAX_CHANGES, callback: resolve });
  });
  return changes?.map(({ value, added, removed }) => ({
    text: value,
    change: added ? "added" : removed ? "removed" : "same",
  }));
}

/** An edit in plain text, as `git diff --word-diff` marks it; undefined where `differences` is. */
export async function markedDifference(original: string, edited: string, lang: string): Promise<string | undefined> {
  const pieces = await differences(original, edited, lang);
  const marks = { same: ["", ""], removed: ["[-", "-]"], added: ["{+", "+}"] } as const;
  return pieces?.map(({ text, change }) => marks[change].join(text)).join("");
}
