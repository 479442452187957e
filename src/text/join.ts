/** Matches punctuation that includes its own space, as in Chinese. */
const ENDS_WIDE = /[。！？；：，、）」』”]$/u;

/** Returns the separator between the items of a list. */
export const betweenItems = (lang: "zh" | "en"): string => (lang === "zh" ? "、" : ", ");

/** Joins items to a list inside a sentence. */
export const joinList = (items: readonly string[], lang: "zh" | "en"): string => items.join(betweenItems(lang));

/**
 * Matches an ending after which another sentence may follow on the same line. A command ends in no full stop, so that
 * it can be copied, and a sentence after it begins a new line.
 */
const ENDS = /[.!?…:;,)\]}"'”’》〉]$/u;

/** Joins sentences with the spacing of their language. Undefined and empty sentences are left out. */
export const joinSentences = (sentences: readonly (string | undefined)[]): string =>
  sentences
    .filter((sentence) => sentence !== undefined && sentence !== "")
    .reduce((text: string, sentence) => text + gapAfter(text) + sentence, "");

const gapAfter = (text: string): string => (text === "" || ENDS_WIDE.test(text) ? "" : ENDS.test(text) ? " " : "\n");

/** Joins lines, and leaves out the undefined ones. */
export const joinLines = (lines: readonly (string | undefined)[]): string =>
  lines.filter((line) => line !== undefined).join("\n");
