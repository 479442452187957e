import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Mutant } from "./mutants.ts";

/** What became of one mutant; `survived` without tests means that no test runs its line. */
export interface Result {
  id: string;
  outcome: "killed" | "survived" | "timeout";
  tests: number;
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

/** The figures for docs/reliability.md, by room. */
export function summary(mutants: readonly Mutant[], results: readonly Result[]): Record<string, number | string>[] {
  const outcomes = new Map(results.map((result) => [result.id, result]));
  const rooms = [...new Set(mutants.map(({ file }) => file.split("/").slice(0, 2).join("/")))].sort();
  return [...rooms, "all"].map((room) => {
    const here = mutants.filter(({ file }) => room === "all" || file.startsWith(`${room}/`));
    const of = (outcome: Result["outcome"]) => here.filter(({ id }) => outcomes.get(id)?.outcome === outcome).length;
    const tried = here.filter(({ id }) => outcomes.has(id)).length;
    return {
      room,
      mutants: here.length,
      tried,
      killed: of("killed"),
      timeouts: of("timeout"),
      survived: of("survived"),
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
