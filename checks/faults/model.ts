// Sequences of commands at one home (programs, people, faults) against a model of what must become of each demand.
// Run: node checks/faults.ts model [--runs N] [--seed S] [--only LIFE]. A failure is shrunk, and says how it replays.

import fc from "fast-check";
import { anyLife, calmLife } from "../../test/faults/commands.ts";
import { live } from "../../test/faults/life.ts";
import { counted, type Found, options } from "../harness.ts";

export default async function model(args: string[]): Promise<Found> {
  const { runs, seed, path, replay, only } = options(args, { runs: 3_000, seed: 1, path: "", replay: "", only: "" });
  const rows: {
    [key: string]: number | string;
    sequences: number;
    negotiations: number;
    calls: number;
    violations: number;
  }[] = [];
  for (const [name, life] of Object.entries({ calm: calmLife, anything: anyLife })) {
    if (only !== "" && only !== name) continue;
    const row = { sequences: 0, predicted: 0, negotiations: 0, "confirmed by the person": 0, calls: 0, violations: 0 };
    const property = fc.asyncProperty(life(replay || undefined), async (commands) => {
      const lived = await live(commands);
      row.sequences += 1;
      row.predicted += lived.calm ? 1 : 0;
      row.negotiations += lived.negotiations;
      row["confirmed by the person"] += lived.confirmed;
      row.calls += lived.calls;
    });
    const details = await fc.check(property, { numRuns: runs, seed, ...(path && { path }) });
    rows.push({ life: name, ...row, violations: details.failed ? 1 : 0 });
    if (!details.failed) continue;
    console.log(fc.defaultReportMessage(details));
    console.log((details.errorInstance as Error | null)?.message);
    const shrunk = /replayPath="([^"]*)"/.exec(fc.stringify(details.counterexample))?.[1];
    console.log(`--seed ${seed} --only ${name} --path=${details.counterexamplePath} --replay=${shrunk}`);
  }
  console.table(rows);
  const all = (of: "sequences" | "negotiations" | "calls" | "violations") =>
    rows.reduce((sum, row) => sum + row[of], 0);
  return {
    ok: all("violations") === 0,
    line: `${counted(all("sequences"), "sequence")}, ${all("negotiations")} negotiations, ${all("calls")} calls, ${counted(all("violations"), "violation")}`,
  };
}
