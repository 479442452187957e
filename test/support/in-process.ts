import { ownIo } from "../../src/app/io.ts";
import { main } from "../../src/commands/main.ts";
import type { Ran } from "./cli.ts";

const ROOT = new URL("../../", import.meta.url);
const STREAMS = ["stdout", "stderr"] as const;

/** How a command ends that ends the program itself. */
class Exited extends Error {}

function setEnvironment(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

/**
 * A command line as the program takes it, without a process of its own: for commands that read and write the home, print
 * and end. One at a time. What needs stdin, a terminal or a signal is for `cli`; with `columns` it writes as to a terminal
 * of that width.
 */
export async function command(
  args: readonly string[],
  env: Record<string, string> = {},
  { columns }: { columns?: number } = {},
): Promise<Ran> {
  const before = { env: { ...process.env }, exitCode: process.exitCode };
  const ran: Ran = { status: 0, stdout: "", stderr: "" };
  let hasEnded = false; // what runs behind `process.exit` only runs here
  const restore = STREAMS.map((name) => {
    const stream = process[name];
    const { write } = stream;
    const listeners = new Set(stream.listeners("error"));
    stream.write = ((text: string, done?: () => void) => {
      if (!hasEnded) ran[name] += text;
      done?.();
      return true;
    }) as typeof write;
    return () => {
      stream.write = write;
      for (const added of stream.listeners("error"))
        if (!listeners.has(added)) stream.off("error", added as (error: Error) => void);
    };
  });
  const atExit = new Set(process.listeners("exit"));
  restore.push(() => {
    for (const added of process.listeners("exit")) if (!atExit.has(added)) process.off("exit", added);
  });
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  const undoTerminal = Object.entries(terminal).map(([name, value]) => withProperty(process.stdout, name, value));
  const { exit } = process;
  process.exit = ((code?: number) => {
    if (!hasEnded) ran.status = Number(code ?? process.exitCode ?? 0);
    hasEnded = true;
    throw new Exited();
  }) as typeof exit;
  setEnvironment({ LANG: "en_US.UTF-8", TOWOW_LANG: "en", PATH: before.env.PATH, ...env });
  process.exitCode = undefined;
  try {
    await main([...args], ownIo, ROOT).catch((error: unknown) => {
      if (!(error instanceof Exited)) throw error;
    });
    if (!hasEnded) ran.status = Number(process.exitCode ?? 0);
  } finally {
    for (const undo of [...restore, ...undoTerminal]) undo();
    process.exit = exit;
    setEnvironment(before.env);
    process.exitCode = before.exitCode;
  }
  return ran;
}

function withProperty(target: object, name: string, value: unknown): () => void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true });
  return () => {
    if (before === undefined) Reflect.deleteProperty(target, name);
    else Object.defineProperty(target, name, before);
  };
}
