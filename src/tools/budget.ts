import { OutcomeUnknown } from "../backend/errors.ts";
import type { SubmitInput, SubmitOptions, SubmitResult } from "../negotiation/submission.ts";
import { budgetOf } from "../session/ledger.ts";
import type { Tool, ToolContext } from "./define.ts";

/**
 * Before a call that costs requests (agent layer §5). A decision, the second round of a question, and what is known
 * already are never refused for want of budget.
 * @throws BudgetExceeded
 */
export async function checkBudget(tool: Tool, input: Record<string, unknown>, ctx: ToolContext): Promise<void> {
  const { settings, decision, permission } = ctx;
  const goesOn = decision !== undefined || permission !== undefined || input.decision !== undefined;
  if (!tool.open_world || tool.checksBudget || goesOn || isKnown(tool, input, ctx)) return;
  const starts = tool.startsNegotiation === true && input.negotiation_id === undefined;
  await ctx.session.ledger.check(starts, budgetOf(settings));
}

/**
 * Submits a demand that counts from before it is sent, and remembers it. A duplicate and a failure cost nothing; one
 * whose outcome is unknown may be open, and stays counted.
 * @throws BudgetExceeded, and what the submit throws
 */
export async function submitWithinBudget(
  demand: SubmitInput,
  options: SubmitOptions,
  ctx: ToolContext,
): Promise<SubmitResult> {
  const giveBack = await ctx.session.ledger.takeNegotiation(budgetOf(ctx.settings));
  const submitted = await ctx.negotiations.submit(demand, options).catch((error: unknown) => {
    if (!(error instanceof OutcomeUnknown)) giveBack();
    throw error;
  });
  if (submitted.duplicate) giveBack();
  ctx.concerns(submitted.id);
  await ctx.remember({ last_negotiation_id: submitted.id });
  return submitted;
}

/** Whether the negotiation that is asked about is finished, and its end is wanted as it was shown. */
function isKnown(tool: Tool, input: Record<string, unknown>, { settings, negotiations }: ToolContext): boolean {
  if (!tool.read_only || !("negotiation_id" in tool.input.shape) || input.fresh === true) return false;
  return negotiations.finished(String(input.negotiation_id ?? settings.last_negotiation_id)) !== undefined;
}
