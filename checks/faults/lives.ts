// Random faults, kills and people over the in-process server, checked against a model of who saw and decided what.
// Run: node checks/faults.ts lives [--runs N] [--seed S] [--mix "name"] [--trace] [--twice]. A failing run replays from its seed;
// with --twice every run is lived a second time, which must come to the same.

import { byCodeUnits } from "../../src/by-code-units.ts";
import { MIXES } from "../../test/faults/mixes.ts";
import { type Report, run } from "../../test/faults/run.ts";
import { counted, type Found, options } from "../harness.ts";

function sum(list: number[]): number {
  return list.reduce((a, b) => a + b, 0);
}

export default async function lives(args: string[]): Promise<Found> {
  const given = { runs: 2_600, seed: 1, mix: "", trace: false, twice: false, minutes: 60 };
  const { runs, seed: first, mix, trace, twice, minutes } = options(args, given);
  const count = trace ? 1 : runs;
  const until = Date.now() + minutes * 60_000;
  const reports: Omit<Report, "trace">[] = [];
  const unlike: number[] = [];
  for (let seed = first; seed < first + count && Date.now() < until; seed++) {
    const drawn = MIXES.find((m) => m.name === mix) ?? MIXES[seed % MIXES.length]!;
    const lived = await run(seed, drawn);
    if (twice && JSON.stringify(await run(seed, drawn)) !== JSON.stringify(lived)) unlike.push(seed);
    const { trace: lines, ...report } = lived;
    reports.push(report);
    if (trace) process.stdout.write(`${lines.join("\n")}\n`);
  }

  if (unlike.length > 0) console.log("came to something else the second time: seeds", unlike.join(" "));

  const table = MIXES.map(({ name }) => {
    const mine = reports.filter((r) => r.mix === name);
    const worst = mine.toSorted((a, b) => b.violations.length - a.violations.length)[0];
    return {
      mix: name,
      runs: mine.length,
      negotiations: sum(mine.map((r) => r.negotiations)),
      calls: sum(mine.map((r) => r.calls)),
      requests: sum(mine.map((r) => r.requests)),
      violations: sum(mine.map((r) => r.violations.length)),
      "worst seed": worst && worst.violations.length > 0 ? worst.seed : "",
    };
  }).filter((row) => row.runs > 0);
  console.table(table);

  const MET = "met: ";
  const met = new Set(reports.flatMap((r) => Object.keys(r.counts).filter((what) => what.startsWith(MET))));
  console.table(
    [...met].sort(byCodeUnits).map((what) => {
      const mine = reports.filter((r) => (r.counts[what] ?? 0) > 0);
      const worst = mine.toSorted((a, b) => b.violations.length - a.violations.length)[0];
      return {
        fault: what.slice(MET.length),
        times: sum(mine.map((r) => r.counts[what] ?? 0)),
        runs: mine.length,
        negotiations: sum(mine.map((r) => r.negotiations)),
        violations: sum(mine.map((r) => r.violations.length)),
        "worst seed": worst && worst.violations.length > 0 ? worst.seed : "",
      };
    }),
  );

  const kinds = new Map<string, { count: number; seeds: number[]; example: string }>();
  for (const { seed, violations } of reports)
    for (const { invariant, kind, detail } of violations) {
      const key = `(${invariant}) ${kind}`;
      const entry = kinds.get(key) ?? { count: 0, seeds: [], example: detail };
      entry.count += 1;
      if (entry.seeds.length < 5 && !entry.seeds.includes(seed)) entry.seeds.push(seed);
      kinds.set(key, entry);
    }
  for (const [kind, { count, seeds, example }] of [...kinds].sort((a, b) => b[1].count - a[1].count))
    console.log(`${kind}: ${count}, seeds ${seeds.join(" ")}\n    ${example}`);

  const counts = new Map<string, number>();
  for (const report of reports)
    for (const [what, n] of Object.entries(report.counts))
      counts.set(what, what.startsWith("longest") ? Math.max(counts.get(what) ?? 0, n) : (counts.get(what) ?? 0) + n);
  console.log("\ncounted:");
  for (const [what, n] of [...counts].sort(([one], [other]) => byCodeUnits(one, other)))
    if (!what.startsWith(MET)) console.log(`  ${what}: ${n}`);
  const all = (of: (report: (typeof reports)[number]) => number) => sum(reports.map(of));
  const violations = all((r) => r.violations.length);
  return {
    ok: kinds.size === 0 && unlike.length === 0,
    line: `${counted(reports.length, "run")}, ${all((r) => r.negotiations)} negotiations, ${all((r) => r.calls)} calls, ${counted(violations, "violation")}`,
  };
}
