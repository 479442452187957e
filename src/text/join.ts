/** Punctuation that brings its own space, as in Chinese. */
const ENDS_WIDE = /[。！？；：，、）」』”]$/u;

/** Returns what stands between the items of a list. */
export const betweenItems = (lang: "zh" | "en"): string => (lang === "zh" ? "、" : ", ");

/** Joins items to a list inside a sentence. */
export const joinList = (items: readonly string[], lang: "zh" | "en"): string => items.join(betweenItems(lang));

/**
 * The ends after which a sentence may follow on the same line. A command has no full stop, so that it can be copied,
 * and what follows it begins a new line.
 */
const ENDS = /[.!?…:;,)\]}"'”’》〉]$/u;

/** Joins sentences as their language sets them. Undefined and empty ones are left out. */
export const joinSentences = (sentences: readonly (string | undefined)[]): string =>
  sentences
    .filter((sentence) => sentence !== undefined && sentence !== "")
    .reduce((text: string, sentence) => text + gapAfter(text) + sentence, "");

const gapAfter = (text: string): string => (text === "" || ENDS_WIDE.test(text) ? "" : ENDS.test(text) ? " " : "\n");

/** Joins lines, without the undefined ones. */
export const joinLines = (lines: readonly (string | undefined)[]): string =>
  lines.filter((line) => line !== undefined).join("\n");
