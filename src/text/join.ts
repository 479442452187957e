/** Chinese punctuation brings its own space. */
const ENDS_WIDE = /[。！？；：，、）」』”]$/u;

/** Items of a list inside a sentence. */
export const joinList = (items: readonly string[], lang: "zh" | "en"): string =>
  items.join(lang === "zh" ? "、" : ", ");

/** A command stands without a full stop, so that it can be copied: what follows it begins a line. */
const ENDS = /[.!?…:;,)\]}"'”’》〉]$/u;

/** Sentences one after the other, as their language sets them; what is undefined or empty is left out. */
export const joinSentences = (sentences: readonly (string | undefined)[]): string =>
  sentences
    .filter((sentence) => sentence !== undefined && sentence !== "")
    .reduce((text: string, sentence) => text + gapAfter(text) + sentence, "");

const gapAfter = (text: string): string => (text === "" || ENDS_WIDE.test(text) ? "" : ENDS.test(text) ? " " : "\n");

/** Lines one below the other; what is undefined is left out. */
export const joinLines = (lines: readonly (string | undefined)[]): string =>
  lines.filter((line) => line !== undefined).join("\n");
