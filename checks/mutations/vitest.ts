import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

export type Outcome = "passed" | "failed" | "timeout";

export interface Run {
  outcome: Outcome;
  ms: number;
  /** What the tests themselves took, without the start. */
  testsMs: number;
  /** The first failing test, as Vitest names it, or what else went wrong. */
  failed?: string;
}

interface Assertion {
  status: string;
  fullName: string;
}

interface FileResult {
  name: string;
  message: string;
  startTime: number;
  endTime: number;
  assertionResults: Assertion[];
}

function resultsIn(report: string): FileResult[] {
  try {
    return (JSON.parse(readFileSync(report, "utf8")) as { testResults: FileResult[] }).testResults;
  } catch {
    return []; // Vitest ended before it could write
  }
}

function firstFailure(results: readonly FileResult[]): string {
  for (const { name, message, assertionResults } of results) {
    const failed = assertionResults.find(({ status }) => status === "failed");
    if (failed !== undefined) return failed.fullName;
    if (message !== "") return `${name.split("/test/").at(-1)}: ${message.split("\n")[0]}`;
  }
  return "an error outside the tests";
}

const groups = new Set<number>();
const endGroup = (pid: number) => {
  groups.delete(pid);
  try {
    process.kill(-pid, "SIGKILL");
  } catch {} // it has ended
};
process.on("exit", () => groups.forEach(endGroup));

/** Runs test files in a copy of the tree until one fails, or until the time is over; what it started ends with it. */
export async function runVitest(
  tree: string,
  tests: readonly string[],
  limitMs: number,
  more: readonly string[] = [],
): Promise<Run> {
  const report = join(tree, "mutations-report.json");
  rmSync(report, { force: true });
  const started = performance.now();
  const options = ["--config", "checks/mutations/vitest.config.ts", "--root", tree, "--bail", "1"];
  const program = [join(tree, "node_modules/vitest/vitest.mjs"), "run", ...tests, ...options];
  const child = spawn(process.execPath, [...program, "--outputFile", report, ...more], {
    cwd: tree,
    detached: true, // its own group: workers in an endless loop end with it
    stdio: "ignore",
    env: { ...process.env, MUTATIONS_TESTS: tests.join(",") },
  });
  const pid = child.pid!;
  groups.add(pid);
  let over = false;
  const timer = setTimeout(() => {
    over = true;
    endGroup(pid);
  }, limitMs);
  const code = await new Promise<number | null>((done) => child.on("exit", done));
  clearTimeout(timer);
  endGroup(pid);
  const results = resultsIn(report);
  const testsMs = Math.round(results.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0));
  const times = { ms: Math.round(performance.now() - started), testsMs };
  if (over) return { outcome: "timeout", ...times };
  return code === 0 ? { outcome: "passed", ...times } : { outcome: "failed", ...times, failed: firstFailure(results) };
}
