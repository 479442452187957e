import type { Io } from "../app/io.ts";
import { measureOf } from "../terminal/measure.ts";
import { printable, printableJson, printablePainted } from "../terminal/printable.ts";
import { wrap } from "../terminal/wrap.ts";

/*
 * Everything that a command prints leaves through this file, so that foreign text cannot act on the terminal: names,
 * offers, log lines, paths and arguments alike. The protocol's own channel (stdio) and the live view's screen control
 * are not text for a reader and have their own writers.
 */

/** Prints text to stdout without a line feed. Resolves to true once it is written, and to false if nobody reads it. */
export const print = ({ stdout }: Io, text: string): Promise<boolean> => write(stdout, printable(text));

/** Prints sentences for a person to stdout. In a terminal they are broken between words. */
export const printText = ({ stdout }: Io, text: string): Promise<boolean> => write(stdout, sentences(text, stdout));

/** Prints sentences for a person to stderr. In a terminal they are broken between words. */
export const printError = ({ stderr }: Io, text: string): Promise<boolean> => write(stderr, sentences(text, stderr));

/** Prints one value as JSON and a line feed, on one line unless `indent` is given. */
export const printJson = ({ stdout }: Io, value: unknown, indent?: number): Promise<boolean> =>
  write(stdout, `${printableJson(JSON.stringify(value, null, indent))}\n`);

/** Prints text with our own styles. All other text in it was made printable before it was painted. */
export const printPainted = (text: string, to: NodeJS.WritableStream): Promise<boolean> =>
  write(to, printablePainted(text));

const NARROWEST = 24;

/** Returns how many columns a person's text gets in this stream. */
export const widthOf = (stream: Pick<NodeJS.WriteStream, "columns">): number =>
  Math.max(NARROWEST, measureOf(stream.columns || 80));

/**
 * Makes text printable, and in a terminal breaks it between words. A continued line begins below the first word of its
 * line.
 */
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
