import type { Negotiation } from "../../backend/contract.ts";
import { TowowError } from "../../errors.ts";
import { phaseOf } from "../../negotiation/backend-states.ts";
import type { Negotiations } from "../../negotiation/service.ts";

/** How long it may take until the backend moves on. */
const MOVED_ON_WAIT_MS = 3_000;

const CODES = ["confirmed_text_mismatch", "yes_or_deadline"];

/** What the backend, once it moves on, shows about the text that is out, as codes; nothing where it is the confirmed one. */
export async function doubtsAboutText(id: string, negotiations: Negotiations): Promise<string[]> {
  try {
    const until = (n: Negotiation) => phaseOf(n.state) !== "asking";
    const { snapshot } = await negotiations.wait(id, { until, budgetMs: MOVED_ON_WAIT_MS });
    const { warnings } = negotiations.says(await negotiations.stage(id, snapshot), snapshot);
    return warnings.filter((code) => CODES.includes(code));
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    return []; // the text is sent all the same, and the next status compares again
  }
}
