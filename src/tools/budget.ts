import { budgetOf } from "../session/ledger.ts";
import type { Tool, ToolContext } from "./define.ts";

/**
 * Checks the budget before a call that costs requests (agent layer §5). A decision, a call that brings the answer to
 * its own question, and a read whose answer is already known are never refused.
 * @throws BudgetExceeded
 */
export async function checkBudget(tool: Tool, input: Record<string, unknown>, ctx: ToolContext): Promise<void> {
  const { settings, decision, permission } = ctx;
  const goesOn = decision !== undefined || permission !== undefined || input.decision !== undefined;
  if (!tool.open_world || tool.checksBudget || goesOn || isKnown(tool, input, ctx)) return;
  const starts = tool.startsNegotiation === true && input.negotiation_id === undefined;
  await ctx.session.ledger.check(starts, budgetOf(settings));
}

/** Returns whether the call reads a finished negotiation, whose final state is already in memory. */
function isKnown(tool: Tool, input: Record<string, unknown>, { settings, negotiations }: ToolContext): boolean {
  if (!tool.read_only || !("negotiation_id" in tool.input.shape) || input.fresh === true) return false;
  return negotiations.finished(String(input.negotiation_id ?? settings.last_negotiation_id)) !== undefined;
}

/** The requests that a call makes at the backend, and the negotiations that it begins. */
export interface Cost {
  backend_reads: number;
  backend_writes: number;
  negotiations: number;
}

/** How often the backend is usually read while a text is formulated or a negotiation goes on (contract §5). */
const READS = 20;

/** Estimates what a call usually costs, before the call is made. A tool that reads several negotiations reads each once. */
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

/**
 * Returns whether this is the first of the two calls that join a scene. The first call has no profile, so it sends
 * nothing and asks the person nothing.
 */
export const sendsNothing = (tool: Tool, args: unknown): boolean =>
  "profile_data" in tool.input.shape && (args as { profile_data?: unknown } | undefined)?.profile_data === undefined;

const countOf = (list: unknown): number => (Array.isArray(list) ? Math.max(1, list.length) : 1);
