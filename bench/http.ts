// Tool calls over HTTP: a second, and how long each takes, beside the SDK's own handler with one empty tool, a bare JSON
// endpoint and bare node:http, in the same run; and what 10,000 sessions leave behind.
// Run: npm run bench:http [-- --seconds 8 --rounds 3 --sessions 10000]

import { parseArgs } from "node:util";
import { measureHttp } from "./http/load.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
    sessions: { type: "string", default: "10000" },
  },
});
const { rows, sessions } = await measureHttp(
  [1, 32, 256],
  Number(values.seconds),
  Number(values.rounds),
  Number(values.sessions),
);
console.log("| server and call | in flight | calls/s | p50 ms | p95 ms | p99 ms | failed |");
console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const { name, inFlight, perSecond, p50, p95, p99, failed } of rows) {
  const ms = [p50, p95, p99].map((value) => value.toFixed(1)).join(" | ");
  console.log(`| ${name} | ${inFlight} | ${Math.round(perSecond)} | ${ms} | ${failed} |`);
}
const { count, seconds, before, after } = sessions;
const mb = (n: number) => n.toFixed(0);
console.log(`
${count} sessions of the 2025 era opened and closed in ${seconds.toFixed(0)} s; resident memory ${mb(before.rssMb)} → \
${mb(after.rssMb)} MB, heap ${mb(before.heapMb)} → ${mb(after.heapMb)} MB.`);
