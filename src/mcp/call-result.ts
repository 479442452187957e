import type { ResourceLink, Server } from "@modelcontextprotocol/server";
import { fitResult } from "../result/fit-result.ts";
import { jsonOf, type ToolResult, textOf } from "../result/tool-result.ts";
import { budgetOf } from "../session/ledger.ts";
import { resourceTexts } from "../text/resources.ts";
import { estimatedCost } from "../tools/budget.ts";
import type { ToolContext } from "../tools/define.ts";
import { toolNamed } from "../tools/index.ts";
import type { AskingServer } from "./asking-server.ts";
import type { ServerDeps } from "./server-deps.ts";

export type EndedCall = Omit<Ended, "version">;

/** How this server gives a result: as text, as data, with links to what was cut, and with what the call was. */
export function createCallResult(server: AskingServer, { live, version }: ServerDeps, boundary: () => string) {
  return async ({ result: whole, ...call }: EndedCall) => {
    const result = fitResult(whole);
    return {
      content: [
        { type: "text" as const, text: textOf(result, boundary) },
        ...resourceLinks(result, server, live.current().lang),
      ],
      structuredContent: result as unknown as Record<string, unknown>,
      isError: result.status === "error",
      _meta: await metaOf({ ...call, result, version }),
    };
  };
}

interface Ended {
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
async function metaOf({ tool, args, result, durationMs, context, version }: Ended) {
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

/** The first revision that knows the content type; an older client would refuse the whole result. */
const SINCE = "2025-06-18";
/** A result with hundreds of cut offers names them all in `meta`; links for a person's eye are few. */
const MAX_LINKS = 20;

/** Where the wholes of this result's cut texts are, as content that clients show (agent layer §4). */
export function resourceLinks({ meta }: ToolResult, server: Server, lang: "zh" | "en"): ResourceLink[] {
  const revision = server.getNegotiatedProtocolVersion();
  if (meta.truncated_paths === undefined || (revision !== undefined && revision < SINCE)) return [];
  return [...new Set(Object.values(meta.truncated_paths))].slice(0, MAX_LINKS).map((uri) => {
    const name = nameOf(uri);
    return { type: "resource_link", uri, name, ...resourceTexts(lang)[name], mimeType: "text/plain" };
  });
}

function nameOf(uri: string): "cache" | "plan" | "offer" | "negotiation" {
  if (uri.startsWith("towow://cache/")) return "cache";
  if (uri.endsWith("/plan")) return "plan";
  return uri.includes("/offers/") ? "offer" : "negotiation";
}
