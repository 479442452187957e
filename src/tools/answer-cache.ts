import type { ToolResult } from "../result/tool-result.ts";
import type { Tool, ToolContext } from "./define.ts";

/** What a tool that reads answered a moment ago, if that may be given again (agent layer §5). */
export async function cachedAnswer(
  tool: Tool,
  input: Record<string, unknown>,
  { origin, session: { cache, ledger } }: ToolContext,
): Promise<ToolResult | undefined> {
  if (tool.cacheMs === undefined || input.fresh === true) return undefined;
  const kept = await cache.get<ToolResult>(cache.key(tool.name, input, origin));
  if (kept !== undefined) ledger.countHit();
  return kept && { ...kept, meta: { ...kept.meta, cache_hit: true } };
}

/** After a call: an answer that may be given again; after a write, nothing that was read before it. */
export async function keepAnswer(
  tool: Tool,
  input: Record<string, unknown>,
  result: ToolResult,
  { origin, session: { cache } }: ToolContext,
): Promise<void> {
  if (!tool.read_only) await cache.clear();
  else if (tool.cacheMs !== undefined) await cache.put(cache.key(tool.name, input, origin), result, tool.cacheMs);
}
