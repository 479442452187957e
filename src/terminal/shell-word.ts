/** What every shell takes as it is. A `~` or a `=` at the beginning is not: a shell puts a path in its place. */
const AS_IT_IS = /^[\w@%+:,./-][\w@%+=:,./-]*$/;
/** A path of Windows, whose own shell knows no single quotes. */
const WINDOWS_PATH = /^[A-Za-z]:\\[\w@+=,.\\-]*$/;

/** A text as one word of a command line, in single quotes where a shell would not take it as it is. */
export const shellWord = (text: string): string =>
  AS_IT_IS.test(text) || WINDOWS_PATH.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A program and its arguments as a command that can be copied into a shell. */
export const shellLine = (words: readonly string[]): string => words.map(shellWord).join(" ");
