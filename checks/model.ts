// Sequences of commands at one home (programs, people, faults) against a model of what must become of each demand.
// Run: node checks/model.ts [--runs N] [--seed S] [--only LIFE]. A failure is shrunk, and says how it replays.

import { parseArgs } from "node:util";
import fc from "fast-check";
import { anyLife, calmLife } from "../test/faults/commands.ts";
import { live } from "../test/faults/life.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "1000" },
    seed: { type: "string", default: "1" },
    path: { type: "string" },
    replay: { type: "string" },
    only: { type: "string" },
  },
});
const rows = [];
for (const [name, life] of Object.entries({ calm: calmLife, anything: anyLife })) {
  if (values.only !== undefined && values.only !== name) continue;
  const row = { sequences: 0, predicted: 0, negotiations: 0, "confirmed by the person": 0, calls: 0, violations: 0 };
  const property = fc.asyncProperty(life(values.replay), async (commands) => {
    const lived = await live(commands);
    row.sequences += 1;
    row.predicted += lived.calm ? 1 : 0;
    row.negotiations += lived.negotiations;
    row["confirmed by the person"] += lived.confirmed;
    row.calls += lived.calls;
  });
  const { seed, path } = { seed: Number(values.seed), path: values.path };
  const details = await fc.check(property, { numRuns: Number(values.runs), seed, ...(path && { path }) });
  rows.push({ life: name, ...row, violations: details.failed ? 1 : 0 });
  if (!details.failed) continue;
  console.log(fc.defaultReportMessage(details));
  console.log((details.errorInstance as Error | null)?.message);
  const replay = /replayPath="([^"]*)"/.exec(fc.stringify(details.counterexample))?.[1];
  console.log(`--seed ${seed} --only ${name} --path=${details.counterexamplePath} --replay=${replay}`);
  process.exitCode = 1;
}
console.table(rows);
process.exit(); // calls of killed programs wait for ever
