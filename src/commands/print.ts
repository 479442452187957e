import type { Io } from "../app/io.ts";
import { measureOf } from "../terminal/measure.ts";
import { printable, printableJson, printablePainted } from "../terminal/printable.ts";
import { wrap } from "../terminal/wrap.ts";

/*
 * Everything that a command prints leaves through this file, and foreign text cannot act on the terminal: names,
 * offers, log lines, paths and arguments alike. The protocol's own channel (stdio) and the live view's screen control
 * are not text for a reader and have writers of their own.
 */

/** Text as it is, to stdout; no line feed is added. Resolves once it has left, false when there is nobody to read it. */
export const print = ({ stdout }: Io, text: string): Promise<boolean> => write(stdout, printable(text));

/** Sentences for a person, to stdout: in a terminal broken between words, elsewhere as they are. */
export const printText = ({ stdout }: Io, text: string): Promise<boolean> => write(stdout, sentences(text, stdout));

/** The same, to stderr. */
export const printError = ({ stderr }: Io, text: string): Promise<boolean> => write(stderr, sentences(text, stderr));

/** One value as JSON and a line feed, on one line unless `indent` says otherwise. */
export const printJson = ({ stdout }: Io, value: unknown, indent?: number): Promise<boolean> =>
  write(stdout, `${printableJson(JSON.stringify(value, null, indent))}\n`);

/** Text that carries our own styles, and in which everything else went through `printable` before it was painted. */
export const printPainted = (text: string, to: NodeJS.WritableStream): Promise<boolean> =>
  write(to, printablePainted(text));

const NARROWEST = 24;

/** The columns that text for a person takes there. */
export const widthOf = (stream: Pick<NodeJS.WriteStream, "columns">): number =>
  Math.max(NARROWEST, measureOf(stream.columns || 80));

/** Printable, and in a terminal broken between words; the lines that a line is broken into begin below its first word. */
export function sentences(text: string, to: Pick<NodeJS.WriteStream, "isTTY" | "columns">): string {
  if (to.isTTY !== true) return printable(text);
  const broken = (line: string): string[] => {
    const [first = ""] = /^ *(?:! )?/.exec(line) ?? [];
    return wrap(line.slice(first.length), widthOf(to) - first.length, { keepsLongWords: true }).map(
      (part, i) => (i === 0 ? first : " ".repeat(first.length)) + part,
    );
  };
  return printable(text).split("\n").flatMap(broken).join("\n");
}

const write = (to: NodeJS.WritableStream, text: string): Promise<boolean> =>
  new Promise((resolve) => to.write(text, (error) => resolve(error == null)));
