import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { runVitest } from "./vitest.ts";

/** What one test file takes, and the lines of each file that it runs. */
export interface Covered {
  test: string;
  ms: number;
  lines: Record<string, number[]>;
}

/** These start the built program, where a mutant of the sources is not. */
const BUILT = ["test/e2e/**", "test/setup/**", "test/docs/**", "test/supply-chain/**", "test/http-replicas/**"];
/** A test file that takes longer helps nobody to decide about hundreds of mutants. */
const MAX_TEST_MS = 60_000;

export const testFiles = (tree: string): string[] =>
  globSync("test/**/*.test.ts", { cwd: tree, exclude: BUILT }).sort();

interface Place {
  start: { line: number };
  end: { line: number };
}

interface FileCoverage {
  statementMap: Record<string, Place>;
  s: Record<string, number>;
}

const linesOf = ({ start, end }: Place): number[] =>
  Array.from({ length: end.line - start.line + 1 }, (_, i) => start.line + i);

/** The lines that were run. Of statements within each other the inner one says, of those on one line any. */
function linesRun({ statementMap, s }: FileCoverage): number[] {
  const [run, left]: [Place[], Place[]] = [[], []];
  for (const [id, place] of Object.entries(statementMap)) ((s[id] ?? 0) > 0 ? run : left).push(place);
  const lines = new Set(run.flatMap(linesOf));
  for (const line of left.flatMap(linesOf)) lines.delete(line);
  for (const { start } of run) lines.add(start.line);
  return [...lines];
}

/** Runs one test file as it is: undefined when it fails or takes too long, and so can say nothing about a mutant. */
export async function coverageOf(test: string, tree: string, rooms: readonly string[]): Promise<Covered | undefined> {
  const folder = join(tree, "mutations-coverage");
  rmSync(folder, { recursive: true, force: true });
  const run = await runVitest(tree, [test], MAX_TEST_MS, [
    "--coverage.enabled",
    "--coverage.reporter=json",
    `--coverage.reportsDirectory=${folder}`,
    ...rooms.map((room) => `--coverage.include=${room}/**`),
  ]);
  if (run.outcome !== "passed") return undefined;
  const report: Record<string, FileCoverage> = JSON.parse(readFileSync(join(folder, "coverage-final.json"), "utf8"));
  const files = Object.entries(report).map(([path, file]) => [path.slice(tree.length + 1), linesRun(file)] as const);
  return { test, ms: run.testsMs, lines: Object.fromEntries(files.filter(([, lines]) => lines.length > 0)) };
}

/** The tests that run a line, the quickest first: always one, and as many more as fit in the time. */
export function related(covered: readonly Covered[], file: string, line: number, budgetMs: number): string[] {
  const tests = covered.filter(({ lines }) => lines[file]?.includes(line)).sort((a, b) => a.ms - b.ms);
  const some: string[] = [];
  let leftMs = budgetMs;
  for (const { test, ms } of tests) {
    leftMs -= ms;
    if (leftMs < 0 && some.length > 0) break;
    some.push(test);
  }
  return some;
}
