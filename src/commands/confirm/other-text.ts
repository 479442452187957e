import type { Negotiation } from "../../backend/contract.ts";
import { TowowError } from "../../errors.ts";
import { phaseOf } from "../../negotiation/backend-states.ts";
import { isMismatch } from "../../negotiation/describe.ts";
import type { Negotiations } from "../../negotiation/service.ts";

/** How long it may take until the backend moves on. */
const MOVED_ON_WAIT_MS = 3_000;

/** Whether the backend, once it moves on, shows another text than the one that went out. */
export async function isOtherTextOut(id: string, negotiations: Negotiations): Promise<boolean> {
  try {
    const until = (n: Negotiation) => phaseOf(n.state) !== "asking";
    const { snapshot } = await negotiations.wait(id, { until, budgetMs: MOVED_ON_WAIT_MS });
    return isMismatch(snapshot, await negotiations.stage(id, snapshot), negotiations.hash);
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return false; // the text is sent all the same, and the next status compares again
  }
}
