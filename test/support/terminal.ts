import { type ChildProcess, spawn } from "node:child_process";
import { expect, onTestFinished } from "vitest";
import { SCRIPT } from "./cli.ts";
import { NODE_ENV } from "./node-env.ts";

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
  let screen = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    screen += chunk;
  });
  return {
    async sees(pattern) {
      await expect.poll(() => pattern.test(screen), { timeout: 15_000 }).toBe(true);
      return pattern.exec(screen)?.[1] ?? "";
    },
    types: (line) => void child.stdin?.write(`${line}\r`),
    presses: (keys) => void child.stdin?.write(keys),
    screen: () => screen,
    exit: new Promise((resolve) => child.once("close", resolve)),
  };
}

/** Runs Node with these arguments in a pseudo-terminal; `before` is shell that runs in it first. */
export function atTerminal(args: readonly string[], env: Readonly<Record<string, string>>, before = ":"): Person {
  const command = `${before}; exec ${[process.execPath, ...args].join(" ")}`;
  const child = spawn(SCRIPT ?? "script", ["-qefc", command, "/dev/null"], {
    env: { ...NODE_ENV, ...env, COLUMNS: "200" },
  });
  onTestFinished(() => void child.kill());
  return person(child);
}
