// Small mechanical changes of the core, of what asks and of what cleans: which ones does no test notice?
// Run: node checks/mutations.ts [--mutants N] [--seed S] [--jobs N] [--budget SECONDS] --out FOLDER
// Everything is written to the folder as it becomes known; a second run goes on where the first one ended.
// With --than FOLDER, an earlier run's, the mutants that were noticed there come first, and those that are not noticed
// any more are listed.

import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Mutant, mutantsOf, mutated, sample } from "./mutations/mutants.ts";
import { type Covered, coverageOf, related, testFiles } from "./mutations/related.ts";
import { appendLine, type Result, readLines, summary, survivors } from "./mutations/results.ts";
import { copyTree, removeTree } from "./mutations/trees.ts";
import { runVitest } from "./mutations/vitest.ts";

const ROOMS = ["src/negotiation", "src/ask", "src/safety"];

const { values } = parseArgs({
  options: {
    mutants: { type: "string", default: "300" },
    seed: { type: "string", default: "1" },
    jobs: { type: "string", default: "3" },
    budget: { type: "string", default: "20" },
    out: { type: "string" },
    than: { type: "string" },
  },
});
if (values.out === undefined) throw new Error("--out names the folder for the list and the results");
const out = values.out;
const budgetMs = Number(values.budget) * 1000;
/** Tests that take three times as long as they did hang. */
const limitMs = 60_000 + 3 * budgetMs;
const checkout = process.cwd();
mkdirSync(out, { recursive: true });
const files = {
  mutants: join(out, "mutants.json"),
  covered: join(out, "tests.jsonl"),
  results: join(out, "results.jsonl"),
};

/** The list comes first: which mutants there are does not depend on what the tests say. */
function listed(): Mutant[] {
  if (!existsSync(files.mutants)) {
    const sources = ROOMS.flatMap((room) => globSync(`${room}/**/*.ts`, { cwd: checkout })).sort();
    const all = sources.flatMap((file) => mutantsOf(file, readFileSync(join(checkout, file), "utf8")));
    console.log(`${all.length} mutants are possible`);
    writeFileSync(files.mutants, JSON.stringify(sample(all, Number(values.mutants), Number(values.seed)), null, 1));
  }
  return JSON.parse(readFileSync(files.mutants, "utf8")) as Mutant[];
}

const mutants = listed();
const trees = Array.from({ length: Number(values.jobs) }, () => copyTree(checkout));
process.on("exit", () => trees.forEach(removeTree));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

/** Each copy of the tree takes the next item when it has done one. */
async function inParallel<T>(items: readonly T[], work: (item: T, tree: string) => Promise<void>): Promise<void> {
  const left = [...items];
  const lanes = trees.map(async (tree) => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item, tree);
  });
  await Promise.all(lanes);
}

const known = new Set(readLines<{ test: string }>(files.covered).map(({ test }) => test));
await inParallel(
  testFiles(checkout).filter((test) => !known.has(test)),
  async (test, tree) => appendLine(files.covered, (await coverageOf(test, tree, ROOMS)) ?? { test }),
);
const covered = readLines<Partial<Covered>>(files.covered).filter((it): it is Covered => it.lines !== undefined);
console.log(`${covered.length} of ${known.size || readLines(files.covered).length} test files can say something`);

async function tryOne(mutant: Mutant, tree: string): Promise<void> {
  const { id, file, line } = mutant;
  const source = readFileSync(join(checkout, file), "utf8");
  writeFileSync(join(tree, file), mutated(source, mutant));
  let tests = related(covered, file, line, budgetMs);
  let run = tests.length === 0 ? undefined : await runVitest(tree, tests, limitMs);
  if (run?.outcome === "passed" && noticedThen.has(id)) {
    tests = related(covered, file, line, Number.POSITIVE_INFINITY); // the one that noticed it may be among the slow
    run = await runVitest(tree, tests, 10 * limitMs);
  }
  writeFileSync(join(tree, file), source);
  const outcome = run === undefined || run.outcome === "passed" ? "survived" : run.outcome;
  const result: Result = {
    id,
    outcome: outcome === "failed" ? "killed" : outcome,
    tests: tests.length,
    ms: run?.ms ?? 0,
    ...(run?.failed !== undefined && { failed: run.failed }),
  };
  appendLine(files.results, result);
  console.log(
    `${result.outcome.padEnd(8)} ${file}:${line} ${mutant.operator} (${tests.length} files, ${result.ms} ms)`,
  );
}

const done = new Set(readLines<Result>(files.results).map(({ id }) => id));
const noticedThen = new Map(
  readLines<Result>(join(values.than ?? out, "results.jsonl"))
    .filter(({ outcome }) => outcome !== "survived")
    .map((result) => [result.id, result]),
);
await inParallel(
  mutants.filter(({ id }) => !done.has(id)).sort((a, b) => +noticedThen.has(b.id) - +noticedThen.has(a.id)),
  tryOne,
);

const results = readLines<Result>(files.results);
console.log(survivors(mutants, results).join("\n"));
console.table(summary(mutants, results));
if (values.than !== undefined) {
  const lost = results.filter(({ id, outcome }) => outcome === "survived" && noticedThen.has(id));
  console.log(`noticed in ${values.than} and not here: ${lost.length}`);
  for (const { id } of lost) console.log(`${id}  by "${noticedThen.get(id)?.failed}"`);
  process.exitCode = lost.length === 0 ? 0 : 1;
}
