import type { HandlerResult } from "../ask/context.ts";
import { askPermission } from "../ask/permission.ts";
import type { Question } from "../ask/questions.ts";
import { DryRun } from "../backend/dry-run.ts";
import { TowowError } from "../errors.ts";
import { SANDBOX } from "../home/origin.ts";
import type { Settings } from "../home/settings.ts";
import { failureOf, type Log } from "../log.ts";
import { holdsOthersText, isForeignDetail, toToolError } from "../result/tool-error.ts";
import { failed, type ToolResult } from "../result/tool-result.ts";
import type { Mode } from "../session/session.ts";
import { cachedAnswer, keepAnswer } from "./answer-cache.ts";
import { checkBudget } from "./budget.ts";
import type { Asked, Tool, ToolContext } from "./define.ts";
import { withSubject } from "./error-subject.ts";
import { isListed, mayRun, namesIn, whyNotRun, whyUnlisted } from "./policy.ts";
import { keptForReferences, withResolution } from "./references/kept.ts";
import { resolveReferences } from "./references/resolve.ts";
import { isBlocked, withResume } from "./resume-blocked.ts";
import { taskResult } from "./task-result.ts";
import { towowAction } from "./towow_action.ts";
import { towowBriefExport } from "./towow_brief_export.ts";
import { towowCompare } from "./towow_compare.ts";
import { towowConfirm } from "./towow_confirm.ts";
import { towowCreateScene } from "./towow_create_scene.ts";
import { towowDemand } from "./towow_demand.ts";
import { towowDocsList } from "./towow_docs_list.ts";
import { towowDocsRead } from "./towow_docs_read.ts";
import { towowGetNegotiation } from "./towow_get_negotiation.ts";
import { towowGraphMerge } from "./towow_graph_merge.ts";
import { towowJoin } from "./towow_join.ts";
import { towowListAgents } from "./towow_list_agents.ts";
import { towowListScenes } from "./towow_list_scenes.ts";
import { towowPlanWorkflow } from "./towow_plan_workflow.ts";
import { towowRegisterAgent } from "./towow_register_agent.ts";
import { towowResolveTarget } from "./towow_resolve_target.ts";
import { towowSetMode } from "./towow_set_mode.ts";
import { towowStatus } from "./towow_status.ts";
import { towowSubmitDemand } from "./towow_submit_demand.ts";
import { InvalidArguments, validateArguments } from "./validate.ts";

/** Every tool, in the order in which a list shows them. */
export const TOOLS: readonly Tool[] = [
  towowJoin,
  towowDemand,
  towowStatus,
  towowSetMode,
  towowCreateScene,
  towowRegisterAgent,
  towowListScenes,
  towowListAgents,
  towowSubmitDemand,
  towowConfirm,
  towowGetNegotiation,
  towowAction,
  towowCompare,
  towowGraphMerge,
  towowBriefExport,
  towowPlanWorkflow,
  towowResolveTarget,
  towowDocsList,
  towowDocsRead,
];

/** The tools that belong to a mode, before any filter. */
export const toolsOf = (mode: Mode): readonly Tool[] => TOOLS.filter((tool) => tool.modes.includes(mode));

const byName = new Map(TOOLS.map((tool) => [tool.name, tool]));

/** A tool that exists. */
export function toolNamed(name: string): Tool {
  const tool = byName.get(name);
  if (tool === undefined) throw new Error(`no tool is called ${name}`);
  return tool;
}

/** A tool's name for the log; of another one it says only that there is no such tool. */
export const knownName = (name: string): string => (byName.has(name) ? name : "(unknown)");

/** Names those that are listed instead. */
export function noSuchTool(name: string, mode: Mode, settings: Parameters<typeof isListed>[2]): InvalidArguments {
  const known = TOOLS.filter((tool) => isListed(tool, mode, settings)).map((tool) => tool.name);
  return new InvalidArguments("tool.input.invalid.unknown_tool", { tool: name.slice(0, 80), known });
}

/** The mode was given by flag or environment: a conversation cannot change it. */
export class ModePinned extends TowowError {
  readonly code = "tool.policy.blocked.mode_pinned";
}

