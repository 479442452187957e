import { stringWidth } from "../text-width.ts";

/** What may not begin a line in Chinese; it stays with the word before it. */
const CLOSES = /^[，。、；：？！）》」』”’％…,.;:?!)\]}%]+$/u;
/** A Latin word goes on behind its own punctuation, not behind Chinese. */
const HOLDS_ON = /[^\s\p{Script=Han}，。、；：？！）》」』]$/u;
const OPENS = /[（《「『“‘([{]$/u;

/** A part of a text, in UTF-16 units. */
export interface Range {
  start: number;
  end: number;
}

/** Lines of at most `columns`, broken between words; Chinese words as the language has them. */
export const wrap = (text: string, columns: number): string[] =>
  lineRanges(text, columns).map(({ start, end }) => text.slice(start, end));

/** Where each of these lines stands in the text; the white space between two of them belongs to neither. */
export function lineRanges(text: string, columns: number): Range[] {
  const lines: Range[] = [];
  let [start, at] = [0, 0];
  const line = () => ({ start, end: start + text.slice(start, at).trimEnd().length });
  for (const word of unbreakable(text, columns)) {
    if (at > start && stringWidth(text.slice(start, at) + word.trimEnd()) > columns) {
      lines.push(line());
      start = at;
    }
    if (start === at && lines.length > 0) start += word.length - word.trimStart().length;
    at += word.length;
  }
  return [...lines, line()];
}

function unbreakable(text: string, columns: number): string[] {
  const words: string[] = [];
  for (const { segment } of new Intl.Segmenter("zh", { granularity: "word" }).segment(text)) {
    const before = words.at(-1);
    const latin = before !== undefined && HOLDS_ON.test(before) && /^[^\s\p{Script=Han}]/u.test(segment);
    if (before !== undefined && (latin || CLOSES.test(segment) || OPENS.test(before)))
      words[words.length - 1] += segment;
    else words.push(segment);
  }
  return words.flatMap((word) => (stringWidth(word) > columns ? pieces(word, columns) : [word]));
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
