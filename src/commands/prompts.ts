import type { Io } from "../app/io.ts";
import { wrap } from "../terminal/wrap.ts";

/** Questions with a choice, at a terminal: loaded by the commands that ask them. */
export type Prompts = Pick<typeof import("@clack/prompts"), "confirm" | "multiselect" | "select" | "text"> & {
  /** As wide as a line of the terminal is. */
  columns: number;
};

export async function loadPrompts({ stdin, stdout }: Io): Promise<Prompts> {
  // A terminal that does not say how large it is (a serial console, some containers) says 0.
  stdout.columns ||= 80;
  stdout.rows ||= 24;
  /** The library breaks lines where they end, words or not. */
  const here = <T extends { message: string }>(options: T) => ({
    ...options,
    input: stdin,
    output: stdout,
    message: wrap(options.message, stdout.columns - BEFORE_QUESTION).join("\n"),
  });
  const { confirm, multiselect, select, text } = await import("@clack/prompts");
  return {
    columns: stdout.columns,
    confirm: (options) => confirm(here(options)),
    multiselect: (options) => multiselect(here(options)),
    select: (options) => select(here(options)),
    text: (options) => text(here(options)),
  };
}

/** What stands before a question and before a choice, in columns; the library counts the colours of a choice as well. */
const BEFORE_QUESTION = 4;
const BEFORE_CHOICE = 13;
const INDENT = "   ";

/** A choice with what it means below it, broken between words. */
export function choice({ columns }: Prompts, label: string, meaning: string): string {
  const width = columns - BEFORE_CHOICE - INDENT.length;
  return [label, ...wrap(meaning, width).map((line) => INDENT + line)].join("\n");
}

/** The answer; undefined where the person left by Ctrl-C or Escape. */
export async function unlessCancelled<T>(question: Promise<T>): Promise<Exclude<T, symbol> | undefined> {
  const answer = await question;
  return typeof answer === "symbol" ? undefined : (answer as Exclude<T, symbol>);
}
