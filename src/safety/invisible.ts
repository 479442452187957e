import { NO_INK } from "../ink.ts";
import { remembering } from "../remember.ts";

/**
 * Matches characters that a reader does not see: controls, format characters (bidirectional, zero-width, tags), line
 * and paragraph separators, everything else that a renderer leaves out (fillers, joiners, variation selectors), and
 * everything that it draws as nothing (a blank cell of Braille, a null note head, a Khitan filler). Line feed and tab
 * are ordinary text.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u2800\u{1D159}\u{16FE4}]/gu;
/**
 * Matches the same characters and all others that show nothing, such as half of a surrogate pair or a character
 * without ink. Such characters are written out and never removed.
 */
const UNSEEN = new RegExp(`[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{DI}${NO_INK}]`, "gu");
/** The blank cell of Braille. Between two other cells of Braille it is the space of that script. */
const BRAILLE_BLANK = "\u2800";
const isBraille = (character = ""): boolean => /^[\u2801-\u28FF]$/.test(character);
/** Matches what may follow a joiner in an emoji. Such a joiner stays, because it is part of the picture. */
const JOINS_EMOJI = /^\p{Extended_Pictographic}/u;
const ENDS_EMOJI = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\p{Emoji}&&\p{Extended_Pictographic}]\uFE0F)$/v;
/**
 * Matches a character that U+FE0E and U+FE0F turn into a letter or a picture. After any other character, such a
 * selector could carry hidden data.
 */
const HAS_PRESENTATIONS = /[\p{Emoji}&&\p{Extended_Pictographic}]$/v;
/**
 * Matches the base of a keycap such as 1️⃣. A selector after the base stays only if the enclosing keycap follows,
 * because a row of digits with selectors could carry hidden data.
 */
const KEYCAP_BASE = /[0-9#*]$/;
const KEYCAP = "\u20E3";

const choosesPresentation = (selector: string, before: string, after: string | undefined): boolean =>
  (selector === "\uFE0E" || selector === "\uFE0F") &&
  (HAS_PRESENTATIONS.test(before) || (KEYCAP_BASE.test(before) && after === KEYCAP));

function replaceInvisible(text: string, which: RegExp, replacement: (character: string) => string): string {
  return text.replace(which, (character, offset: number) => {
    if (character === "\n" || character === "\t") return character;
    if (character === "\r") return text[offset + 1] === "\n" ? "" : "\n";
    if (character === BRAILLE_BLANK && isBraille(text[offset - 1]) && isBraille(text[offset + 1])) return character;
    const before = text.slice(Math.max(0, offset - 3), offset);
    if (character === "\u200D" && ENDS_EMOJI.test(before) && JOINS_EMOJI.test(text.slice(offset + 1, offset + 3)))
      return character;
    if (choosesPresentation(character, before, text[offset + character.length])) return character;
    return replacement(character);
  });
}

const escaped = (c: string): string => `\\u{${c.codePointAt(0)?.toString(16).toUpperCase()}}`;

/**
 * Returns the text with every invisible character written out as `\u{…}`. Blanks stay as they are, because the text
 * may already be laid out.
 */
export const escapeInvisible = remembering((text) => replaceInvisible(text, UNSEEN, escaped), 20, 10_000);

/**
 * The maximum number of blanks in a row that stay. `MOST_LINES` is the maximum number of line breaks among them.
 * After a longer gap nobody expects more text.
 */
const MOST_BLANKS = 40;
const MOST_LINES = 5;
const BLANKS = /[\n\t\p{Zs}]{6,}/gu;
const BLANK_SIGNS: Readonly<Record<string, string>> = { "\n": "↵", "\t": "⇥", " ": "␣" };

/** Returns a long run of blanks as the number of blanks of each kind, such as `↵ × 3000`. A shorter run stays. */
function writtenOut(run: string): string {
  const counts = new Map<string, number>();
  for (const blank of run) counts.set(blank, (counts.get(blank) ?? 0) + 1);
  const lines = counts.get("\n") ?? 0;
  if (run.length <= MOST_BLANKS && lines <= MOST_LINES) return run;
  const around = lines > 0 ? "\n" : " ";
  const each = [...counts].map(([blank, count]) => `${BLANK_SIGNS[blank] ?? escaped(blank)} × ${count}`);
  return `${around}${each.join(" ")}${around}`;
}

/**
 * Returns the text with every invisible character written out as `\u{…}`, and every long run of blanks as their
 * number. A person must see everything that they are asked about (contract §6).
 */
export const showInvisible = (text: string): string => escapeInvisible(text).replace(BLANKS, writtenOut);

/**
 * The maximum number of passes over a text. Removing a character can bring together others that are only then
 * invisible, and only a hostile text needs more passes.
 */
const MAX_ROUNDS = 4;

/**
 * Returns the text without its invisible characters. A blank cell of Braille becomes a space, because it is as wide
 * as a letter.
 */
export function stripInvisible(text: string): string {
  let before = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const after = replaceInvisible(before, INVISIBLE, (c) => (c === BRAILLE_BLANK ? " " : ""));
    if (after === before) return after;
    before = after;
  }
  return before.replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\u{1D159}\u{16FE4}]/gu, "");
}

/** Returns JSON with every invisible character in its strings written as JSON's own escape. */
export const invisibleAsJson = (json: string): string =>
  replaceInvisible(json, UNSEEN, (c) =>
    Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );

/**
 * Matches characters without any visible width. Soft hyphens and line separators are not among them, because they
 * show at a line break.
 */
const WITHOUT_WIDTH = new RegExp(`(?![\\n\\t\\r\\u00AD\\u2028\\u2029\\u2800])[\\p{Cc}\\p{Cf}\\p{DI}${NO_INK}]`, "gu");

/**
 * Returns the text as a reader sees it, for a search that must not change the text. `offsetOf` maps an offset in the
 * seen text to the offset in the given text, in UTF-16 units.
 */
export function seenText(text: string): { seen: string; offsetOf: (at: number) => number } {
  if (text.search(WITHOUT_WIDTH) < 0) return { seen: text, offsetOf: (at) => at };
  const offsets = new Uint32Array(text.length);
  let [seen, from] = ["", 0];
  const keep = (to: number) => {
    for (let at = from; at < to; at++) offsets[seen.length + at - from] = at;
    seen += text.slice(from, to);
  };
  for (const { 0: unseen, index } of text.matchAll(WITHOUT_WIDTH)) {
    keep(index);
    from = index + unseen.length;
  }
  keep(text.length);
  return { seen, offsetOf: (at) => offsets[at] ?? text.length };
}

/** Returns whether a reader sees nothing in a text. */
export const isBlank = (text: string): boolean => replaceInvisible(text, UNSEEN, () => "").trim() === "";
