import type { HandlerResult } from "../ask/context.ts";
import type { DryRun } from "../backend/operation.ts";
import { Failure } from "../errors.ts";
import { SANDBOX } from "../home/origin.ts";
import type { ToolResult } from "../result/tool-result.ts";
import type { Tool, ToolContext } from "./define.ts";

type Result = Extract<HandlerResult<unknown>, { data: unknown }>;

/**
 * The result of what a handler gave: checked, with notices and what its person does not know yet; it taints the session
 * where others have written some of it. @throws `tool.backend.internal.output_invalid`
 */
export async function resultOf(tool: Tool, outcome: Result, ctx: ToolContext): Promise<ToolResult> {
  const notices = tool.open_world ? await ctx.notices() : [];
  const complete = withNotices(await withUnreportedNotes(outcome, ctx), notices, ctx);
  const isKnown = ctx.negotiations.isFromMemory;
  if (isKnown) ctx.session.ledger.countHit();
  const unmarked = checked(tool, { ...complete, warnings: [...(complete.warnings ?? []), ...notices] }, isKnown);
  const result = tool.open_world ? marked(unmarked, ctx) : unmarked;
  return withTaintMarked(result, complete.taints !== false, ctx);
}

/** Under `dry_run` a write answers with the request that it would have been (agent layer §6). */
export const wouldSend = ({ request }: DryRun, { texts }: ToolContext): ToolResult => ({
  status: "ok",
  summary: texts.dryRun(request.method, request.url),
  data: null,
  warnings: ["dry_run"],
  error: null,
  meta: { would_send: request },
});

/**
 * Text of others that a new result holds taints the session and its home before a model gets it (agent layer §3); one
 * from the cache did so when it was made. `holdsText`: whether what is marked in it is more than names and the person's own words.
 */
export async function withTaintMarked(
  result: ToolResult,
  holdsText: boolean,
  { session: { taint } }: ToolContext,
): Promise<ToolResult> {
  const { meta, warnings } = result;
  if ((meta.tainted && holdsText) || warnings.includes("suspicious_instructions")) await taint.mark();
  return result;
}

/** Nothing of the sandbox passes for the network's: each result says where it is from, and the first one what that is. Errors are not marked. */
function marked(result: ToolResult, { origin, texts }: ToolContext): ToolResult {
  if (origin !== SANDBOX) return result;
  const { mark, what } = texts.sandbox;
  const { summary, warnings } = result;
  if (!warnings.includes(SANDBOX)) return { ...result, summary: mark(summary), warnings: [...warnings, SANDBOX] };
  return { ...result, summary: `${what}\n${mark(summary)}` };
}

/** Where there is a sentence for it, what is said about this machine once a session follows the result's own. */
function withNotices(outcome: Result, notices: readonly string[], { texts }: ToolContext): Result {
  const sentences = notices.flatMap((code) => (texts.notice as Record<string, string>)[code] ?? []);
  return sentences.length === 0 ? outcome : { ...outcome, summary: [outcome.summary, ...sentences].join("\n") };
}

/** What the person does not know yet of the negotiation that this result is about. */
async function withUnreportedNotes(outcome: Result, { negotiations, texts }: ToolContext): Promise<typeof outcome> {
  const { negotiation_id: id } = (outcome.data ?? {}) as { negotiation_id?: unknown };
  if (typeof id !== "string") return outcome;
  const note = texts.note as Record<string, string>;
  const warnings = outcome.warnings ?? [];
  const notes = await negotiations.takeOwed(id).catch(() => []); // owed still: what the call has done stands
  const unreported = notes.filter((code) => code in note && !warnings.includes(code));
  if (unreported.length === 0) return outcome;
  const summary = [...unreported.map((code) => note[code]), outcome.summary].join("\n");
  return { ...outcome, summary, warnings: [...warnings, ...unreported] };
}

function checked(tool: Tool, outcome: Result, isKnown: boolean): ToolResult {
  const result: ToolResult = {
    status: outcome.status ?? "ok",
    summary: outcome.summary,
    data: outcome.data,
    warnings: outcome.warnings ?? [],
    error: null,
    meta: {
      ...(isKnown && { cache_hit: true as const }),
      ...(outcome.foreign && { tainted: true as const, tainted_paths: outcome.foreign }),
      ...outcome.meta,
    },
  };
  const parsed = tool.envelope.safeParse(result);
  if (!parsed.success)
    throw new Failure("tool.backend.internal.output_invalid", { tool: tool.name }, { cause: parsed.error });
  return parsed.data as ToolResult;
}
