import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";

/** What a file of the full tier may do, and one of the fast tier may not. Types do nothing. */
const ONLY_FULL: Readonly<Record<string, RegExp>> = {
  "starts a browser": /^import (?!type )[^;]*"playwright-core"/m,
  "starts a process": /^import (?!type )[^;]*"node:child_process"/m,
  "waits by the real clock":
    /\bset(?:Timeout|Interval)\(|\.poll\(|\bvi\.wait(?:For|Until)\(|\bAbortSignal\.timeout\(|\bsystemClock\b/,
};
const PROCESS = "for who asks; in the fast tier `no-processes.ts` refuses it where it is asked for";
/** What the tests of the fast tier reach, and does so all the same, each with the reason. */
const ALLOWED: Readonly<Record<string, readonly [what: string, why: string][]>> = {
  "test/support/cli.ts": [["starts a process", PROCESS]],
  "test/support/endpoint.ts": [["starts a process", PROCESS]],
  "test/support/raw-server.ts": [["starts a process", PROCESS]],
  "test/setup/world.ts": [["starts a process", PROCESS]],
  "test/support/program.ts": [
    [
      "waits by the real clock",
      "the program's own clock where a test hands it none, and a limit for one that does not end",
    ],
  ],
  "test/support/endpoint-clients.ts": [["waits by the real clock", "a limit for an answer that does not come"]],
};

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const textOf = (file: string): string => readFileSync(file, "utf8").replaceAll(COMMENT, "");
const findingsIn = (text: string): string[] =>
  Object.entries(ONLY_FULL).flatMap(([what, pattern]) => (pattern.test(text) ? [what] : []));

/** The file, and all of `test` that it imports. */
function reached(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ""] of textOf(file).matchAll(/from "(\.[^"]+\.ts)"/g)) {
    const imported = posix.join(posix.dirname(file), path);
    if (imported.startsWith("test/")) reached(imported, seen);
  }
  return seen;
}

const FAST = globSync("test/**/*.test.ts", { exclude: ["test/**/*.full.test.ts"] }).map((file) =>
  file.replaceAll("\\", "/"),
);

it("nothing of the fast tier starts a browser or a process, or waits by the real clock", () => {
  const all = new Set<string>();
  for (const file of FAST) reached(file, all);
  all.delete("test/checks/tiers.test.ts"); // it names them
  const found = [...all].flatMap((file) => findingsIn(textOf(file)).map((what) => `${file} ${what}`));
  const allowed = Object.entries(ALLOWED).flatMap(([file, all]) => all.map(([what]) => `${file} ${what}`));
  expect(found.sort(byCodeUnits)).toEqual(allowed.sort(byCodeUnits));
});

it("what does is seen, and a type or a comment does nothing", () => {
  const told: readonly [text: string, what: string[]][] = [
    ['import { chromium } from "playwright-core";', ["starts a browser"]],
    ['import { spawn } from "node:child_process";', ["starts a process"]],
    ["await new Promise((resolve) => setTimeout(resolve, 50));", ["waits by the real clock"]],
    ["await expect\n  .poll(read)\n  .toBe(1);", ["waits by the real clock"]],
    ['import type { Page } from "playwright-core";', []],
    ["// setTimeout(resolve, 50)\n/** expect.poll(read) */".replaceAll(COMMENT, ""), []],
  ];
  for (const [text, what] of told) expect([text, findingsIn(text)]).toEqual([text, what]);
});

it("a process is refused wherever in the program it is asked for", () => {
  const { spawn, execFileSync } = process.getBuiltinModule("node:child_process");
  expect(() => spawn("true")).toThrow("true would be a process: what starts one is named *.full.test.ts");
  expect(() => execFileSync("true")).toThrow("*.full.test.ts");
});
