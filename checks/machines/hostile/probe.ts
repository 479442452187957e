// Loaded into a server with `--import`: measures its event loop, and writes what it saw to TOWOW_PROBE_FILE at SIGUSR2.
import { writeFileSync } from "node:fs";
import { createHistogram, type Histogram, monitorEventLoopDelay } from "node:perf_hooks";

const RESOLUTION_MS = 10;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delay.enable();

/** What the main thread itself worked between two ticks, in microseconds: on a busy machine the rest is waiting. */
const work = createHistogram();
const workedUs = () => {
  const { user, system } = process.threadCpuUsage();
  return user + system;
};
let before = workedUs();
setInterval(() => {
  const now = workedUs();
  work.record(Math.max(1, Math.round(now - before)));
  before = now;
}, RESOLUTION_MS).unref();

process.on("SIGUSR2", () => {
  const percentiles = (of: Histogram, unitsOfAMs: number) => {
    const [p50, p99, p999] = [50, 99, 99.9].map((p) => of.percentile(p) / unitsOfAMs);
    return { p50, p99, p999, max: of.max / unitsOfAMs };
  };
  const figures = { delay: percentiles(delay, 1e6), work: percentiles(work, 1e3) };
  writeFileSync(process.env.TOWOW_PROBE_FILE ?? "", JSON.stringify(figures));
  delay.reset();
  work.reset();
});
