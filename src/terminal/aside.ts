import { stringWidth } from "../text-width.ts";

/** Returns a word in parentheses, or the bare word if a line of `columns` has no room for the parentheses. */
export const aside = (word: string, columns: number): string => (stringWidth(word) + 2 > columns ? word : `(${word})`);
