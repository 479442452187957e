import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { CONFIG_KEYS, environmentNames } from "../../src/home/schema.ts";
import { anyText } from "./material.ts";
import { target } from "./target.ts";

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;
const STACK = /\n\s+at \S|node:internal|Unhandled/;
/** What the system lets into an argument or a variable. */
const word = anyText.map((it) => it.replaceAll("\u0000", "").toWellFormed().slice(0, 2_000));
const known = fc.constantFrom(
  "--mode",
  "--backend-url",
  "--lang",
  "--profile",
  "--toolset",
  "--allow-tools",
  "--exclude-tools",
  "--json",
  "-n",
  "--help",
  "--version",
  "--",
);
const argument = fc.oneof(
  known,
  word,
  fc.tuple(known, word).map(([flag, value]) => `${flag}=${value}`),
);
const variables = [...CONFIG_KEYS.flatMap(environmentNames), "TOWOW_LOG_LEVEL", "HTTPS_PROXY", "NO_PROXY"];

/** The built program with any arguments and variables and nobody at its stdin: ends, with words and no stack. */
export const commandLine = target({
  name: "command line",
  batch: 20,
  input: fc.record({
    command: fc.constantFrom([], ["stdio"], ["config"], ["doctor"], ["confirm"], ["help"], ["nonsense"]),
    args: fc.array(argument, { maxLength: 4 }),
    env: fc.dictionary(fc.constantFrom(...variables), word, { maxKeys: 4 }),
    // Nothing stranger: at some values of LANG Node itself ends with a SIGSEGV, before any line of this program.
    lang: fc.constantFrom("zh_CN.UTF-8", "en_US.UTF-8", "C", "", "xx"),
  }),
  async open() {
    const home = await mkdtemp(join(tmpdir(), "towow-fuzz-"));
    return {
      async check({ command, args, env, lang }) {
        // What listens or plays through is not run here.
        if (args.some((arg) => arg === "mock" || arg === "demo")) return;
        const child = spawn(process.execPath, [CLI, ...command, ...args], {
          env: { PATH: process.env.PATH ?? "", ...env, LANG: lang, TOWOW_HOME: home },
          stdio: ["ignore", "pipe", "pipe"],
        });
        const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
        const [code, out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
        if (code === null || code > 2) throw new Error(`ended with ${code}: ${err.slice(0, 600)}`);
        if (STACK.test(out + err)) throw new Error(`a stack: ${(out + err).slice(0, 1_500)}`);
        const words = command[0] === "doctor" ? out + err : err; // What a doctor finds is its answer.
        if (code !== 0 && words.trim() === "") throw new Error("failed without a word");
      },
      close: () => rm(home, { recursive: true, force: true }),
    };
  },
});
