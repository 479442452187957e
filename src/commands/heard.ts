import type { Negotiation } from "../backend/contract.ts";
import { type Clock, stopwatch } from "../clock.ts";
import type { Negotiations } from "../negotiation/service.ts";

/** How long a negotiation's live feed may take to report a plan, in milliseconds. */
const FEED_MS = 1_500;
const FEED_POLL_MS = 50;

/** Reads a negotiation that is over, and waits until its live feed has reported the plan or {@link FEED_MS} have passed. */
export async function heardToItsEnd(id: string, negotiations: Negotiations, clock: Clock): Promise<Negotiation> {
  const final = await negotiations.get(id);
  const elapsedMs = stopwatch(clock);
  while (negotiations.evidence(final).plan === undefined && elapsedMs() < FEED_MS) await clock.sleep(FEED_POLL_MS);
  return final;
}
