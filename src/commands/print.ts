import { printable, printableJson, printablePainted } from "../terminal/printable.ts";

/*
 * Everything that a command prints leaves through this file, and foreign text cannot act on the terminal: names,
 * offers, log lines, paths and arguments alike. The protocol's own channel (stdio) and the live view's screen control
 * are not text for a reader and have writers of their own.
 */

/** Text as it is, to stdout; no line feed is added. Resolves once it has left, false when there is nobody to read it. */
export const print = (text: string): Promise<boolean> => write(process.stdout, printable(text));

/** The same, to stderr. */
export const printError = (text: string): Promise<boolean> => write(process.stderr, printable(text));

/** One value as JSON and a line feed, on one line unless `indent` says otherwise. */
export const printJson = (value: unknown, indent?: number): Promise<boolean> =>
  write(process.stdout, `${printableJson(JSON.stringify(value, null, indent))}\n`);

/** JSON that somebody else wrote, line by line. */
export const printJsonLines = (lines: readonly string[]): Promise<boolean> =>
  write(process.stdout, `${printableJson(lines.join("\n"))}\n`);

/** Text that carries our own styles, and in which everything else went through `printable` before it was painted. */
export const printPainted = (text: string, to: NodeJS.WritableStream): Promise<boolean> =>
  write(to, printablePainted(text));

const write = (to: NodeJS.WritableStream, text: string): Promise<boolean> =>
  new Promise((resolve) => to.write(text, (error) => resolve(error == null)));
