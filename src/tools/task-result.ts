import { Failure } from "../errors.ts";
import { failureOf, type Log } from "../log.ts";
import { type Says, writerDecided } from "../negotiation/says.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { negotiationUri } from "../safety/resource-uris.ts";
import { cutColumns } from "../safety/sanitize/length.ts";
import { resultOf } from "./call.ts";
import type { ToolContext } from "./define.ts";
import { failureResult } from "./failed-call.ts";
import { towowStatus } from "./towow_status.ts";

type Json = Record<string, unknown>;

/** The fields of a participant that the result of a task keeps. */
const OF_PARTICIPANTS = ["display_name", "resonance_score", "state", "offer_content"];
const OF_RISKS = ["code", "severity", "reason"];
/**
 * The length, in UTF-16 units, above which the demand's text is shortened to its beginning. The person has just read
 * the whole text, and plans repeat it.
 */
const LONG_TEXT_CHARS = 300;
/** The width of that beginning in columns, of which a wide character takes two. */
const BEGINNING_COLUMNS = 80;

/**
 * Builds the result of a background task that has ended, even if the client may not call `towow_status`. `answered`
 * is a sentence about the person's answer, with which the summary must begin.
 */
export async function endOfTask(
  negotiation_id: string,
  ctx: ToolContext,
  log: Log,
  answered: string | undefined,
): Promise<ToolResult> {
  try {
    // The result of a task leaves something out, so the session must not remember the negotiation as shown in full.
    const session = { ...ctx.session, isOwned: false };
    const outcome = await towowStatus.handler({ negotiation_id } as never, { ...ctx, session });
    if (!("data" in outcome)) throw new Failure("tool.backend.internal.output_invalid", { tool: towowStatus.name });
    const said = ctx.negotiations.says(
      await ctx.negotiations.stage(negotiation_id),
      ctx.negotiations.lastSeen(negotiation_id),
    );
    const result = taskResult(await resultOf(towowStatus, outcome, ctx), said);
    return answered === undefined ? result : { ...result, summary: `${answered}\n${result.summary}` };
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    log.warn("task_result_failed", { error: failureOf(error) });
    return failureResult(error, { subject: negotiation_id, idempotent: true, callable: () => true }, ctx);
  }
}

/**
 * Shortens the result of `towow_status` to the result of a background task. The task answers the call of
 * `towow_demand` that began it, so the result has the shape that `towow_demand` declares. The result holds only what
 * the person is to be given, because the model that it wakes reads all of it.
 */
export function taskResult(status: ToolResult, said: Pick<Says, "decision" | "writers">): ToolResult {
  if (status.data === null) return status;
  const { tainted_paths, truncated_paths, ...meta } = status.meta;
  const { negotiation_id, state, deadline, resume_with, participants, risks } = status.data as Json;
  const { formulated_text, plan_output, wholes } = withShortText(status.data as Texts);
  const data = {
    negotiation_id,
    state,
    formulated_text,
    deadline,
    decision: said.decision?.kind ?? null,
    decided_by: said.decision?.by ?? null,
    written_by: writerDecided(said),
    difference: null,
    resume_with,
    participants: entriesWith(OF_PARTICIPANTS, participants),
    plan_output,
    ...(risks !== undefined && { risks: entriesWith(OF_RISKS, risks) }),
  };
  const foreign = tainted_paths?.map(renamed).filter((path) => keyOf(path) in data);
  return {
    ...status,
    data,
    meta: {
      ...meta,
      ...(foreign && { tainted_paths: foreign }),
      ...(wholes && { truncated: true as const }),
      ...((truncated_paths ?? wholes) && {
        truncated_paths: { ...wholes, ...Object.fromEntries(remaining(truncated_paths ?? {}, data)) },
      }),
    },
  };
}

interface Texts {
  negotiation_id: string;
  demand_formulated: string | null;
  plan_output: string | null;
}

/**
 * Shortens a long text to its beginning, also in a plan that quotes the text. `wholes` says where both can be read in
 * full.
 */
function withShortText({ negotiation_id, demand_formulated: text, plan_output: plan }: Texts) {
  if (text === null || text.length <= LONG_TEXT_CHARS) return { formulated_text: text, plan_output: plan };
  const beginning = cutColumns(text, BEGINNING_COLUMNS).text;
  return {
    formulated_text: beginning,
    plan_output: plan?.replaceAll(text, () => beginning) ?? null,
    wholes: { "": negotiationUri(negotiation_id) },
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
