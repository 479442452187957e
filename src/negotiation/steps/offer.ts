import { failureOf } from "../../log.ts";
import { factName } from "../facts.ts";
import type { StepContext } from "./context.ts";

/**
 * Writes that this program would answer for it when the one that does ends, as where a client starts one for each call. Only
 * for the same account. What cannot be written is no offer.
 */
export async function offer(supervisor: StepContext): Promise<void> {
  const { journal, deps, key } = supervisor;
  const { watched, standby, submitted } = journal.facts;
  const number = watched.length + 1;
  supervisor.offered = number; // before anything is awaited: a program that ends takes it back
  try {
    if ((await deps.userId()) !== submitted?.user_id) return;
    const fact = { at: deps.clock.now(), owner: deps.owner, number };
    // Several programs offer at once, each under a name of its own, for as long as nobody has taken an offer.
    for (let next = standby.length + 1; supervisor.isOffered; next++)
      if ((await journal.claim(factName.standby(next), fact)).created) return;
  } catch (error) {
    deps.log.debug("offer_unwritten", { negotiation_id: key.id, error: failureOf(error) });
  }
}
