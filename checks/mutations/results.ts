import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { folderOf, type Mutant } from "./mutants.ts";

/** What became of one mutant; `survived` without tests means that no test runs its place. */
export interface Result {
  id: string;
  outcome: "killed" | "survived" | "timeout";
  tests: number;
  /** Only tests that start the built program reach it. */
  built: boolean;
  ms: number;
  failed?: string;
}

/** The lines of a JSONL file; a last line that was cut off when its program ended is done again. */
export function readLines<T>(file: string): T[] {
  if (!existsSync(file)) return [];
  const whole = readFileSync(file, "utf8");
  const complete = whole.slice(0, whole.lastIndexOf("\n") + 1);
  if (complete !== whole) writeFileSync(file, complete);
  return complete
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}

export const appendLine = (file: string, line: unknown): void => appendFileSync(file, `${JSON.stringify(line)}\n`);

/** The figures for docs/reliability.md, by folder. */
export function summary(mutants: readonly Mutant[], results: readonly Result[]): Record<string, number | string>[] {
  const outcomes = new Map(results.map((result) => [result.id, result]));
  const folders = [...new Set(mutants.map(({ file }) => folderOf(file)))].sort(byCodeUnits);
  return [...folders, "all"].map((folder) => {
    const here = mutants.filter(({ file }) => folder === "all" || folderOf(file) === folder);
    const of = (outcome: Result["outcome"]) => here.filter(({ id }) => outcomes.get(id)?.outcome === outcome).length;
    const tried = here.filter(({ id }) => outcomes.has(id)).length;
    return {
      folder,
      mutants: here.length,
      tried,
      killed: of("killed"),
      timeouts: of("timeout"),
      survived: of("survived"),
      unreached: here.filter(({ id }) => outcomes.get(id)?.tests === 0).length,
    };
  });
}

/** One line for each mutant that lives. */
export function survivors(mutants: readonly Mutant[], results: readonly Result[]): string[] {
  const lived = new Map(results.filter(({ outcome }) => outcome === "survived").map((result) => [result.id, result]));
  return mutants
    .filter(({ id }) => lived.has(id))
    .map(({ id, file, line, operator, before, after }) => {
      const cut = (text: string) => text.replaceAll(/\s+/g, " ").slice(0, 70);
      return `${file}:${line}  ${operator}: ${cut(before)} → ${cut(after)}  (${lived.get(id)?.tests} test files)`;
    });
}