class OutputInvalid extends TowowError {
  readonly code = "tool.backend.internal.output_invalid";
}

class UnknownToolName extends TowowError {
  readonly code = "tool.config.invalid.unknown_tool_name";
}

/** @throws UnknownToolName when the allow or exclude list names a tool that does not exist. */
export function checkToolNames(settings: Pick<Settings, "allow_tools" | "exclude_tools">): void {
  for (const key of ["allow_tools", "exclude_tools"] as const)
    for (const tool of namesIn(settings[key]))
      if (!byName.has(tool)) throw new UnknownToolName({ key, tool, known: [...byName.keys()] });
}

type Result = Extract<HandlerResult<unknown>, { data: unknown }>;

/** `input`: the arguments as they were checked, with what references name in them; absent where they could not be. */
export type CallResult = { result: ToolResult; input?: unknown } | { ask: Question } | { task: string };

/**
 * One call, from the name to the result: whether the tool is listed and allowed, its references and arguments, an answer
 * from the cache, the budget, what earlier processes left, the person's permission, the handler, the check of what it
 * gives. Every failure becomes a result here and nowhere else.
 */
export async function callTool(name: string, args: unknown, ctx: ToolContext, log: Log): Promise<CallResult> {
  const tool = byName.get(name);
  try {
    if (ctx.settings.profile !== "dry_run") ctx.negotiations.recoverSoon();
    if (tool === undefined) throw noSuchTool(name, ctx.mode, ctx.settings);
    if (!isListed(tool, ctx.mode, ctx.settings)) throw whyUnlisted(tool, ctx.mode, ctx.settings);
    const { profile } = ctx.settings;
    const forbidden = whyNotRun(tool, ctx.settings);
    if (forbidden !== undefined) throw forbidden;
    const { args: filled, resolved } = await resolveReferences(tool, args, ctx);
    const input = validateArguments(tool, filled, ctx.texts.lang) as Record<string, unknown>;
    if (typeof input.negotiation_id === "string") await ctx.negotiations.refuseOtherBackend(input.negotiation_id);
    const cached = await cachedAnswer(tool, input, ctx);
    if (cached !== undefined) return { result: cached, input };
    await checkBudget(tool, input, ctx);
    if (tool.open_world && profile !== "dry_run") await ctx.negotiations.recover();
    const wanted = await permissionFor(tool, input, ctx);
    const permission =
      wanted === undefined || "data" in wanted ? wanted : await askPermission(tool.name, input, wanted, ctx);
    const handler = tool.handler as (a: unknown, c: ToolContext) => Promise<HandlerResult<unknown>>;
    const outcome = permission === undefined || "by" in permission ? await handler(input, ctx) : permission;
    if (!("data" in outcome)) return outcome;
    const given = withResolution(await resultOf(tool, outcome, ctx), resolved);
    const result = await keptForReferences(tool, input, given, outcome.kept, ctx);
    await keepAnswer(tool, input, result, ctx);
    return { result, input };
  } catch (error) {
    if (ctx.signal.aborted) throw error; // the client has gone: there is nobody to tell
    if (error instanceof DryRun) return { result: wouldSend(error, ctx) };
    log.warn("tool_failed", { tool: knownName(name), error: failureOf(error) });
    const callable = (other: string) => {
      const known = byName.get(other);
      return known !== undefined && isListed(known, ctx.mode, ctx.settings) && mayRun(known, ctx.settings);
    };
    const toolError = toToolError(error, { texts: ctx.texts, idempotent: tool?.idempotent ?? false, callable });
    const subject = await withSubject(toolError, error, subjectOf(args, ctx), ctx);
    if (isBlocked(subject.code)) ctx.ledger.countBlocked(knownName(name));
    const answered = tool === undefined ? subject : withResume(subject, tool, args, toolNamed);
    return { result: await withTaintMarked(failed(answered, isForeignDetail(error)), holdsOthersText(error), ctx) };
  }
}

