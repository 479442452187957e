// Loaded into a server with `--import`: measures its event loop, and writes what it saw to TOWOW_PROBE_FILE at SIGUSR2.
import { writeFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
process.on("SIGUSR2", () => {
  const ms = (nanoseconds: number) => nanoseconds / 1e6;
  const [p50, p99, p999] = [50, 99, 99.9].map((p) => ms(delay.percentile(p)));
  writeFileSync(process.env.TOWOW_PROBE_FILE ?? "", JSON.stringify({ p50, p99, p999, max: ms(delay.max) }));
  delay.reset();
});
