import type { TaintRecord } from "../../src/session/taint.ts";

/** A record in memory, where one program is all that there is. */
export function createTaintMemory(): TaintRecord {
  let kept: number | undefined;
  return {
    until: async () => kept,
    async keep(untilMs) {
      kept = untilMs;
    },
  };
}
