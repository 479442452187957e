import { formulatedText } from "../negotiation/backend-states.ts";
import type { DecisionResult } from "../negotiation/decide.ts";
import { once } from "../once.ts";
import { showInvisible } from "../safety/invisible.ts";
import { sanitizePlan } from "../safety/sanitize/foreign.ts";
import { sanitizeOptions } from "../safety/sanitize/options.ts";
import type { AskContext } from "./context.ts";

/** What compares texts, loaded with the first one that was changed. */
export const loadDiff = once(() => import("./diff.ts"));

/**
 * How a text that went out instead of the network's differs from it, for a result: what is not the network's is never
 * sent without saying so. Undefined where the network's own went out, and where its text is not known any more.
 */
export async function differenceSent(
  text: string | undefined,
  { negotiation, decision }: Extract<DecisionResult, { kind: "confirmed" }>,
  ctx: AskContext,
): Promise<string | undefined> {
  // The answer to a confirm holds the old text.
  const original = formulatedText(negotiation);
  const isKnown = ctx.negotiations.hash(original) === decision.formulated_hash;
  if (text === undefined || text === original || !isKnown) return undefined;
  const { markedDifference } = await loadDiff();
  const marked = await markedDifference(showInvisible(original), showInvisible(text), ctx.texts.lang);
  return marked && (await sanitizePlan(marked, sanitizeOptions(ctx.settings))).value;
}
