import { stringWidth } from "../text-width.ts";

/** What may not begin a line in Chinese; it stays with the word before it. */
const CLOSES = /^[，。、；：？！）》」』”’％…,.;:?!)\]}%]+$/u;
/** A Latin word goes on behind its own punctuation, not behind Chinese. */
const HOLDS_ON = /[^\s\p{Script=Han}，。、；：？！）》」』]$/u;
const OPENS = /[（《「『“‘([{]$/u;
/** What opens in Chinese has no space before it, and begins a word all the same. */
const OPENS_WORD = /^[（《「『]/u;
/** Between two parts of a line: it ends a line rather than begin one. */
const BETWEEN = "·";
/** A colon or a comma of this width between two Latin words is part of one word to the segmenter. */
const BEHIND_WIDE = /(?<=[，。、；：？！])(?=.)/u;
/** A command of this program, as far as its words cannot be the sentence's: it is copied whole. */
const COMMAND =
  /towow-mcp(?: <[^\s>]+>)?(?: [a-z]+)?(?: (?:[!-~…]*[-_=/:<>][!-~…]*|(?:set|get|unset|sandbox|true|codex|user|normal|developer)\b))*/g;

/** A part of a text, in UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}

export interface WrapOptions {
  /** A command, an address, a path or an id that no line holds is left to the terminal: it can be copied whole. */
  keepsLongWords?: boolean | undefined;
}

/** Lines of at most `columns`, broken between words; Chinese words as the language has them. */
export const wrap = (text: string, columns: number, options?: WrapOptions): string[] =>
  lineRanges(text, columns, options).map(({ start, end }) => text.slice(start, end));

/** Whether a word of it is wider than that. */
export const hasLongWord = (text: string, columns: number): boolean =>
  wrap(text, columns, { keepsLongWords: true }).some((line) => stringWidth(line) > columns);

/** Where each of these lines stands in the text; the white space between two of them belongs to neither. */
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

/** What stands between two parts goes with the part before it, where a line holds both. */
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

/** What stays together: a word each, or the words of a command, which are broken apart where no line holds it. */
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

/** One line of at most `columns`, ending in … when there was more. */
export function ellipsis(text: string, columns: number): string {
  if (stringWidth(text) <= columns) return text;
  return `${pieces(text, columns - 1)[0]?.trimEnd()}…`;
}
