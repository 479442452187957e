import width from "string-width";
import wrapAnsi from "wrap-ansi";

/** Printable ASCII, one column each, and what takes two everywhere: for such a text nobody needs a table of emoji. */
const EVERYDAY = /^[ -~\p{sc=Han}、。，：；！？（）《》「」]*$/u;
const ONE_COLUMN = /[ -~]/g;

/** The columns that a text takes in a terminal. */
export function stringWidth(text: string): number {
  if (EVERYDAY.test(text)) return 2 * [...text].length - (text.match(ONE_COLUMN)?.length ?? 0);
  return width(text);
}

/** The text with line breaks where a terminal program of so many columns puts them. */
export function wrapText(text: string, columns: number, options: { hard: boolean; trim: boolean }): string {
  return wrapAnsi(text, columns, options);
}
