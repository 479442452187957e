import type { ResourceLink, Server } from "@modelcontextprotocol/server";
import { fitResult } from "../result/fit-result.ts";
import { jsonOf, type ToolResult, textOf } from "../result/tool-result.ts";
import { budgetOf } from "../session/ledger.ts";
import { rememberedSha256 } from "../sha256.ts";
import { resourceTexts } from "../text/resources.ts";
import { estimatedCost } from "../tools/budget.ts";
import type { ToolContext } from "../tools/define.ts";
import { toolNamed } from "../tools/index.ts";
import type { AskingServer } from "./asking-server.ts";
import type { ServerDeps } from "./server-deps.ts";

export type EndedCall = Omit<Ended, "version">;

/**
 * Makes the function that turns a call's result into the protocol's answer, with text, structured data, links to cut
 * texts, and facts about the call in `_meta`.
 */
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
  /**
   * The arguments after their check, with defaults filled in, or as the client sent them if they could not be checked.
   */
  args: unknown;
  result: ToolResult;
  durationMs: number;
  context: ToolContext;
  version: string;
}

/**
 * Returns the facts that a result carries for the client, beside what the model reads (agent layer §2). Among them are
 * the duration, the backend's host, the fingerprints of the call and of its answer, the cost, and the server and tool
 * that made the result.
 */
async function metaOf({ tool, args, result, durationMs, context, version }: Ended) {
  const { origin, provider, settings, requestId } = context;
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
      // The JSON of the three values is joined by hand, so that the data is not serialized a second time.
      output: rememberedSha256(`[${[result.status, result.data, result.error?.code ?? null].map(jsonOf).join()}]`),
    },
    "towow/budget": spent && { estimated: estimatedCost(toolNamed(tool), args), ...spent },
    "towow/provenance": {
      server: `towow-mcp/${version}`,
      tool,
      transport: context.transport,
    },
  };
}

/**
 * The first revision that knows the content type `resource_link`. A client of an older revision would refuse the whole
 * result.
 */
const SINCE = "2025-06-18";
/**
 * The most links in one result. A result with hundreds of cut offers names them all in `meta`, but the links are for a
 * person to look at.
 */
const MAX_LINKS = 20;

/** Returns links to the full versions of this result's cut texts, as content that clients show (agent layer §4). */
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
