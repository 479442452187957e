import { stringWidth } from "../text-width.ts";

/** A word in parentheses; without them where a line of `columns` holds it only so, and one would begin the next line. */
export const aside = (word: string, columns: number): string => (stringWidth(word) + 2 > columns ? word : `(${word})`);
