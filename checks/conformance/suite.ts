// Runs the official conformance suite, and reads what it saw.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = new URL("../../node_modules/@modelcontextprotocol/conformance/", import.meta.url);
const { name, version } = JSON.parse(readFileSync(new URL("package.json", FOLDER), "utf8"));
export const SUITE = `${name}@${version}`;
/** For one that hangs, not for one on a busy machine. */
const SCENARIO_MS = 120_000;
export const ERAS = ["2025-11-25", "2026-07-28"] as const;
/** Those of the tasks extension, which the suite runs only when they are named. */
export const TASKS = [
  "capability-negotiation",
  "dispatch-and-envelope",
  "lifecycle",
  "mrtr-composition",
  "mrtr-input",
  "request-headers",
  "request-state-removal",
  "required-task-error",
  "status-notifications",
  "wire-fields",
].map((name) => `tasks-${name}`);

export interface Check {
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  id: string;
  errorMessage?: string;
}
export interface Scenario {
  name: string;
  era: string;
  passed: number;
  failures: Check[];
  warnings: Check[];
  /** Nothing was checked. */
  isSkipped: boolean;
}

/**
 * Every scenario of one era, and of the extension's where it has them. In some the suite waits 600 ms for an answer, which a
 * busy machine may not give it: what failed is run once more, alone.
 */
export async function scenariosOf(era: string, url: string): Promise<Scenario[]> {
  const all = run(era, url, ["--suite", "all"]);
  const ofTasks: Scenario[] = [];
  if (era === ERAS[1])
    for (const name of TASKS) ofTasks.push(...(await run(era, url, ["--scenario", name, "--force"])));
  const scenarios = [...(await all), ...ofTasks];
  for (const [i, { name, failures, warnings }] of scenarios.entries())
    if (failures.length + warnings.length > 0)
      scenarios.splice(i, 1, ...(await run(era, url, ["--scenario", name, "--force"])));
  return scenarios;
}

async function run(era: string, url: string, which: string[]): Promise<Scenario[]> {
  const dir = mkdtempSync(join(tmpdir(), "towow-conformance-"));
  try {
    const cli = fileURLToPath(new URL("dist/index.js", FOLDER));
    const limits = ["--timeout", String(SCENARIO_MS)];
    const args = [cli, "server", "--url", url, ...which, "--spec-version", era, "--output-dir", "out", ...limits];
    await ended(process.execPath, args, dir); // its exit code counts what cannot pass here, too
    return readdirSync(join(dir, "out"))
      .map((folder) => scenarioOf(era, folder, checksIn(join(dir, "out", folder, "checks.json"))))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A scenario that breaks off leaves no file. */
const checksIn = (file: string): Check[] =>
  existsSync(file)
    ? JSON.parse(readFileSync(file, "utf8"))
    : [{ status: "FAILURE", id: "broke-off", errorMessage: "the scenario broke off" }];

function scenarioOf(era: string, folder: string, checks: Check[]): Scenario {
  const of = (wanted: Check["status"]) => checks.filter(({ status }) => status === wanted);
  const [passed, failures, warnings] = [of("SUCCESS").length, of("FAILURE"), of("WARNING")];
  const name = folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT.*$/, "");
  return { name, era, passed, failures, warnings, isSkipped: passed + failures.length + warnings.length === 0 };
}

function ended(command: string, args: string[], cwd: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "ignore", "inherit"] });
    child.once("error", reject);
    child.once("exit", resolve);
  });
}
