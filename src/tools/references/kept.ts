import type { ToolResult } from "../../result/tool-result.ts";
import { cacheUri } from "../../safety/resource-uris.ts";
import type { Tool, ToolContext } from "../define.ts";
import type { Resolution } from "./resolve.ts";

export const withResolution = (result: ToolResult, resolved: readonly Resolution[]): ToolResult =>
  resolved.length === 0 ? result : { ...result, meta: { ...result.meta, workflow_resolution: resolved } };

/**
 * Where the toolset works with references, a result can be referred to: it is kept, whole, and says under which key.
 * `whole`: what it was before it was shortened.
 */
export async function keptForReferences(
  tool: Tool,
  input: unknown,
  result: ToolResult,
  whole: unknown,
  { session: { cache, kept }, origin, now, settings: { toolset } }: ToolContext,
): Promise<ToolResult> {
  if ((toolset !== "reports" && toolset !== "all") || result.data === null) return result;
  const { tainted_paths: foreign = [] } = result.meta;
  const cache_key = cache.key(tool.name, input, origin);
  const isKept = await kept.put(cache_key, { tool: tool.name, at: now(), data: whole ?? result.data, foreign });
  if (!isKept) return result;
  const isShort = result.meta.truncated === true && whole !== undefined;
  const wholes = isShort ? { truncated_paths: { "": cacheUri(cache_key), ...result.meta.truncated_paths } } : {};
  return { ...result, meta: { ...result.meta, cache_key, ...wholes } };
}
