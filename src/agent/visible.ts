/**
 * Characters that a reader does not see: controls, format characters (bidirectional, zero-width, tags), line and
 * paragraph separators, fillers and supplementary variation selectors. Line feed and tab are ordinary text.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u115F\u1160\u3164\uFFA0]|[\u{E0100}-\u{E01EF}]/gu;
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

/** The text without its invisible characters. */
export const stripInvisible = (text: string): string => replaceInvisible(text, () => "");
