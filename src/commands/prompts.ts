import { PassThrough } from "node:stream";
import type { Io } from "../app/io.ts";
import { wrap } from "../terminal/wrap.ts";
import { keyboardOf } from "./terminal.ts";

/** The kinds of question that a command asks at a terminal. */
export type Prompts = Pick<typeof import("@clack/prompts"), "confirm" | "multiselect" | "select" | "text"> & {
  /** The width of the terminal in columns. */
  columns: number;
};

export async function loadPrompts(io: Io): Promise<Prompts> {
  const { stdout } = io;
  // A terminal that does not know its size, such as a serial console or some containers, reports 0.
  stdout.columns ||= 80;
  stdout.rows ||= 24;
  /**
   * Asks a question whose lines are broken between words. If the terminal is gone, the person counts as having left.
   */
  async function here<T extends { message: string }, Given>(put: (options: T) => Promise<Given>, options: T) {
    const left = new AbortController();
    const { stdin, release } = keyboardOf(io, () => left.abort());
    // The library does not catch errors of its input, so it gets a stream of its own.
    const input = Object.assign(new PassThrough(), {
      isTTY: true,
      setRawMode: (raw: boolean) => stdin.setRawMode(raw),
    });
    stdin.pipe(input);
    const message = wrap(options.message, stdout.columns - BEFORE_QUESTION).join("\n");
    try {
      return await put({ ...options, message, input, output: stdout, signal: left.signal });
    } finally {
      release();
      stdin.unpipe(input).pause();
    }
  }
  const { confirm, multiselect, select, text } = await import("@clack/prompts");
  return {
    columns: stdout.columns,
    confirm: (options) => here(confirm, options),
    multiselect: (options) => here(multiselect, options),
    select: (options) => here(select, options),
    text: (options) => here(text, options),
  };
}

/** How many columns come before a question, and before a choice. The library also counts the colours of a choice. */
const BEFORE_QUESTION = 4;
const BEFORE_CHOICE = 13;
const INDENT = "   ";

/** Formats a choice with its meaning below it, broken between words. */
export function choice({ columns }: Prompts, label: string, meaning: string): string {
  const width = columns - BEFORE_CHOICE - INDENT.length;
  return [label, ...wrap(meaning, width).map((line) => INDENT + line)].join("\n");
}

/** Returns the answer, or undefined if the person left with Ctrl-C or Escape. */
export async function unlessCancelled<T>(question: Promise<T>): Promise<Exclude<T, symbol> | undefined> {
  const answer = await question;
  return typeof answer === "symbol" ? undefined : (answer as Exclude<T, symbol>);
}
