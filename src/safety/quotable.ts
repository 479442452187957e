import { showInvisible } from "./invisible.ts";

/** Every mark that could end a quotation, or be taken for its end. */
const QUOTATION_MARKS = /["\u201C-\u201F\u00AB\u00BB\u2039\u203A\u2033\u2036\u3008-\u300F\u301D-\u301F\uFF02]/g;

/**
 * The words of an AI or of others, to stand between quotation marks of ours: on one line, with invisible characters
 * written out and no mark that could end the quotation.
 */
export const quotable = (text: string): string =>
  showInvisible(text.toWellFormed()).replaceAll(/\s+/g, " ").replaceAll(QUOTATION_MARKS, "'").trim();
