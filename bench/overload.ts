// `serve` when it is asked more than it can do: calls beyond that are refused, those it takes stay quick, decisions pass.
// Run: npm run bench:overload [-- --seconds 60 --offered 0.5,1,2,4]

import { parseArgs } from "node:util";
import { measureOverload } from "./http/overload.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, offered: { type: "string", default: "0.5,1,2,4" } },
});
const figures = await measureOverload(values.offered.split(",").map(Number), Number(values.seconds));
const { heldPerSecond, steps, lost, undecidedBroadcast, residentMb } = figures;
console.log(`It holds ${Math.round(heldPerSecond)} calls a second.\n`);
console.log(
  "| offered | a second | answered | p50 ms | p99 ms | refused | p50 ms | p99 ms | failed | decisions, unanswered | p99 ms | MB |",
);
console.log("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
const ms = (value: number) => (Number.isNaN(value) ? "–" : value.toFixed(0));
for (const { times, perSecond, answered, refused, failed, decisions, residentMb: mb } of steps) {
  const of = (it: typeof answered) => `${it.count} | ${ms(it.p50Ms)} | ${ms(it.p99Ms)}`;
  const decided = `${decisions.count}, ${decisions.unanswered} | ${ms(decisions.p99Ms)}`;
  console.log(
    `| ${times} × | ${Math.round(perSecond)} | ${of(answered)} | ${of(refused)} | ${failed} | ${decided} | ${mb.toFixed(0)} |`,
  );
}
console.log(`
${lost} decisions were lost, ${undecidedBroadcast} texts went out undecided; resident ${residentMb.before.toFixed(0)} MB before, ${residentMb.after.toFixed(0)} MB after it.`);
