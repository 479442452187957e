import type { ChildProcess } from "node:child_process";
import { CLI, inPseudoTerminal, needsProcess, TERMINAL, words } from "./cli.ts";
import { NODE_ENV } from "./node-env.ts";
import { program } from "./program.ts";
import { screenOf } from "./screen.ts";

/** A person before a program: waits for what is on the screen, then types. */
export interface Person {
  /** The first group of the pattern, once it is there. */
  sees(pattern: RegExp): Promise<string>;
  /** A line and Enter. */
  types(line: string): void;
  /** Keys as they are, without Enter. */
  presses(keys: string): void;
  /** Everything that was written so far. */
  screen(): string;
  exit: Promise<number | null>;
}

export function person(child: ChildProcess): Person {
  const { sees, text } = screenOf(child);
  return {
    sees,
    types: (line) => void child.stdin?.write(`${line}\r`),
    presses: (keys) => void child.stdin?.write(keys),
    screen: text,
    exit: new Promise((resolve) => child.once("close", resolve)),
  };
}

/**
 * Runs Node with these arguments in a pseudo-terminal; `before` is shell that runs in it first. The program itself runs in
 * this process where the terminal is all that it needs.
 */
export function atTerminal(args: readonly string[], env: Readonly<Record<string, string>>, before = ":"): Person {
  const size = /^(?::|stty cols (\d+)(?: rows (\d+))?)$/.exec(before);
  const [path, ...rest] = args;
  if (path === CLI && !/[|&;<>$]/.test(rest.join(" ")) && size !== null && !needsProcess(env)) {
    const [, columns = TERMINAL.columns, rows = TERMINAL.rows] = size;
    const terminal = { columns: Number(columns), rows: Number(rows) };
    return person(program(rest.flatMap(words), { env: { PATH: NODE_ENV.PATH, ...env }, terminal }));
  }
  const command = `${before}; exec ${[process.execPath, ...args].join(" ")}`;
  return person(inPseudoTerminal(command, { ...NODE_ENV, ...env, COLUMNS: "200" }));
}
