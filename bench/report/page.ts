import { least, type Measured, median, p95 } from "./figures.ts";
import type { Promised } from "./promises.ts";

interface Circumstances {
  date: string;
  machine: string;
  runs: number;
  /** The machine's load before and after the run. */
  load: string;
}

const three = (values: readonly number[], digits = 0) =>
  [median(values), p95(values), least(values)].map((value) => value.toFixed(digits)).join(" / ");

/** docs/benchmarks.md: what is promised, and every figure behind it. */
export function page(promised: readonly Promised[], measured: Measured, { date, machine, runs, load }: Circumstances) {
  const { starts, calls, watching, http, users } = measured;
  const { count, seconds, before, after } = http.sessions;
  const rows = (lines: (string | number)[][]) => lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
  return `# Benchmarks

What \`npm run bench -- --peers --write\` measured on ${date}: ${machine}; ${runs} runs of everything, in turns; load
${load}. Three figures are median, p95 and minimum. A ratio is to the floor that ran beside it.

![How long each server takes from its start to its list of tools](images/benchmarks.svg)

| figure | measured | aim | |
|---|---|---|---|
${rows(promised.map(({ figure, measured: value, atMost, isKept }) => [figure, value, atMost, isKept ? "✓" : "missed"]))}

## Starts
From the start of the process to the answer. Peers are started with keys that open nothing, and only list.

| server | listed, ms | first call, ms | resident, MB | after the call, MB |
|---|---:|---:|---:|---:|
${rows(
  starts.figures.map(({ label, starts: all }) => {
    const of = (key: keyof (typeof all)[number], digits = 0) =>
      three(
        all.map((it) => it[key]),
        digits,
      );
    const isCalled = all.some((it) => it.calledMs > it.listedMs + 0.5);
    return [
      label,
      of("listedMs"),
      isCalled ? of("calledMs") : "–",
      of("residentListedMb"),
      isCalled ? of("residentCalledMb") : "–",
    ];
  }),
)}

## Calls
Milliseconds over stdio, against the same backend on loopback.

| call | one at a time | each of 50 at once |
|---|---:|---:|
${rows(calls.map(({ name, sequentialMs, atOnceMs }) => [name, three(sequentialMs, 2), three(atOnceMs, 2)]))}

## HTTP
| server and call | calls/s | p50 ms | p99 ms | failed |
|---|---:|---:|---:|---:|
${rows(http.rows.map((it) => [it.name, Math.round(it.perSecond), it.p50.toFixed(1), it.p99.toFixed(1), it.failed]))}

After ${count} sessions of the 2025 era, opened and closed in ${seconds.toFixed(0)} s: resident memory
${before.rssMb.toFixed(0)} → ${after.rssMb.toFixed(0)} MB, heap ${before.heapMb.toFixed(0)} → ${after.heapMb.toFixed(0)} MB.

${users.users.toLocaleString("en")} users with ten negotiations each, for a minute: the SDK's own handler with one GET holds
${Math.round(users.heldPerSecond)} calls a second at a p99 of 200 ms; at ${Math.round(users.perSecond)} mixed calls a second \`serve\` has a p50 of ${users.p50Ms.toFixed(1)} ms, a p99 of ${users.p99Ms.toFixed(1)} ms,
${users.failed} of ${users.sent} failed, ${users.residentMb.toFixed(0)} MB resident.

## Watching
One negotiation of about 18 s on a simulated clock: how often the backend is read, and how late news is seen.

| way | reads | median delay, ms | longest, ms |
|---|---:|---:|---:|
${rows(
  [
    ["adaptive, woken by the feed", watching.wokenByFeed] as const,
    ["adaptive, without a feed", watching.adaptive] as const,
    ["a fixed poll of 3 s", watching.fixed] as const,
  ].map(([way, { requests, medianDelayMs, worstDelayMs }]) => [way, requests, medianDelayMs, worstDelayMs]),
)}
`;
}
