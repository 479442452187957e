import { formulatedText } from "../negotiation/backend-states.ts";
import { TwoTexts } from "../negotiation/errors.ts";
import { questionOf } from "../negotiation/stage.ts";
import { showInvisible } from "../safety/invisible.ts";
import type { AskContext } from "./context.ts";
import type { DecisionArguments } from "./decision-path.ts";

/**
 * A yes to the text that was shown, beside another text: nobody can tell which of them the person wants sent. The shown
 * one itself is no other, also as a result writes it. @throws TwoTexts
 */
export async function refuseTwoTexts(args: DecisionArguments, tool: string, ctx: AskContext): Promise<void> {
  const { negotiation_id, confirmation_id, decision, confirmed_text: text } = args;
  if (decision !== "accept" || text === undefined) return;
  const negotiation = await ctx.negotiations.get(negotiation_id);
  const stage = await ctx.negotiations.stage(negotiation_id, negotiation);
  if (stage.name !== "asking") return;
  const current = formulatedText(negotiation);
  if (text === current || text === showInvisible(current)) return;
  if (questionOf(stage, confirmation_id)?.shown_hash === ctx.negotiations.hash(text)) return;
  throw new TwoTexts({ tool, negotiation_id, ...(confirmation_id !== undefined && { confirmation_id }) });
}
