/** Chinese punctuation brings its own space. */
const ENDS_WIDE = /[。！？；：，、）」』”]$/u;

/** Items of a list inside a sentence. */
export const joinList = (items: readonly string[], lang: "zh" | "en"): string =>
  items.join(lang === "zh" ? "、" : ", ");

/** Sentences one after the other, as their language sets them; what is undefined or empty is left out. */
export const joinSentences = (sentences: readonly (string | undefined)[]): string =>
  sentences
    .filter((sentence) => sentence !== undefined && sentence !== "")
    .reduce((text: string, sentence) => (text === "" || ENDS_WIDE.test(text) ? text : `${text} `) + sentence, "");

/** Lines one below the other; what is undefined is left out. */
export const joinLines = (lines: readonly (string | undefined)[]): string =>
  lines.filter((line) => line !== undefined).join("\n");
