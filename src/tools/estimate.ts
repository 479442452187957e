import type { Tool } from "./define.ts";

/** What a call costs a backend, in requests, and how many negotiations it begins. */
export interface Cost {
  backend_reads: number;
  backend_writes: number;
  negotiations: number;
}

/** Looks while a text is made or a negotiation moves, with the pauses between them (contract §5). */
const LOOKS = 20;

/** The usual cost of a call, before it is made. */
export function estimatedCost(tool: Tool, args: unknown): Cost {
  const { wait, negotiation_id } = (args ?? {}) as Record<string, unknown>;
  const cost = (backend_reads: number, backend_writes = 0, negotiations = 0) => ({
    ...{ backend_reads, backend_writes, negotiations },
  });
  if (!tool.open_world) return cost(0);
  if (tool.read_only) return cost(wait === undefined ? 1 : LOOKS);
  if (tool.startsNegotiation === true && negotiation_id === undefined) return cost(LOOKS, 2, 1);
  return cost(1, 1);
}
