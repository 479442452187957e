import stringWidth from "string-width";

/** What may not begin a line in Chinese; it stays with the word before it. */
const CLOSES = /^[，。、；：？！）》」』”’％…,.;:?!)\]}%]+$/u;
/** A Latin word goes on behind its own punctuation, not behind Chinese. */
const HOLDS_ON = /[^\s\p{Script=Han}，。、；：？！）》」』]$/u;
const OPENS = /[（《「『“‘([{]$/u;

/** Lines of at most `columns`, broken between words; Chinese words as the language has them. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of unbreakable(text, columns)) {
    if (line !== "" && stringWidth(line + word.trimEnd()) > columns) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += line === "" && lines.length > 0 ? word.trimStart() : word;
  }
  return [...lines, line.trimEnd()];
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
