import { formulatedText } from "../negotiation/backend-states.ts";
import type { DecisionResult } from "../negotiation/decide.ts";
import { TwoTexts } from "../negotiation/errors.ts";
import { isSameDemand } from "../negotiation/own-demand.ts";
import { questionOf } from "../negotiation/stage.ts";
import { once } from "../once.ts";
import { showInvisible } from "../safety/invisible.ts";
import { sanitizePlan } from "../safety/sanitize/foreign.ts";
import { sanitizeOptions } from "../safety/sanitize/options.ts";
import type { AskContext } from "./context.ts";
import type { DecisionArguments } from "./decision-path.ts";

/**
 * A yes to the text that was shown, beside another text or demand: nobody can tell which of them the person wants sent. The
 * shown one itself is no other, also as a result writes it, nor is the demand that it was made from. @throws TwoTexts
 */
export async function refuseTwoTexts(args: DecisionArguments, tool: string, ctx: AskContext): Promise<void> {
  const { negotiation_id, confirmation_id, decision, confirmed_text, intent } = args;
  if (decision !== "accept" || (confirmed_text ?? intent) === undefined) return;
  const negotiation = await ctx.negotiations.get(negotiation_id);
  const stage = await ctx.negotiations.stage(negotiation_id, negotiation);
  if (stage.name !== "asking") return;
  const current = formulatedText(negotiation);
  const shown = questionOf(stage, confirmation_id)?.shown_hash;
  const isOther = (text: string): boolean =>
    text !== current && text !== showInvisible(current) && ctx.negotiations.hash(text) !== shown;
  const isNew = intent !== undefined && isOther(intent) && !isSameDemand(intent, negotiation);
  if (!isNew && (confirmed_text === undefined || !isOther(confirmed_text))) return;
  throw new TwoTexts({ tool, negotiation_id, ...(confirmation_id !== undefined && { confirmation_id }) });
}

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
