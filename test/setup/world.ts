import { type ChildProcess, execFile, spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { finished, needsProcess, TERMINAL } from "../support/cli.ts";
import { temporaryHome } from "../support/home.ts";
import { program } from "../support/program.ts";
import { smallPackage } from "./small-package.ts";

export const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/** Options that every client's entry is to keep. */
export const OPTIONS = ["--mode", "normal", "--lang", "en"];
export const VERSION = (
  JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as { version: string }
).version;

export interface Ran {
  status: number;
  out: string;
  err: string;
}

/**
 * A person's machine: a home, a project, and the programs that stand on the PATH. What clients start there is a small program
 * in the place of this one, unless the test is about it, or starts a sandbox.
 */
export async function machine(files: Record<string, string> = {}, { isWhole = false } = {}) {
  const base = await temporaryHome();
  const [home, project, bin] = ["home", "project", "bin"].map((name) => join(base, name)) as [string, string, string];
  for (const folder of [home, project, bin]) mkdirSync(folder);
  const path = (name: string) => join(base, name);
  const root = isWhole ? undefined : smallPackage(path("small"));
  const write = (name: string, text: string | Buffer, mode?: number) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), text);
    if (mode !== undefined) chmodSync(path(name), mode);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const env: Record<string, string> = { HOME: home, PATH: `${bin}:/usr/bin:/bin`, LANG: "en_US.UTF-8" };
  return {
    base,
    home,
    project,
    env,
    path,
    write,
    /** What starts the server with these options: the copy in the home. */
    launch: (args: string[] = []) => ({
      command: process.execPath,
      args: [path(`home/.towow/app/${VERSION}/dist/cli.js`), ...args],
    }),
    read: (name: string) => (existsSync(path(name)) ? readFileSync(path(name), "utf8") : undefined),
    /** A program on the PATH. It keeps its arguments, a line each, in `calls`, and then does what `script` says. */
    program(name: string, script = "") {
      write(`bin/${name}`, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${path("calls")}'\n${script}\n`, 0o755);
    },
    calls: () => (existsSync(path("calls")) ? readFileSync(path("calls"), "utf8").trim().split("\n") : []),
    setup: (...args: string[]) => run(["setup", ...args], { env, cwd: project, root }),
    run: (args: string[], more: { env?: Record<string, string>; uid?: number } = {}) =>
      run(args, { env: { ...env, ...more.env }, cwd: project, root, uid: more.uid }),
  };
}

interface How {
  env: Record<string, string>;
  cwd: string;
  root: URL | undefined;
  uid?: number | undefined;
}

async function run(args: string[], { env, cwd, root, uid }: How): Promise<Ran> {
  if (uid === undefined && !needsProcess(env)) {
    const child = program(args, { env, cwd, ...(root !== undefined && { root }) });
    child.stdin?.end();
    const { status, stdout: out, stderr: err } = await finished(child);
    return { status: status ?? 1, out, err };
  }
  return new Promise((resolve) => {
    const options = { env, cwd, ...(uid !== undefined && { uid, gid: uid }) };
    execFile(process.execPath, [CLI, ...args], options, (error, out, err) =>
      resolve({ status: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

/** The same in a terminal, with what a person types. `script` is the program that gives one to who needs a process. */
export function inTerminal(
  script: string,
  args: string[],
  { env, cwd, answers }: { env: Record<string, string>; cwd: string; answers: [RegExp, string][] },
): Promise<Ran> {
  const command = [process.execPath, CLI, ...args].join(" ");
  const child: ChildProcess = needsProcess(env)
    ? spawn(script, ["-qefc", command, "/dev/null"], { env, cwd })
    : program(args, { env, cwd, terminal: TERMINAL });
  let out = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
    const [question, answer] = answers[0] ?? [];
    if (question?.test(out)) {
      answers.shift();
      out = `${out}\n<answered>\n`.replace(question, "<asked>");
      child.stdin?.write(`${answer}\r`);
    }
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ status: code ?? 1, out, err: "" })));
}

/** What was said, as if no line of it were broken: how long a path is, is the machine's. */
export const unwrapped = (out: string): string => out.replace(/\n(?! *\n)/g, " ").replace(/ {2,}/g, " ");
