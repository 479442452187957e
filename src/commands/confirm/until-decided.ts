import type { Negotiation } from "../../backend/contract.ts";
import type { Negotiations } from "../../negotiation/service.ts";

/**
 * A signal for a question that stands here: aborted as soon as there is nothing left to decide, because it was decided
 * in another window or on the network's own page, or its time has passed; and with `outer`. `stop` ends the watch.
 */
export function signalUntilDecided(
  negotiations: Negotiations,
  id: string,
  outer?: AbortSignal,
): { signal: AbortSignal; stop: () => void } {
  const decided = new AbortController();
  const stopped = new AbortController();
  const stopOrDecided = AbortSignal.any([stopped.signal, decided.signal]);
  // What cannot be read is no decision: the question stands, and the answer to it will say what is wrong.
  const abortIfDecided = async (shown: Negotiation) => {
    const stage = await negotiations.stage(id, shown).catch(() => undefined);
    if (stage !== undefined && stage.name !== "asking") decided.abort();
  };
  const unsubscribe = negotiations.subscribe(id, { next: (shown) => void abortIfDecided(shown), fail: () => {} });
  const here = negotiations.forCall({ signal: stopOrDecided }).untilDecided(id, Number.POSITIVE_INFINITY);
  void here.then(() => decided.abort()).catch(() => {});
  return {
    signal: outer === undefined ? decided.signal : AbortSignal.any([outer, decided.signal]),
    stop: () => {
      stopped.abort();
      unsubscribe();
    },
  };
}
