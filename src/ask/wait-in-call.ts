import type { Negotiation } from "../backend/contract.ts";
import { progressText } from "../negotiation/describe.ts";
import { sanitizeOptions } from "../safety/sanitize/options.ts";
import type { AskContext } from "./context.ts";

/**
 * Waits within the budget until something holds, and reports each change to the person on the way (contract §5). The
 * call's answer reports the change that ends the wait. Running out of budget is a normal result.
 */
export async function waitUntil(
  id: string,
  until: (snapshot: Negotiation) => boolean,
  ctx: AskContext,
  budgetMs = ctx.settings.wait_budget_s * 1000,
): Promise<Negotiation> {
  // A slow submit leaves less time: many clients give a call up after a minute.
  const leftMs = Math.max(0, Math.min(budgetMs, ctx.settings.wait_budget_s * 1000 - ctx.elapsedMs()));
  const { snapshot } = await ctx.negotiations.wait(id, {
    until,
    budgetMs: leftMs,
    onChange: (n, endsWait) => {
      if (endsWait) return;
      const said = ctx.negotiations.says(ctx.negotiations.stageInMemory(id, n), n);
      ctx.progress(progressText(said, ctx.texts, sanitizeOptions(ctx.settings)));
    },
  });
  return snapshot;
}
