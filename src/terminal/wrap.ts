import { stringWidth } from "../text-width.ts";

/** Matches characters that may not begin a line in Chinese, and therefore stay with the word before them. */
const CLOSES = /^[，。、；：？！）》」』”’％…,.;:?!)\]}%]+$/u;
/** Matches a word that a Latin word directly after it continues. Chinese characters and Chinese punctuation end a word. */
const HOLDS_ON = /[^\s\p{Script=Han}，。、；：？！）》」』]$/u;
const OPENS = /[（《「『“‘([{]$/u;
/** Matches Chinese opening marks. There is no space before such a mark, but it still begins a word. */
const OPENS_WORD = /^[（《「『]/u;
/** The sign between two parts of a line, which ends a line rather than begins one. */
const BETWEEN = "·";
/**
 * Matches the place after a wide colon or comma. Between two Latin words the segmenter takes such a sign as part of one
 * word.
 */
const BEHIND_WIDE = /(?<=[，。、；：？！])(?=.)/u;
/**
 * Matches a command of this program, as far as its words cannot belong to the sentence. A command is kept whole, so that it can
 * be copied.
 */
const COMMAND =
  /towow-mcp(?: <[^\s>]+>)?(?: [a-z]+)?(?: (?:[!-~…]*[-_=/:<>][!-~…]*|(?:set|get|unset|sandbox|true|codex|user|normal|developer)\b))*/g;

/** A part of a text. Its offsets are in UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}

export interface WrapOptions {
  /**
   * True if a command, an address, a path or an id that is longer than a line is left to the terminal, so that it can
   * be copied whole.
   */
  keepsLongWords?: boolean | undefined;
}

/** Breaks a text into lines of at most `columns`, between words. Chinese is broken between words too. */
export const wrap = (text: string, columns: number, options?: WrapOptions): string[] =>
  lineRanges(text, columns, options).map(({ start, end }) => text.slice(start, end));

/** Returns whether a word of the text is wider than `columns`. */
export const hasLongWord = (text: string, columns: number): boolean =>
  wrap(text, columns, { keepsLongWords: true }).some((line) => stringWidth(line) > columns);

/** Returns the lines of `wrap` as ranges of the text. The white space between two lines belongs to neither. */
export function lineRanges(text: string, columns: number, { keepsLongWords = false }: WrapOptions = {}): Range[] {
  const lines: Range[] = [];
  let [start, at] = [0, 0];
  const line = () => ({ start, end: start + text.slice(start, at).trimEnd().length });
  for (const word of unbreakable(text, columns, keepsLongWords)) {
    if (at > start && stringWidth(text.slice(start, at) + word.trimEnd()) > columns) {
      lines.push(line());
      start = at;
    }
    if (start === at && lines.length > 0) start += word.length - word.trimStart().length;
    at += word.length;
  }
  return [...lines, line()];
}

function unbreakable(text: string, columns: number, keepsLongWords: boolean): string[] {
  const all = wordsOf(text).flatMap((words) => {
    const whole = words.join("");
    const isCommand = words.length > 1;
    if (stringWidth(whole.trimEnd()) <= columns || (keepsLongWords && isCommand)) return [whole];
    const isTooLong = (word: string) => stringWidth(word) > columns && !(keepsLongWords && IN_ONE_PIECE.test(word));
    return words.flatMap((word) => (isTooLong(word) ? pieces(word, columns) : [word]));
  });
  return withBetween(all, columns);
}

/** Joins a sign between two parts with the part before it, if a line holds both. */
function withBetween(words: readonly string[], columns: number): string[] {
  const all: string[] = [];
  for (const word of words) {
    const [before, space] = all.slice(-2);
    const isBound = word === BETWEEN && space === " " && stringWidth(`${before} ${word}`) <= columns;
    if (isBound) all.splice(-2, 2, `${before} ${word}`);
    else all.push(word);
  }
  return all;
}

const IN_ONE_PIECE = /^\P{Script=Han}+$/u;

/**
 * Returns groups of words that stay together, each of which is a single word or the words of a command. A command is broken
 * apart only if no line holds it.
 */
function wordsOf(text: string): string[][] {
  const commands = [...text.matchAll(COMMAND)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
  const all: string[][] = [];
  for (const { segment, index } of segmentsOf(text)) {
    const last = all.at(-1);
    const before = last?.at(-1);
    const latin =
      before !== undefined &&
      HOLDS_ON.test(before) &&
      /^[^\s\p{Script=Han}]/u.test(segment) &&
      !OPENS_WORD.test(segment);
    if (last !== undefined && before !== undefined && (latin || CLOSES.test(segment) || OPENS.test(before)))
      last[last.length - 1] += segment;
    else if (last !== undefined && commands.some(({ start, end }) => start < index && index < end)) last.push(segment);
    else all.push([segment]);
  }
  return all;
}

function* segmentsOf(text: string): Generator<{ segment: string; index: number }> {
  for (const { segment, index } of new Intl.Segmenter("zh", { granularity: "word" }).segment(text)) {
    let at = index;
    for (const part of segment.split(BEHIND_WIDE)) {
      yield { segment: part, index: at };
      at += part.length;
    }
  }
}

function pieces(word: string, columns: number): string[] {
  const out = [""];
  for (const { segment } of new Intl.Segmenter().segment(word)) {
    if (stringWidth(out.at(-1) + segment) > columns) out.push("");
    out[out.length - 1] += segment;
  }
  return out;
}

/** Returns a text on one line of at most `columns`. The line ends in … if something was left out. */
export function ellipsis(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  return `${pieces(text, columns - 1)[0]?.trimEnd()}…`;
}
