import { performance } from "node:perf_hooks";
import type { LoopUse } from "../../clock.ts";

/**
 * Measures how busy this process's event loop is. `take` returns the share of time it has worked since the last `take`,
 * from 0 to 1.
 */
export function measureLoopUse(): LoopUse {
  let last = performance.eventLoopUtilization();
  return {
    take() {
      const now = performance.eventLoopUtilization();
      const { utilization } = performance.eventLoopUtilization(now, last);
      last = now;
      return utilization;
    },
  };
}
