import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, onTestFinished } from "vitest";
import { NODE_ENV } from "./node-env.ts";

export const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
/** Util-linux's `script` gives a real pseudo-terminal. */
export const SCRIPT = ["/usr/bin/script", "/bin/script"].find(existsSync);

export interface Ran {
  status: number | null;
  stdout: string;
  stderr: string;
}

interface Options {
  env?: Record<string, string>;
  /** What stands on stdin; it ends after that. */
  input?: string | Buffer;
  /** Run as this user. */
  uid?: number;
  /** The folder that it is run in. */
  cwd?: string;
}

const environment = (env: Record<string, string> = {}) => ({
  ...NODE_ENV,
  LANG: "en_US.UTF-8",
  TOWOW_LANG: "en",
  ...env,
});

/** The built program, started and running. */
export function start(args: readonly string[], { env, uid, cwd }: Options = {}): ChildProcess {
  const child = spawn(process.execPath, [CLI, ...args], {
    env: environment(env),
    stdio: ["pipe", "pipe", "pipe"],
    ...(uid !== undefined && { uid, gid: uid }),
    ...(cwd !== undefined && { cwd }),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** The built program, run to its end, without a terminal. */
export async function cli(args: readonly string[], options: Options = {}): Promise<Ran> {
  const child = start(args, options);
  const ended = finished(child);
  child.stdin?.on("error", () => {}).end(options.input ?? "");
  return ended;
}

/** What a child has written when it ends. */
export function finished(child: ChildProcess): Promise<Ran> {
  let [stdout, stderr] = ["", ""];
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.once("close", (status) => resolve({ status, stdout, stderr })));
}

/** The built program in a pseudo-terminal, with a person before it who reads and types. */
export function inTerminal(args: readonly string[], env: Record<string, string>) {
  const command = [process.execPath, CLI, ...args].join(" ");
  const child = spawn(SCRIPT ?? "script", ["-qefc", command, "/dev/null"], { env: environment(env) });
  onTestFinished(() => void child.kill());
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    screen += chunk;
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    /** Waits for it, and gives its first group. */
    async sees(pattern: RegExp): Promise<string> {
      await expect.poll(() => screen, { timeout: 10_000 }).toMatch(pattern);
      return pattern.exec(screen)?.[1] ?? "";
    },
    types: (line: string) => void child.stdin.write(`${line}\r`),
    /** Keys as they are, without Enter. */
    presses: (keys: string) => void child.stdin.write(keys),
    ended,
  };
}