/** How a background task ended, listed or not. `late`: what became of an answer that came after the decision. */
export async function endOfTask(
  negotiation_id: string,
  ctx: ToolContext,
  log: Log,
  late: string | undefined,
): Promise<ToolResult> {
  try {
    // The task's own shape leaves some of it out: what it gives does not count as the whole.
    const outcome = await towowStatus.handler({ negotiation_id } as never, { ...ctx, ownsSession: false });
    if (!("data" in outcome)) throw new OutputInvalid({ tool: towowStatus.name });
    const { decision } = await ctx.negotiations.stage(negotiation_id);
    const result = taskResult(await resultOf(towowStatus, outcome, ctx), decision);
    return late === undefined ? result : { ...result, summary: `${late}\n${result.summary}` };
  } catch (error) {
    if (ctx.signal.aborted) throw error;
    log.warn("task_result_failed", { error: failureOf(error) });
    const toolError = toToolError(error, { texts: ctx.texts, idempotent: true, callable: () => true });
    const result = failed(await withSubject(toolError, error, negotiation_id, ctx), isForeignDetail(error));
    return withTaintMarked(result, holdsOthersText(error), ctx);
  }
}

async function resultOf(tool: Tool, outcome: Result, ctx: ToolContext): Promise<ToolResult> {
  const notices = tool.open_world ? await ctx.notices() : [];
  const complete = await withUnreportedNotes(outcome, ctx);
  const isKnown = ctx.negotiations.isFromMemory;
  if (isKnown) ctx.ledger.countHit();
  const unmarked = checked(tool, { ...complete, warnings: [...(complete.warnings ?? []), ...notices] }, isKnown);
  const result = tool.open_world ? marked(unmarked, ctx) : unmarked;
  return withTaintMarked(result, complete.taints !== false, ctx);
}

/**
 * Text of others that a new result holds taints the session and its home before a model gets it (agent layer §3); one
 * from the cache did so when it was made. `holdsText`: whether what is marked in it is more than names and the person's own words.
 */
async function withTaintMarked(result: ToolResult, holdsText: boolean, { taint }: ToolContext): Promise<ToolResult> {
  const { meta, warnings } = result;
  if ((meta.tainted && holdsText) || warnings.includes("suspicious_instructions")) await taint.mark();
  return result;
}

/** Nothing of the sandbox passes for the network's: each result says where it is from, and the first one what that is. */
function marked(result: ToolResult, { origin, texts }: ToolContext): ToolResult {
  if (origin !== SANDBOX) return result;
  const { mark, what } = texts.sandbox;
  const { summary, warnings } = result;
  if (!warnings.includes(SANDBOX)) return { ...result, summary: mark(summary), warnings: [...warnings, SANDBOX] };
  return { ...result, summary: `${what}\n${mark(summary)}` };
}

/** What the person must agree to first; a pause is opened by its handler. */
async function permissionFor({ asks }: Tool, input: unknown, ctx: ToolContext): Promise<Asked | undefined> {
  if (typeof asks === "string") return undefined;
  return asks(input as never, ctx);
}

/** The negotiation that a call names, or means by naming neither one nor a demand. */
function subjectOf(args: unknown, { settings }: ToolContext): string | undefined {
  const { negotiation_id, intent } = (args ?? {}) as Record<string, unknown>;
  if (typeof negotiation_id === "string") return negotiation_id;
  return intent === undefined ? settings.last_negotiation_id : undefined;
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
      ...(outcome.tainted && { tainted: true as const, tainted_paths: outcome.tainted }),
      ...outcome.meta,
    },
  };
  const parsed = tool.envelope.safeParse(result);
  if (!parsed.success) throw new OutputInvalid({ tool: tool.name }, { cause: parsed.error });
  return parsed.data as ToolResult;
}

/** Under `dry_run` a write answers with the request that it would have been (agent layer §6). */
const wouldSend = ({ request }: DryRun, { texts }: ToolContext): ToolResult => ({
  status: "ok",
  summary: texts.dryRun(request.method, request.url),
  data: null,
  warnings: ["dry_run"],
  error: null,
  meta: { would_send: request },
});
