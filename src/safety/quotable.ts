import { withoutQuotationMarks } from "../quotation.ts";
import { showInvisible } from "./invisible.ts";

/**
 * Returns words of an AI or of others, ready to stand between this program's quotation marks: on one line, with
 * invisible characters written out, and without any mark that could end the quotation.
 */
export const quotable = (text: string): string =>
  withoutQuotationMarks(showInvisible(text.toWellFormed()).replaceAll(/\s+/g, " ")).trim();
