import { createInterface, type Interface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { ReadStream } from "node:tty";
import type { Io } from "../app/io.ts";
import type { Clock } from "../clock.ts";
import { printable } from "../terminal/printable.ts";
import { printPainted } from "./print.ts";

const TICK_MS = 1_000;

const safe = new WeakSet<ReadStream>();

/**
 * Returns the keyboard, with its failures kept from ending the program. After its window is closed, a terminal fails at each
 * read, write and change of mode. Such a failure ends only the question that is being asked, by calling `gone`, until `release`
 * is called.
 */
export function keyboardOf({ stdin }: Pick<Io, "stdin">, gone: () => void): { stdin: ReadStream; release: () => void } {
  // The listener stays, so that a later failure does not end the program while nobody else listens.
  if (!safe.has(stdin)) stdin.on("error", () => {});
  safe.add(stdin);
  if (!stdin.readable) gone();
  stdin.once("error", gone);
  return { stdin, release: () => void stdin.off("error", gone) };
}

interface Terminal {
  lines: Interface;
  /** Aborts when the person leaves with Ctrl-C, when the terminal is lost, or with the caller's signal. */
  left: AbortSignal;
  leave: () => void;
  close: () => void;
}

/** Opens the terminal for typing lines. `output` shows them, by default on stdout. */
function openTerminal(io: Io, { signal, output = io.stdout, ...rest }: TerminalOptions = {}): Terminal {
  const left = new AbortController();
  const leave = () => {
    if (left.signal.aborted) return; // A terminal that is gone fails once more when it is closed.
    left.abort();
    lines.close();
  };
  const lines = createInterface({ input: io.stdin, output, ...rest });
  lines.on("error", leave).once("SIGINT", leave);
  const { release } = keyboardOf(io, leave);
  output.once("error", leave);
  signal?.addEventListener("abort", leave, { once: true });
  return {
    lines,
    left: left.signal,
    leave,
    close() {
      lines.close();
      release();
      output.off("error", leave);
      signal?.removeEventListener("abort", leave);
    },
  };
}

interface TerminalOptions {
  signal?: AbortSignal | undefined;
  output?: Writable;
  terminal?: true;
}

/** Returns one answer, or undefined if the person left, which they can also do with Ctrl-D. */
async function answer({ lines, left, leave, close }: Terminal, question: string): Promise<string | undefined> {
  lines.once("close", leave);
  try {
    return (await lines.question(question, { signal: left })).trim();
  } catch (error) {
    if (!left.aborted) throw error;
    return undefined;
  } finally {
    close();
  }
}

export interface LineOptions {
  signal?: AbortSignal | undefined;
  /** Redraws the question each second, for a question with a countdown. */
  clock?: Clock | undefined;
}

/**
 * Reads one line at the terminal. Returns undefined if the person left with Ctrl-C or Ctrl-D or closed the window, or
 * if the signal aborted.
 */
export async function typedLine(
  io: Io,
  question: () => string,
  { signal, clock }: LineOptions = {},
): Promise<string | undefined> {
  const terminal = openTerminal(io, { signal });
  const { lines, left } = terminal;
  let cancelNext = () => {};
  const tick = () => {
    if (left.aborted) return;
    lines.setPrompt(question());
    lines.prompt(true);
    cancelNext = clock?.after(TICK_MS, tick) ?? cancelNext;
  };
  if (clock !== undefined) cancelNext = clock.after(TICK_MS, tick);
  return answer(terminal, question()).finally(() => cancelNext());
}

/** Reads one hidden line, for a secret. The question goes to stderr. Returns undefined if the person left. */
export async function typedSecret(io: Io, question: string): Promise<string | undefined> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = openTerminal(io, { output: unseen, terminal: true });
  await printPainted(printable(question), io.stderr);
  return answer(terminal, "").finally(() => void printPainted("\n", io.stderr));
}

/**
 * Reads lines at the terminal until a line with only a dot, or the end of the input. Returns undefined if the person
 * left with Ctrl-C or closed the window, or if the signal aborted.
 */
export async function typedLines(io: Io, signal?: AbortSignal): Promise<string | undefined> {
  const { lines, left, close } = openTerminal(io, { signal });
  const typed: string[] = [];
  try {
    for await (const line of lines) {
      if (line === ".") break;
      typed.push(line);
    }
  } finally {
    close();
  }
  return left.aborted ? undefined : typed.join("\n");
}
