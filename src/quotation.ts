/** Every mark that could end a quotation or be taken for its end, including letters that look like one. */
const MARKS = String.raw`"\u02BA\u02DD\u02EE\u02F5\u02F6\u05F4\u201C-\u201F\u00AB\u00BB\u2039\u203A\u2033\u2034\u2036\u2037\u2057\u275D\u275E\u276E\u276F\u2E42\u3003\u3008-\u300F\u301D-\u301F\uFE41-\uFE44\uFF02\uFF62\uFF63\u{1F676}-\u{1F678}`;
/** Marks that look like a quotation mark if two of them stand side by side. */
const APOSTROPHES = String.raw`'\u2018-\u201B\u2032\u2035\uFF07\u02B9\u02BB-\u02BF\u02C8\u0374\u05F3\u07F4\u07F5\uA78B\uA78C`;
const QUOTATION_MARKS = new RegExp(`[${MARKS}${APOSTROPHES}]{2,}|[${MARKS}]`, "gu");

/** Replaces the quotation marks of a text by apostrophes. */
export const withoutQuotationMarks = (text: string): string => text.replaceAll(QUOTATION_MARKS, "'");

/** Returns whether a text between quotation marks could seem to end too early. */
export const endsQuotation = (text: string): boolean => text.search(QUOTATION_MARKS) >= 0;

/** Matches an id that cannot be mistaken for words of this program. */
const PLAIN_ID = /^[\w.:@-]*$/;

/**
 * Returns an id for a sentence to a person. An AI may have made the id up, and an id of other characters could say a
 * sentence of its own, so such an id is put between quotation marks.
 */
export const idInSentence = (id: string): string => (PLAIN_ID.test(id) ? id : `“${withoutQuotationMarks(id)}”`);
