import { jsonOf, type ToolResult } from "../result/tool-result.ts";
import { budgetOf } from "../session/ledger.ts";
import type { ToolContext } from "../tools/define.ts";
import { estimatedCost } from "../tools/estimate.ts";
import { toolNamed } from "../tools/index.ts";

export interface Ended {
  tool: string;
  /** As they were checked and filled in; as they came, where they could not be. */
  args: unknown;
  result: ToolResult;
  durationMs: number;
  context: ToolContext;
  version: string;
}

/**
 * What a result carries beside what the model reads (agent layer §2): how long it took, who answered, by which prints the
 * same call and the same answer are known, what it cost, and where it came from.
 */
export async function metaOf({ tool, args, result, durationMs, context, version }: Ended) {
  const { origin, provider, settings, requestId, negotiations } = context;
  const { ledger, cache } = context.session;
  const spent = await ledger.snapshot(budgetOf(settings));
  const cache_key = cache.key(tool, args, origin);
  return {
    "towow/request_id": requestId,
    "towow/duration_ms": Math.round(durationMs),
    "towow/provider": provider,
    "towow/cache_key": cache_key,
    "towow/fingerprints": {
      input: cache_key.slice(tool.length + 1),
      // As JSON of the three, without writing the data once more.
      output: negotiations.hash(`[${[result.status, result.data, result.error?.code ?? null].map(jsonOf).join()}]`),
    },
    "towow/budget": spent && { estimated: estimatedCost(toolNamed(tool), args), ...spent },
    "towow/provenance": {
      server: `towow-mcp/${version}`,
      tool,
      transport: context.transport,
    },
  };
}
