// Small mechanical changes of every folder of the sources: which ones does no test notice?
// Run: node checks/mutations.ts --out FOLDER [--each 20] [--seed 1] [--jobs 1] [--budget SECONDS] [--minutes M]
// Everything is written to the folder as it becomes known; a second run goes on where the first one ended.
// With --than FOLDER, an earlier run's, the same mutants are tried, those noticed there first, and what is not noticed
// any more is listed.

import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { byCodeUnits } from "../src/by-code-units.ts";
import { only, options } from "./harness.ts";
import { folderOf, type Mutant, mutantsOf, mutated, sample } from "./mutations/mutants.ts";
import { buildIn, putProbes, type Reach, reachOf, related, testFiles } from "./mutations/reach.ts";
import { appendLine, type Result, readLines, summary, survivors } from "./mutations/results.ts";
import { copyTree, removeTree } from "./mutations/trees.ts";
import { Tests } from "./mutations/vitest.ts";

const values = options(process.argv.slice(2), {
  each: 20,
  seed: 1,
  jobs: 1,
  budget: 20,
  minutes: 600,
  reach: 600,
  out: "",
  than: "",
});
if (values.out === "") throw new Error("--out names the folder for the list and the results");
const out = values.out;
const began = performance.now();
const isOver = (minutes: number) => performance.now() - began > minutes * 60_000;
const budgetMs = values.budget * 1000;
/** Tests that take three times as long as they did hang. */
const limitMs = 60_000 + 3 * budgetMs;
const checkout = process.cwd();
mkdirSync(out, { recursive: true });
const files = {
  mutants: join(out, "mutants.json"),
  reaches: join(out, "tests.jsonl"),
  results: join(out, "results.jsonl"),
};
const sourceOf = (file: string) => readFileSync(join(checkout, file), "utf8");

/** Every mutant there is, without the catalogues of text. */
function possible(): Mutant[] {
  const sources = globSync("src/**/*.{ts,tsx}", { cwd: checkout, exclude: ["src/text/**"] }).sort(byCodeUnits);
  return sources.flatMap((file) => mutantsOf(file, sourceOf(file)));
}

/** Files are renamed and merged; the line stays. */
const withoutFile = (id: string): string => id.slice(id.indexOf(": "));

/** The list comes first: which mutants there are does not depend on what the tests say. */
function listed(): Mutant[] {
  const all = possible();
  const known = [values.than || out, out].map((folder) => join(folder, "mutants.json")).find(existsSync);
  if (known !== undefined) {
    const now = new Map(all.map((mutant) => [mutant.id, mutant]));
    const moved = Map.groupBy(all, ({ id }) => withoutFile(id));
    const then = JSON.parse(readFileSync(known, "utf8")) as Mutant[];
    const found = (id: string) => {
      const elsewhere = moved.get(withoutFile(id)) ?? [];
      return now.get(id) ?? (elsewhere.length === 1 ? elsewhere[0] : undefined);
    };
    const still = then.flatMap(({ id }) => {
      const mutant = found(id);
      return mutant === undefined ? [] : { ...mutant, id };
    });
    if (still.length < then.length) console.log(`${then.length - still.length} are of lines that are gone`);
    return still;
  }
  const folders = [...new Set(all.map(({ file }) => folderOf(file)))];
  const some = folders.map((folder) =>
    sample(
      all.filter(({ file }) => folderOf(file) === folder),
      values.each,
      values.seed,
      sourceOf,
    ),
  );
  // The first of every folder, then the second: a run that ends early has tried as many of each.
  const turns = Array.from({ length: values.each }, (_, i) => some.flatMap((mutants) => mutants[i] ?? []));
  writeFileSync(files.mutants, JSON.stringify(turns.flat(), null, 1));
  return turns.flat();
}

const mutants = listed();
const trees = Array.from({ length: values.jobs }, () => copyTree(checkout));
process.on("exit", () => trees.forEach(removeTree));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

/** Test files whose reach is asked for at once: the program is loaded once for all of them. */
const BATCH = 24;

/** Each copy of the tree takes the next item when it has done one. */
async function inParallel<T>(items: readonly T[], work: (item: T, tests: Tests) => Promise<void>): Promise<void> {
  const left = [...items];
  const lanes = trees.map(async (tree) => {
    const tests = new Tests(tree);
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item, tests);
    tests.end();
  });
  await Promise.all(lanes);
}

const known = new Set(readLines<{ test: string }>(files.reaches).map(({ test }) => test));
const unknown = testFiles(checkout).filter((test) => !known.has(test));
if (unknown.length > 0) {
  for (const tree of trees) putProbes(tree, mutants);
  const batches = Array.from({ length: Math.ceil(unknown.length / BATCH) }, (_, i) =>
    unknown.slice(i * BATCH, (i + 1) * BATCH),
  );
  await inParallel(batches, async (batch, tests) => {
    if (isOver(values.reach)) return;
    for (const reach of await reachOf(batch, tests, mutants)) appendLine(files.reaches, reach);
    console.log(`${batch.at(-1)}: ${Math.round((performance.now() - began) / 1000)} s`);
  });
  for (const tree of trees) for (const { file } of mutants) writeFileSync(join(tree, file), sourceOf(file));
  for (const tree of trees) buildIn(tree);
}
const reaches = readLines<Partial<Reach>>(files.reaches).filter((it): it is Reach => it.here !== undefined);
console.log(`${reaches.length} of ${testFiles(checkout).length} test files can say something`);

async function tryOne(mutant: Mutant, runner: Tests): Promise<void> {
  if (isOver(values.minutes)) return;
  const { id, file, line, operator } = mutant;
  const then = noticedThen.get(id);
  const { tests, built } = related(reaches, mutant, then ? Number.POSITIVE_INFINITY : budgetMs);
  const source = sourceOf(file);
  const put = (text: string) => {
    writeFileSync(join(runner.tree, file), text);
    runner.hasChanged(file);
    return !built || tests.length === 0 || buildIn(runner.tree);
  };
  const isBuilt = put(mutated(source, mutant));
  const run = isBuilt && tests.length > 0 ? await runner.run(tests, then ? 10 * limitMs : limitMs) : undefined;
  put(source);
  const outcome = !isBuilt ? "failed" : run === undefined || run.outcome === "passed" ? "survived" : run.outcome;
  const result: Result = {
    id,
    outcome: outcome === "failed" ? "killed" : outcome,
    tests: tests.length,
    built,
    ms: run?.ms ?? 0,
    ...(run?.failed !== undefined && { failed: run.failed }),
  };
  appendLine(files.results, result);
  console.log(`${result.outcome.padEnd(8)} ${file}:${line} ${operator} (${tests.length} files, ${result.ms} ms)`);
}

const done = new Set(readLines<Result>(files.results).map(({ id }) => id));
const noticedThen = new Map(
  readLines<Result>(join(values.than || out, "results.jsonl"))
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
const lost = values.than ? results.filter(({ id, outcome }) => outcome === "survived" && noticedThen.has(id)) : [];
for (const { id } of lost) console.log(`lost: ${id}  by "${noticedThen.get(id)?.failed}"`);
await only(async () => {
  const survived = results.filter(({ outcome }) => outcome === "survived").length;
  const said = `${results.length} of ${mutants.length} tried, ${results.length - survived} noticed`;
  return { ok: lost.length === 0, line: values.than ? `${said}; ${lost.length} noticed there and not here` : said };
});
