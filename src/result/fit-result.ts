import { cacheUri, negotiationUri, offerUri, planUri } from "../safety/resource-uris.ts";
import { fitData } from "./fit-data.ts";
import { estimatedTokens, MAX_RESULT_TOKENS } from "./tokens.ts";
import { type ToolResult, textOf } from "./tool-result.ts";

/**
 * The fields with the text on which a person decides. If others did not write the text, a decision is open, and the
 * text is shown whole or not at all.
 */
const PAUSED = ["formulated_text", "demand_formulated"];
/** Stands in for a fence's random boundary while a result is measured, and is as long as one. */
const BOUNDARY = "x".repeat(21);
const TRIES = 6;

/**
 * Cuts a result so that its text and its data each fit every client. The cut parts are marked, and `truncated_paths`
 * says where each can be read in full. A result that already fits is returned unchanged.
 */
export function fitResult(result: ToolResult): ToolResult {
  const { data } = result;
  if (result.error !== null || data === null || typeof data !== "object") return result;
  let excess = excessOf(result);
  if (excess <= 0) return result;
  const foreign = new Set(result.meta.tainted_paths);
  const whole = new Set(PAUSED.filter((key) => !foreign.has(`/${key}`)));
  let tokens = estimatedTokens(JSON.stringify(data));
  let given = result;
  for (let i = 0; i < TRIES && excess > 0; i++) {
    tokens -= excess + 200;
    const { value, cut } = fitData(data as Record<string, unknown>, tokens, whole);
    given = marked(result, value, cut);
    excess = excessOf(given);
  }
  return given;
}

/**
 * Returns by how many tokens a result is too long, as JSON or as text, whichever is longer. Zero or less if the
 * result fits.
 */
function excessOf(result: ToolResult): number {
  const json = JSON.stringify(result);
  if (json.length * 1.2 < MAX_RESULT_TOKENS / 2) return 0;
  return Math.max(estimatedTokens(json), estimatedTokens(textOf(result, () => BOUNDARY))) - MAX_RESULT_TOKENS;
}

function marked(result: ToolResult, data: Record<string, unknown>, cut: readonly string[]): ToolResult {
  const { warnings, meta } = result;
  const paths = cut.flatMap((path) => {
    const uri = wholeOf(path, data, meta.cache_key);
    return uri === undefined ? [] : [[path, uri] as const];
  });
  const kept = Object.entries(meta.truncated_paths ?? {}).filter(([path]) => stands(path, data));
  return {
    ...result,
    data,
    warnings: warnings.includes("truncated_output") ? warnings : [...warnings, "truncated_output"],
    meta: { ...meta, truncated: true, truncated_paths: Object.fromEntries([...kept, ...paths]) },
  };
}

/** Returns whether the item to which a path leads is still in the data. */
function stands(path: string, data: Record<string, unknown>): boolean {
  const [, key = "", index] = path.split("/");
  return index === undefined || !Array.isArray(data[key]) || Number(index) < (data[key] as unknown[]).length;
}

/** Returns the URI at which a cut part can be read in full, if there is one. */
function wholeOf(path: string, data: Record<string, unknown>, cacheKey: string | undefined): string | undefined {
  const [, key = "", index = ""] = path.split("/");
  const { negotiation_id: id, uri } = data;
  const item = (Array.isArray(data[key]) ? data[key][Number(index)] : undefined) as
    | { agent_id?: unknown; whole?: unknown }
    | undefined;
  if (typeof item?.whole === "string") return item.whole;
  if (typeof id === "string") {
    const offer = typeof item?.agent_id === "string" ? offerUri(id, item.agent_id) : undefined;
    return offer ?? (key === "plan_output" ? planUri(id) : undefined) ?? negotiationUri(id);
  }
  if (cacheKey !== undefined) return cacheUri(cacheKey);
  return typeof uri === "string" ? uri : undefined;
}
