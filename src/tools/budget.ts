import { budgetOf } from "../session/ledger.ts";
import type { Tool, ToolContext } from "./define.ts";

/**
 * Checks the budget before a call that costs requests (agent layer §5). A decision, the second round of a question, and
 * a read of what is known already are never refused.
 * @throws BudgetExceeded
 */
export async function checkBudget(tool: Tool, input: Record<string, unknown>, ctx: ToolContext): Promise<void> {
  const { settings, decision, permission } = ctx;
  const goesOn = decision !== undefined || permission !== undefined || input.decision !== undefined;
  if (!tool.open_world || tool.checksBudget || goesOn || isKnown(tool, input, ctx)) return;
  const starts = tool.startsNegotiation === true && input.negotiation_id === undefined;
  await ctx.session.ledger.check(starts, budgetOf(settings));
}

/** Returns whether the negotiation is finished and its last shown state is enough for the call. */
function isKnown(tool: Tool, input: Record<string, unknown>, { settings, negotiations }: ToolContext): boolean {
  if (!tool.read_only || !("negotiation_id" in tool.input.shape) || input.fresh === true) return false;
  return negotiations.finished(String(input.negotiation_id ?? settings.last_negotiation_id)) !== undefined;
}

/** What a call costs a backend in requests, and how many negotiations it begins. */
export interface Cost {
  backend_reads: number;
  backend_writes: number;
  negotiations: number;
}

/** How many reads happen while a text is made or a negotiation moves, with pauses between them (contract §5). */
const READS = 20;

/** Estimates the usual cost of a call before it is made. A tool that reads several negotiations reads each once. */
export function estimatedCost(tool: Tool, args: unknown): Cost {
  const { wait, negotiation_id, negotiation_ids, sources } = (args ?? {}) as Record<string, unknown>;
  const cost = (backend_reads: number, backend_writes = 0, negotiations = 0) => ({
    backend_reads,
    backend_writes,
    negotiations,
  });
  if (!tool.open_world) return cost(0);
  if (tool.read_only) return cost(wait === undefined ? countOf(sources ?? negotiation_ids) : READS);
  if (tool.startsNegotiation === true && negotiation_id === undefined) return cost(READS, 2, 1);
  return cost(1, sendsNothing(tool, args) ? 0 : 1);
}

/** Returns whether a call only begins to join, without a profile. The person is asked about the second call, which has one. */
export const sendsNothing = (tool: Tool, args: unknown): boolean =>
  "profile_data" in tool.input.shape && (args as { profile_data?: unknown } | undefined)?.profile_data === undefined;

const countOf = (list: unknown): number => (Array.isArray(list) ? Math.max(1, list.length) : 1);
