import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import type { Clock } from "../../src/clock.ts";
import { NODE_ENV } from "./node-env.ts";
import { program } from "./program.ts";
import { screenOf } from "./screen.ts";

export const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
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
  /** The built program, in a process of its own. */
  spawned?: true;
  /** The program's, in this process; default: the system's. */
  clock?: Clock;
}

const environment = (env: Record<string, string> = {}) => ({
  ...NODE_ENV,
  LANG: "en_US.UTF-8",
  TOWOW_LANG: "en",
  ...env,
});

/** What a process alone can be given: another zone, how Node itself runs, and a terminal to hand on to an editor. */
const OF_PROCESS = /^(TZ|NODE_\w+|EDITOR|VISUAL)$/;
export const needsProcess = (env: Readonly<Record<string, string>> = {}): boolean =>
  Object.keys(env).some((name) => OF_PROCESS.test(name) && env[name] !== process.env[name]);

/** The program, started and running: in this process, unless it needs one. */
export function start(args: readonly string[], { env, uid, cwd, spawned, clock }: Options = {}): ChildProcess {
  if (uid === undefined && !spawned && !needsProcess(env)) {
    const { PATH, ...rest } = environment(env);
    return program(args, { env: { PATH, ...rest }, cwd, clock });
  }
  const child = spawn(process.execPath, [CLI, ...args], {
    env: environment(env),
    stdio: ["pipe", "pipe", "pipe"],
    ...(uid !== undefined && { uid, gid: uid }),
    ...(cwd !== undefined && { cwd }),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

/** The program, run to its end, without a terminal. */
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

/** As wide and as high as a terminal is that does not say. */
export const TERMINAL = { columns: 80, rows: 24 };

/** The words of a line as a shell reads them, with nothing special in it but single quotes. */
export const words = (line: string): string[] =>
  [...line.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", ""));

/** A line of shell in a pseudo-terminal. */
export function inPseudoTerminal(line: string, env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(SCRIPT ?? "script", ["-qefc", line, "/dev/null"], { env });
  onTestFinished(() => {
    child.kill();
    child.kill("SIGCONT"); // one that was stopped hears of nothing else
  });
  return child;
}

/** The program in a terminal, with a person before it who reads and types. Arguments are as typed in a shell. */
export function inTerminal(args: readonly string[], env: Record<string, string>) {
  const child = needsProcess(env)
    ? inPseudoTerminal([process.execPath, CLI, ...args].join(" "), environment(env))
    : program(words(args.join(" ")), { env: environment(env), terminal: TERMINAL });
  const { sees } = screenOf(child);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return {
    sees,
    types: (line: string) => void child.stdin?.write(`${line}\r`),
    /** Keys as they are, without Enter. */
    presses: (keys: string) => void child.stdin?.write(keys),
    ended,
  };
}
