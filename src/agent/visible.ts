/**
 * Characters that a reader does not see: controls, format characters (bidirectional, zero-width, tags), line and
 * paragraph separators, and all else that a renderer leaves out (fillers, joiners, variation selectors). Line feed and
 * tab are ordinary text, and so is the first variation selector after something that is seen.
 */
const INVISIBLE = /(?![\uFE00-\uFE0F])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]|(?<![^\p{C}\p{Z}\p{DI}])[\uFE00-\uFE0F]/gu;
/** A joiner inside an emoji is part of the picture. */
const JOINS_EMOJI = /^\p{Extended_Pictographic}/u;
const ENDS_EMOJI = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)$/u;

function replaceInvisible(text: string, replacement: (character: string) => string): string {
  return text.replace(INVISIBLE, (character, offset: number) => {
    if (character === "\n" || character === "\t") return character;
    if (character === "\r") return text[offset + 1] === "\n" ? "" : "\n";
    const before = text.slice(Math.max(0, offset - 2), offset);
    if (character === "\u200D" && ENDS_EMOJI.test(before) && JOINS_EMOJI.test(text.slice(offset + 1, offset + 3)))
      return character;
    return replacement(character);
  });
}

/** The text with every invisible character written out as `\u{…}`: what is asked about must be seen (contract §6). */
export const showInvisible = (text: string): string =>
  replaceInvisible(text, (c) => `\\u{${c.codePointAt(0)?.toString(16).toUpperCase()}}`);

/** What is left may meet and become invisible again; a text that goes on so is made to. */
const MOST_ROUNDS = 4;

/** The text without its invisible characters. */
export function stripInvisible(text: string): string {
  let before = text;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const after = replaceInvisible(before, () => "");
    if (after === before) return after;
    before = after;
  }
  return before.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}]/gu, "");
}
