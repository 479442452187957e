import { spawnSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { type Mutant, probed } from "./mutants.ts";
import { readLines } from "./results.ts";
import type { Tests } from "./vitest.ts";

/** What one test file takes, and the mutants whose place it runs: itself, or in a program that it starts. */
export interface Reach {
  test: string;
  ms: number;
  here: string[];
  started: string[];
}

const MAX_BATCH_MS = 900_000;

/** The program as people get it, from the sources that stand in the tree. */
export function buildIn(tree: string): boolean {
  return spawnSync("npm", ["run", "build", "--silent"], { cwd: tree, stdio: "ignore" }).status === 0;
}

/** Every place of a mutant leaves a file with its number, once a process and test file. */
export function putProbes(tree: string, mutants: readonly Mutant[]): void {
  const folder = join(tree, "mutations-reached");
  const numbers = new Map(mutants.map(({ id }, i) => [id, i]));
  const note = ({ id }: Mutant) => {
    const n = numbers.get(id);
    const name = `(globalThis.__vitest_worker__?"here":"started")+"-${n}"`;
    return `((globalThis.__reached??={})[${n}]??=(globalThis.process?.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(`${folder}/`)}+${name},""),1))`;
  };
  for (const file of new Set(mutants.map((mutant) => mutant.file))) {
    const here = mutants.filter((mutant) => mutant.file === file);
    writeFileSync(join(tree, file), probed(readFileSync(join(tree, file), "utf8"), here, note));
  }
  if (!buildIn(tree)) throw new Error("with the probes it cannot be built");
}

/** Runs some test files: one that fails, or is not done in time, can say nothing about a mutant. */
export async function reachOf(
  some: readonly string[],
  tests: Tests,
  all: readonly Mutant[],
): Promise<(Reach | { test: string })[]> {
  const lines = join(tests.tree, "mutations-reached.jsonl");
  rmSync(lines, { force: true });
  const { notOk } = await tests.run(some, MAX_BATCH_MS, true);
  const touched = readLines<{ test: string; ms: number; here: number[]; started: number[] }>(lines);
  const ids = (numbers: readonly number[]) => numbers.map((n) => all[n]!.id);
  return some.map((test) => {
    const it = touched.find((line) => line.test === test);
    return it && !notOk.includes(test) ? { ...it, here: ids(it.here), started: ids(it.started) } : { test };
  });
}

/** The full tier starts programs and browsers, and comes last. */
const SLOW = /\.full\.test\.ts$/;
/** What the whole of it says is no test of one place. */
const OTHER = ["test/checks/**", "test/deploy/**", "test/supply-chain/**", "test/http-replicas/**"];

export const testFiles = (tree: string): string[] => {
  const all = globSync("test/**/*.test.ts", { cwd: tree, exclude: OTHER }).sort(byCodeUnits);
  return [...all.filter((test) => !SLOW.test(test)), ...all.filter((test) => SLOW.test(test))];
};

/** What a browser runs leaves no file: its own folder's tests in browsers may reach it. */
const IN_BROWSER = /^src\/(?:room|report|ask)\/page\//;
const mayReach = (test: string, file: string) =>
  IN_BROWSER.test(file) && /in-(?:browser|chromium)/.test(test) && test.startsWith(`test/${file.split("/")[1]}/`);

export interface Related {
  tests: string[];
  /** They see the built program only. */
  built: boolean;
}

/** The tests that reach a mutant, its own folder's and the quickest first: always one, and as many more as fit in the time. */
export function related(reaches: readonly Reach[], { id, file }: Mutant, budgetMs: number): Related {
  const near = (test: string) => +(test.split("/")[1] === file.split("/")[1]);
  const cheapest = (some: readonly Reach[]) =>
    [...some].sort((a, b) => a.ms / (1 + near(a.test)) - b.ms / (1 + near(b.test)));
  const here = reaches.filter((it) => it.here.includes(id));
  const started = reaches.filter((it) => it.started.includes(id) || mayReach(it.test, file));
  const built = here.length === 0;
  const tests: string[] = [];
  let leftMs = budgetMs;
  for (const { test, ms } of cheapest(built ? started : here)) {
    leftMs -= ms;
    if (leftMs < 0 && tests.length > 0) break;
    tests.push(test);
  }
  return { tests, built };
}
