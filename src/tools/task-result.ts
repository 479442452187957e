import type { Decided } from "../negotiation/facts.ts";
import type { ToolResult } from "../result/tool-result.ts";

type Json = Record<string, unknown>;

/** What each participant's entry keeps: who it is, how near, and what they offer. */
const OF_PARTICIPANTS = ["display_name", "resonance_score", "state", "offer_content"];
const OF_RISKS = ["code", "severity", "reason"];

/**
 * The end of a background task, which is the result of the call of `towow_demand` that began it: what `towow_status` says,
 * in the shape that this tool declares. The model that is woken by it reads all of it, so it holds what is said to a
 * person; `towow_status` has the rest.
 */
export function taskResult(status: ToolResult, decision: Decided | undefined): ToolResult {
  if (status.data === null) return status;
  const { tainted_paths, truncated_paths, ...meta } = status.meta;
  const { negotiation_id, state, demand_formulated, deadline, resume_with, participants, plan_output, risks } =
    status.data as Json;
  const data = {
    negotiation_id,
    state,
    formulated_text: demand_formulated,
    deadline,
    decision: decision?.kind ?? null,
    decided_by: decision?.by ?? null,
    written_by: decision?.display?.author ?? null,
    difference: null,
    resume_with,
    participants: entriesWith(OF_PARTICIPANTS, participants),
    plan_output,
    ...(risks !== undefined && { risks: entriesWith(OF_RISKS, risks) }),
  };
  const tainted = tainted_paths?.map(renamed).filter((path) => keyOf(path) in data);
  return {
    ...status,
    data,
    meta: {
      ...meta,
      ...(tainted && { tainted_paths: tainted }),
      ...(truncated_paths && { truncated_paths: Object.fromEntries(remaining(truncated_paths, data)) }),
    },
  };
}

const entriesWith = (keys: readonly string[], list: unknown): Json[] =>
  (list as Json[]).map((entry) => Object.fromEntries(Object.entries(entry).filter(([key]) => keys.includes(key))));

const renamed = (path: string): string => path.replace(/^\/demand_formulated\b/, "/formulated_text");
const keyOf = (path: string): string => path.split("/")[1] ?? "";

const remaining = (paths: Record<string, string>, data: object): [string, string][] =>
  Object.entries(paths)
    .map(([path, uri]): [string, string] => [renamed(path), uri])
    .filter(([path]) => keyOf(path) in data);
