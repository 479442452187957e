import { monitorEventLoopDelay } from "node:perf_hooks";
import type { LoopDelay } from "../../clock.ts";

/** How often it is measured, in milliseconds. */
const EVERY_MS = 10;

/** The delay of this process's event loop. It keeps no process alive. */
export function watchLoopDelay(): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: EVERY_MS });
  histogram.enable();
  let askedAt = performance.now();
  return {
    takeMs() {
      const { count, mean } = histogram;
      histogram.reset();
      const sinceMs = performance.now() - askedAt;
      askedAt += sinceMs;
      // Each is the time between two measurements; none came where the loop has not gone round since.
      return Math.max(0, (count === 0 ? sinceMs : mean / 1e6) - EVERY_MS);
    },
  };
}
