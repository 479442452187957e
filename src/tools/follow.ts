import type { Negotiation } from "../backend/contract.ts";
import type { Standing } from "../negotiation/summary.ts";
import { progressText } from "../negotiation/summary.ts";
import type { ToolContext } from "./define.ts";

/** What this machine knows of a negotiation beside its state. */
export async function standingOf(id: string, ctx: ToolContext): Promise<Standing> {
  const [record, decision] = await Promise.all([ctx.negotiations.record(id), ctx.negotiations.decision(id)]);
  return { decision, ended: record?.ended?.as };
}

/**
 * Waits within the budget until something holds, telling the person of each change on the way (contract §5). Running
 * out of budget is a normal result.
 */
export async function follow(
  id: string,
  until: (snapshot: Negotiation) => boolean,
  ctx: ToolContext,
  budgetMs = ctx.settings.wait_budget_s * 1000,
): Promise<Negotiation> {
  const standing = await standingOf(id, ctx);
  const { snapshot } = await ctx.negotiations.watcher.wait(id, {
    until,
    budgetMs,
    signal: ctx.signal,
    requestId: ctx.requestId,
    onChange: (n) => ctx.progress(progressText(n, standing, ctx.texts)),
  });
  return snapshot;
}
