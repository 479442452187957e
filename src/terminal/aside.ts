import { stringWidth } from "../text-width.ts";

/**
 * Returns a word in parentheses. If a line of `columns` holds the word but not the parentheses too, they are left out.
 */
export const aside = (word: string, columns: number): string => (stringWidth(word) + 2 > columns ? word : `(${word})`);
