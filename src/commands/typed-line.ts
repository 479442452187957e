import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Io } from "../app/io.ts";
import type { Clock } from "../clock.ts";
import { printable } from "../terminal/printable.ts";
import { printPainted } from "./print.ts";

const TICK_MS = 1_000;

export interface LineOptions {
  signal?: AbortSignal | undefined;
  /** Where the question changes by itself, a countdown: how often, it is asked for again each second. */
  clock?: Clock | undefined;
}

/** One line typed at the terminal; undefined when the person left: Ctrl-C, Ctrl-D, or the signal. */
export async function typedLine(
  io: Io,
  question: () => string,
  { signal, clock }: LineOptions = {},
): Promise<string | undefined> {
  const terminal = createInterface({ input: io.stdin, output: io.stdout });
  let hasLeft = false;
  let cancelNext = () => {};
  terminal.once("close", () => {
    hasLeft = true;
  });
  const tick = () => {
    if (hasLeft) return;
    terminal.setPrompt(question());
    terminal.prompt(true);
    cancelNext = clock?.after(TICK_MS, tick) ?? cancelNext;
  };
  if (clock !== undefined) cancelNext = clock.after(TICK_MS, tick);
  try {
    return (await terminal.question(question(), signal ? { signal } : {})).trim();
  } catch (error) {
    if (!hasLeft && !signal?.aborted) throw error;
    return undefined;
  } finally {
    cancelNext();
    terminal.close();
  }
}

/** One line that the terminal does not show, for a secret; the question goes to stderr. Undefined when the person left. */
export async function typedSecret(io: Io, question: string): Promise<string | undefined> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: io.stdin, output: unseen, terminal: true });
  let hasLeft = false;
  terminal.once("close", () => {
    hasLeft = true;
  });
  await printPainted(printable(question), io.stderr);
  try {
    return (await terminal.question("")).trim();
  } catch (error) {
    if (!hasLeft) throw error;
    return undefined;
  } finally {
    terminal.close();
    void printPainted("\n", io.stderr);
  }
}

/** Lines typed at the terminal up to one that holds only a dot, or up to the end; undefined after Ctrl-C, or the signal. */
export async function typedLines(io: Io, signal?: AbortSignal): Promise<string | undefined> {
  const terminal = createInterface({ input: io.stdin, output: io.stdout });
  let hasLeft = false;
  const leave = () => {
    hasLeft = true;
    terminal.close();
  };
  terminal.once("SIGINT", leave);
  signal?.addEventListener("abort", leave, { once: true });
  const lines: string[] = [];
  try {
    for await (const line of terminal) {
      if (line === ".") break;
      lines.push(line);
    }
  } finally {
    terminal.close();
  }
  return hasLeft ? undefined : lines.join("\n");
}
