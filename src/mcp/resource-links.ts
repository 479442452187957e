import type { ResourceLink, Server } from "@modelcontextprotocol/server";
import type { ToolResult } from "../result/tool-result.ts";
import { resourceTexts } from "../text/resources.ts";

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
