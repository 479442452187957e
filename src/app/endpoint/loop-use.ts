import { performance } from "node:perf_hooks";
import type { LoopUse } from "../../clock.ts";

/** How busy the event loop of this process is. */
export function watchLoopUse(): LoopUse {
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
