import { HomeUnwritable } from "../config/errors.ts";
import type { NegotiationDeps } from "./deps.ts";
import type { Ending, NegotiationRecord } from "./history.ts";

/**
 * Writes down what has happened at the backend. On a full disk that stays unwritten, and is still no failure: the
 * decision is on disk, and the next program to look completes the record from it.
 */
export async function writeEnd(
  { history, clock, log }: NegotiationDeps,
  record: NegotiationRecord,
  as: Ending,
): Promise<void> {
  const { negotiation_id } = record;
  try {
    const latest = (await history.get(negotiation_id)) ?? record;
    await history.put({ ...latest, ended: { at: clock.now(), as } });
  } catch (error) {
    if (!(error instanceof HomeUnwritable)) throw error;
    log.error("end_not_written", { negotiation_id, as });
  }
}
