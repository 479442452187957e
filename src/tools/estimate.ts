import type { Tool } from "./define.ts";

/** What a call costs a backend, in requests, and how many negotiations it begins. */
export interface Cost {
  backend_reads: number;
  backend_writes: number;
  negotiations: number;
}

/** Reads while a text is made or a negotiation moves, with the pauses between them (contract §5). */
const READS = 20;

/** The usual cost of a call, before it is made. A tool that reads several negotiations reads each once. */
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

/** The first call to join, which has no profile yet: the person is asked about the second. */
export const sendsNothing = (tool: Tool, args: unknown): boolean =>
  "profile_data" in tool.input.shape && (args as { profile_data?: unknown } | undefined)?.profile_data === undefined;

const countOf = (list: unknown): number => (Array.isArray(list) ? Math.max(1, list.length) : 1);
