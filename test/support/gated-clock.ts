import { once } from "node:events";
import { type Clock, systemClock } from "../../src/clock.ts";

/** A clock in which waits of one length last until the test ends them: what is looked at does not go on meanwhile. */
export function untilEnded(waitMs: number): { clock: Clock; end: () => void } {
  const ended = new AbortController();
  const sleep: Clock["sleep"] = async (ms, signal) => {
    if (ms !== waitMs) return systemClock.sleep(ms, signal);
    if (!ended.signal.aborted) await once(ended.signal, "abort", { signal }).catch(() => signal?.throwIfAborted());
  };
  return { clock: { ...systemClock, sleep }, end: () => ended.abort() };
}
