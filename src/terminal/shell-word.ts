/**
 * Matches words that every shell takes unchanged. A `~` or a `=` at the beginning is not included, because a shell replaces it
 * by a path.
 */
const AS_IT_IS = /^[\w@%+:,./-][\w@%+=:,./-]*$/;
/** Matches a Windows path. Windows' own shell does not know single quotes. */
const WINDOWS_PATH = /^[A-Za-z]:\\[\w@+=,.\\-]*$/;

/** Returns a text as one word of a command line, in single quotes if a shell would change it otherwise. */
export const shellWord = (text: string): string =>
  AS_IT_IS.test(text) || WINDOWS_PATH.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Returns a program and its arguments as a command that can be copied into a shell. */
export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(" ");
