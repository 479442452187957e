import { formulatedText } from "../negotiation/backend-states.ts";
import { TwoTexts } from "../negotiation/errors.ts";
import { isSameDemand } from "../negotiation/own-demand.ts";
import { questionOf } from "../negotiation/stage.ts";
import { showInvisible } from "../safety/invisible.ts";
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
