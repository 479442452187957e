// Throws inputs at every parser (test/fuzz/targets.ts) and prints what broke.
// Run: node checks/faults.ts fuzz [--minutes M] [--seed N] [--only name], M for all targets together. A finding replays with its seed: --only name --seed N
// --minutes 0. Each target runs in a process of its own, which is ended when it says nothing for a minute.

import { fork } from "node:child_process";
import { type Finding, fuzzBatch } from "../../test/fuzz/target.ts";
import { TARGETS } from "../../test/fuzz/targets.ts";
import { counted, type Found, options } from "../harness.ts";

const SILENT_MS = 120_000;
const MAX_FINDINGS = 5;

interface Report {
  seed: number;
  inputs: number;
  finding?: Finding;
}
interface Row {
  name: string;
  inputs: number;
  findings: Finding[];
}

export default async function fuzz(args: string[]): Promise<Found> {
  const { minutes, seed, only } = options(args, { minutes: 10, seed: 1, only: "" });
  const chosen = TARGETS.filter(({ name }) => only === "" || name === only);
  if (chosen.length === 0) throw new Error(`no such target; there are ${TARGETS.map(({ name }) => name).join(", ")}`);
  return process.send ? fuzzOne(chosen[0]!, seed, minutes) : fuzzAll(chosen, seed, minutes / chosen.length);
}

/** In the child: batch after batch, each reported. */
async function fuzzOne(it: (typeof TARGETS)[number], first: number, minutes: number): Promise<never> {
  const lost: unknown[] = [];
  process.on("uncaughtException", (error) => void lost.push(error));
  process.on("unhandledRejection", (error) => void lost.push(error));
  const stray = { take: () => lost.shift() };
  const until = Date.now() + minutes * 60_000;
  let seed = first;
  do {
    const { tried, finding } = await fuzzBatch(it, seed, { stray }).catch((error: unknown) => ({
      tried: 0,
      finding: { seed, kind: "crash" as const, input: "none: it did not open", error: String(error) },
    }));
    const report: Report = { seed, inputs: tried, ...(finding && { finding }) };
    await new Promise((sent) => process.send!(report, sent)); // what is still on its way is lost at the exit
    seed += 1;
  } while (Date.now() < until);
  process.exit(0);
}

/** In the parent: one child a target, one after the other. */
async function fuzzAll(chosen: readonly { name: string }[], first: number, minutes: number): Promise<Found> {
  const rows: Row[] = [];
  for (const { name } of chosen) {
    const row: Row = { name, inputs: 0, findings: [] };
    rows.push(row);
    const until = Date.now() + minutes * 60_000;
    let seed = first;
    do {
      const left = Math.max(0, until - Date.now()) / 60_000;
      seed = (await watched(row, seed, left)) + 1;
    } while (Date.now() < until && row.findings.length < MAX_FINDINGS);
    process.stderr.write(`${name}: ${row.inputs} inputs, ${row.findings.length} findings\n`);
  }
  print(rows);
  const [inputs, findings] = [sum(rows, (row) => row.inputs), sum(rows, (row) => row.findings.length)];
  const line = `${counted(rows.length, "target")}, ${counted(inputs, "input")}, ${counted(findings, "finding")}`;
  return { ok: findings === 0, line };
}

/** Runs a child until it ends, goes silent or has found enough; gives the last seed that it began. */
function watched(row: Row, seed: number, minutes: number): Promise<number> {
  const args = ["fuzz", "--only", row.name, "--seed", String(seed), "--minutes", String(minutes)];
  const child = fork(new URL("../faults.ts", import.meta.url), args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  let next = seed;
  const silent = () => {
    const error = `nothing for ${SILENT_MS / 1000} s`;
    row.findings.push({ seed: next, kind: "hang", input: "see the seed", error });
    child.kill("SIGKILL");
  };
  let timer = setTimeout(silent, SILENT_MS);
  child.on("message", ({ seed: done, inputs, finding }: Report) => {
    clearTimeout(timer);
    timer = setTimeout(silent, SILENT_MS);
    next = done + 1;
    row.inputs += inputs;
    if (finding) row.findings.push(finding);
    if (row.findings.length >= MAX_FINDINGS) child.kill("SIGKILL");
  });
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      // Neither its own end nor ours: out of memory, for one.
      if (code !== 0 && !child.killed)
        row.findings.push({
          seed: next,
          kind: "crash",
          input: "see the seed",
          error: `the process ended with ${code ?? signal}`,
        });
      resolve(next);
    });
  });
}

const sum = (rows: readonly Row[], of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0);

function print(rows: readonly Row[]): void {
  const count = ({ findings }: Row, kind: Finding["kind"]) => findings.filter((f) => f.kind === kind).length;
  const lines = rows.map((row) => {
    const worst = row.findings[0]?.seed ?? "–";
    return `| ${row.name} | ${row.inputs} | ${count(row, "crash")} | ${count(row, "hang")} | ${worst} |`;
  });
  process.stdout.write(
    `| target | inputs | crashes | hangs | worst seed |\n|---|---|---|---|---|\n${lines.join("\n")}\n`,
  );
  for (const { name, findings } of rows)
    for (const { seed, kind, input, error } of findings)
      process.stdout.write(`\n${name}, seed ${seed}: ${kind}\n  ${input.slice(0, 600)}\n  ${error.slice(0, 1_200)}\n`);
}
