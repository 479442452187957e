// Everything that is promised as a figure, in one run: starts, calls, bytes, HTTP, watching, history, memory, installed size; each
// beside a floor that is measured in the same run, in turns with it.
// Run: npm run bench [-- --runs 20 --peers --write --json <file>]. With --write the page and its chart are written:
// docs/benchmarks.md; with --json every figure, for programs, as its median, p95 and minimum.

import { writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { measureCalls } from "./calls/calls.ts";
import { measureHistory } from "./history/history.ts";
import { measureHttp } from "./http/load.ts";
import { measureUsers } from "./http/users.ts";
import { measureBytes } from "./lists.ts";
import { startsChart } from "./report/chart.ts";
import { summarised } from "./report/figures.ts";
import { page } from "./report/page.ts";
import { promises } from "./report/promises.ts";
import { measureStarts } from "./start/starts.ts";
import { measureWatching } from "./watching/watch.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "20" },
    seconds: { type: "string", default: "5" },
    sessions: { type: "string", default: "10000" },
    users: { type: "string", default: "1000" },
    peers: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    json: { type: "string" },
  },
});
const runs = Number(values.runs);
const say = (text: string) => console.error(text);

const loadBefore = loadavg()[0] ?? 0;
say("starts");
const starts = await measureStarts(runs, values.peers);
say("calls");
const calls = await measureCalls(runs);
say("bytes");
const bytes = await measureBytes();
say("watching");
const watching = await measureWatching();
say("history");
const history = await measureHistory(Math.min(runs, 5));
say("HTTP");
const http = await measureHttp([32], Number(values.seconds), 3, Number(values.sessions));

say("users");
const users = await measureUsers(Number(values.users), 60);

const machine = `${cpus().length} cores of ${cpus()[0]?.model.trim() || "an unnamed processor"}, Node ${process.versions.node}`;
const measured = { starts, calls, bytes, watching, history, http, users };
const promised = promises(measured);
const circumstances = {
  machine,
  runs,
  load: `${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after it`,
  date: new Date().toISOString().slice(0, 10),
};
const text = page(promised, measured, circumstances);
console.log(text);
if (values.json !== undefined)
  writeFileSync(
    values.json,
    `${JSON.stringify({ ...circumstances, promised, measured: summarised(measured) }, null, 1)}\n`,
  );
if (values.write) {
  writeFileSync(new URL("../docs/benchmarks.md", import.meta.url), text);
  writeFileSync(new URL("../docs/images/benchmarks.svg", import.meta.url), startsChart(starts.figures));
}
