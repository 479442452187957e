import type * as z from "zod";
import type { ToolResult } from "../result/tool-result.ts";
import type { Tool, ToolContext } from "./define.ts";

/** What a tool that reads answered a moment ago, if that may be given again, and how to keep what it answers now. */
export interface KeptAnswer {
  result: ToolResult | undefined;
  keep(result: ToolResult): Promise<void>;
}

const NOTHING_KEPT: KeptAnswer = { result: undefined, keep: async () => {} };

/** Before a call (agent layer §5). */
export async function keptAnswer(
  tool: Pick<Tool, "name" | "cacheMs" | "envelope">,
  input: Record<string, unknown>,
  { origin, session: { cache, ledger } }: ToolContext,
): Promise<KeptAnswer> {
  const { name, cacheMs } = tool;
  if (cacheMs === undefined) return NOTHING_KEPT;
  const { kept, keep } = await cache.at(cache.key(name, input, origin), tool.envelope as z.ZodType<ToolResult>);
  const isWanted = kept !== undefined && input.fresh !== true;
  if (isWanted) ledger.countHit();
  return {
    result: isWanted ? { ...kept, meta: { ...kept.meta, cache_hit: true } } : undefined,
    keep: (result) => keep(result, cacheMs),
  };
}
