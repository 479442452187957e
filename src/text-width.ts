import width from "string-width";
import wrapAnsi from "wrap-ansi";

/**
 * Matches a text of printable ASCII, one column each, and of characters that take two columns everywhere. Such a text
 * needs no table of emoji.
 */
const EVERYDAY = /^[ -~\p{sc=Han}、。，：；！？（）《》「」]*$/u;
const ONE_COLUMN = /[ -~]/g;

/** Returns the columns that a text takes in a terminal. */
export function stringWidth(text: string): number {
  if (EVERYDAY.test(text)) return 2 * [...text].length - (text.match(ONE_COLUMN)?.length ?? 0);
  return width(text);
}

/** Breaks the lines of a text as a terminal with so many columns does. */
export function wrapText(text: string, columns: number, options: { hard: boolean; trim: boolean }): string {
  return wrapAnsi(text, columns, options);
}
