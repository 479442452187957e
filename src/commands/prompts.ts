import { wrap } from "../terminal/wrap.ts";

/** Questions with a choice, at a terminal: loaded by the commands that ask them. `build.mjs` bundles those named here. */
export type Prompts = Pick<typeof import("@clack/prompts"), "confirm" | "multiselect" | "select" | "text">;

export async function loadPrompts(): Promise<Prompts> {
  const { stdout } = process;
  // A terminal that does not say how large it is (a serial console, some containers) says 0.
  stdout.columns ||= 80;
  stdout.rows ||= 24;
  const { confirm, multiselect, select, text } = await import("@clack/prompts");
  return {
    confirm: (options) => confirm(inWords(options)),
    multiselect: (options) => multiselect(inWords(options)),
    select: (options) => select(inWords(options)),
    text: (options) => text(inWords(options)),
  };
}

/** What stands before a question and before a choice, in columns; the library counts the colours of a choice as well. */
const BEFORE_QUESTION = 4;
const BEFORE_CHOICE = 13;
const INDENT = "   ";

/** The library breaks lines where they end, words or not. */
const inWords = <T extends { message: string }>(options: T): T => ({
  ...options,
  message: wrap(options.message, process.stdout.columns - BEFORE_QUESTION).join("\n"),
});

/** A choice with what it means below it, broken between words. */
export function choice(label: string, meaning: string): string {
  const columns = (process.stdout.columns || 80) - BEFORE_CHOICE - INDENT.length;
  return [label, ...wrap(meaning, columns).map((line) => INDENT + line)].join("\n");
}

/** The answer; undefined where the person left by Ctrl-C or Escape. */
export async function unlessCancelled<T>(question: Promise<T>): Promise<Exclude<T, symbol> | undefined> {
  const answer = await question;
  return typeof answer === "symbol" ? undefined : (answer as Exclude<T, symbol>);
}
