import type * as z from "zod";
import type { HandlerResult } from "../ask/context.ts";
import { askPermission } from "../ask/permission.ts";
import type { Question } from "../ask/questions.ts";
import { DryRun } from "../backend/operation.ts";
import { isPathId } from "../backend/route.ts";
import { failureOf, type Log } from "../log.ts";
import type { ResumeWith, ToolError } from "../result/tool-error.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { cacheUri } from "../safety/resource-uris.ts";
import type { CallEvidence } from "../session/evidence.ts";
import type { Session } from "../session/session.ts";
import { isSceneId } from "../use/scenes.ts";
import { checkBudget, estimatedCost } from "./budget.ts";
import type { Tool, ToolContext } from "./define.ts";
import { type Failed, failureResult } from "./error-subject.ts";
import { resultOf, wouldSend } from "./handler-result.ts";
import { findTool, knownName, noSuchTool, toolNamed } from "./index.ts";
import { isListed, mayRun, whyNotRun, whyUnlisted } from "./policy.ts";
import { type Resolution, resolveReferences } from "./references/resolve.ts";
import { givenArguments, validateArguments } from "./validate.ts";

/** `input`: the arguments as they were checked, with what references name in them; absent where they could not be. */
type CallResult = { result: ToolResult; input?: unknown } | { ask: Question } | { task: string };

/** Of a tool's name: a client may call anything. */
const MAX_NAME_LENGTH = 80;

interface LoggedCallDeps {
  log: Log;
  session: Pick<Session, "id" | "rounds" | "cache">;
  /** Gets each call when it is over, one that the client has cancelled too. */
  ended?: (evidence: CallEvidence) => void;
}

/** A call, or what a person does in its place. */
interface LoggedWork extends Pick<ToolContext, "origin" | "provider" | "requestId" | "signal"> {
  tool: string;
  args: unknown;
}

/**
 * Calls a tool as {@link callTool} does, with a line in the log before it and one after it: who, which, how long and with
 * what end, and neither arguments nor contents (agent layer §9). @throws what a cancelled call throws
 */
export async function loggedCall(
  name: string,
  args: unknown,
  ctx: ToolContext,
  deps: LoggedCallDeps,
): Promise<{ called: CallResult; durationMs: number }> {
  const timed = { ...deps, now: ctx.now, monotonic: ctx.monotonic };
  const from = ctx.monotonic();
  const called = await loggedWork(
    { ...ctx, tool: name, args },
    timed,
    () => callTool(name, args, ctx, deps.log),
    endOf,
  );
  return { called, durationMs: ctx.monotonic() - from };
}

/** Does `work` between the two lines of the log. @throws what it throws */
export async function loggedWork<T>(
  { tool: name, args, origin, provider, requestId: request_id, signal }: LoggedWork,
  { log, session, ended, now, monotonic }: LoggedCallDeps & Pick<ToolContext, "now" | "monotonic">,
  work: () => Promise<T>,
  endOf: (done: T) => Ended = () => ({ status: "completed" }),
): Promise<T> {
  const tool = knownName(name);
  const from = monotonic();
  const iteration = session.rounds.next(session.cache.key(tool, args, origin));
  const over = ({ status, result }: Ended): void => {
    const evidence: CallEvidence = {
      at: now(),
      tool: name.slice(0, MAX_NAME_LENGTH),
      status,
      duration_ms: monotonic() - from,
      error_code: result?.error?.code ?? null,
      request_id,
      warnings_count: result?.warnings.length ?? 0,
      iteration,
      provider,
      cache_hit: result?.meta.cache_hit === true,
    };
    const { at: _, ...done } = evidence;
    log.info("agent_tool_done", { session_id: session.id, ...done, tool });
    ended?.(evidence);
  };
  log.info("agent_tool_call", { session_id: session.id, tool, iteration, provider, request_id, status: "running" });
  try {
    const done = await work();
    over(endOf(done));
    return done;
  } catch (error) {
    over({ status: signal.aborted ? "cancelled" : "error" });
    throw error;
  }
}

/** How a call ended, and with which result. */
interface Ended {
  status: CallEvidence["status"];
  result?: ToolResult;
}

function endOf(called: CallResult): Ended {
  if ("ask" in called) return { status: "asked" };
  if ("task" in called) return { status: "task" };
  return { status: called.result.error === null ? "completed" : "error", result: called.result };
}

/**
 * One call, from the name to the result: whether the tool is listed and allowed, its references and arguments, an answer
 * from the cache, the budget, what earlier processes left, the person's permission, the handler, the check of what it
 * gives. Every failure of a call becomes a result here.
 */
export async function callTool(name: string, sent: unknown, ctx: ToolContext, log: Log): Promise<CallResult> {
  const args = givenArguments(findTool(name), sent);
  try {
    const isDry = ctx.settings.profile === "dry_run";
    if (!isDry) ctx.negotiations.recoverSoon();
    const tool = allowedTool(name, ctx);
    const { input, resolved } = await inputOf(tool, args, ctx);
    const kept = await keptAnswer(tool, input, ctx);
    if (kept.result !== undefined) return { result: withResolution(kept.result, resolved), input };
    await checkBudget(tool, input, ctx);
    if (tool.open_world && !isDry) await ctx.negotiations.recover();
    const outcome = await outcomeOf(tool, input, ctx);
    if (!("data" in outcome)) return outcome;
    const result = await keptForReferences(tool, input, await resultOf(tool, outcome, ctx), outcome.kept, ctx);
    await kept.keep(result);
    // It tells of this call's own arguments: what the cache gives again is another call's.
    return { result: withResolution(result, resolved), input };
  } catch (error) {
    if (ctx.signal.aborted) throw error; // the client has gone: there is nobody to tell
    if (error instanceof DryRun) return { result: wouldSend(error, ctx) };
    log.warn("tool_failed", { tool: knownName(name), error: failureOf(error) });
    return { result: await failureResult(error, failedCall(name, args, ctx), ctx) };
  }
}

/** @throws InvalidArguments where there is no such tool; otherwise why no list shows it, or why the profile forbids it. */
function allowedTool(name: string, { mode, settings }: ToolContext): Tool {
  const tool = findTool(name);
  if (tool === undefined) throw noSuchTool(name, mode, settings);
  if (!isListed(tool, mode, settings)) throw whyUnlisted(tool, mode, settings);
  const forbidden = whyNotRun(tool, settings);
  if (forbidden !== undefined) throw forbidden;
  return tool;
}

/** The arguments as they were checked, and what stood in the place of references. @throws InvalidArguments and others */
async function inputOf(tool: Tool, args: unknown, ctx: ToolContext) {
  const { args: filled, resolved } = await resolveReferences(tool, args, ctx);
  const input = validateArguments(tool, filled, ctx.texts.lang) as Record<string, unknown>;
  if (typeof input.negotiation_id === "string") await ctx.negotiations.refuseOtherBackend(input.negotiation_id);
  return { input, resolved };
}

/** What the handler gives; before that, where the person must agree first, the question or what became of it. */
async function outcomeOf({ name, asks, read_only, handler }: Tool, input: unknown, ctx: ToolContext) {
  // A pause is opened by its handler.
  const wanted = typeof asks === "string" ? undefined : await asks(input as never, ctx);
  const permission = wanted === undefined || "data" in wanted ? wanted : await askPermission(name, input, wanted, ctx);
  if (permission !== undefined && !("by" in permission)) return permission;
  const outcome = handler(input as never, ctx) as Promise<HandlerResult<unknown>>;
  // One that failed may have been carried out all the same.
  return read_only ? outcome : outcome.finally(() => ctx.session.cache.clear());
}

/** How a call's failure is answered: with tools that can be called now, and with where a blocked call goes on. */
function failedCall(name: string, args: unknown, ctx: ToolContext): Failed {
  const tool = findTool(name);
  return {
    subject: subjectOf(args, ctx),
    idempotent: tool?.idempotent ?? false,
    callable(other) {
      const known = findTool(other);
      return known !== undefined && isListed(known, ctx.mode, ctx.settings) && mayRun(known, ctx.settings);
    },
    complete(error) {
      if (isBlocked(error.code)) ctx.session.ledger.countBlocked(knownName(name));
      return tool === undefined ? error : withResume(error, tool, args, toolNamed);
    },
  };
}

/** The negotiation that a call names, or means by naming neither one nor a demand. */
function subjectOf(args: unknown, { settings }: ToolContext): string | undefined {
  const { negotiation_id, intent } = (args ?? {}) as Record<string, unknown>;
  if (typeof negotiation_id === "string") return negotiation_id;
  return intent === undefined ? settings.last_negotiation_id : undefined;
}

/** What a tool that reads answered a moment ago, if that may be given again, and how to keep what it answers now. */
interface KeptAnswer {
  result: ToolResult | undefined;
  keep(result: ToolResult): Promise<void>;
}

const NOTHING_KEPT: KeptAnswer = { result: undefined, keep: async () => {} };

/** Before a call (agent layer §5). */
async function keptAnswer(
  tool: Pick<Tool, "name" | "cacheMs" | "envelope">,
  input: Record<string, unknown>,
  { origin, session: { cache, ledger } }: ToolContext,
): Promise<KeptAnswer> {
  const { name, cacheMs } = tool;
  if (cacheMs === undefined) return NOTHING_KEPT;
  const { kept, keep } = await cache.at(cache.key(name, input, origin), tool.envelope as z.ZodType<ToolResult>);
  const isWanted = kept !== undefined && input.fresh !== true;
  if (isWanted) ledger.countHit();
  return {
    result: isWanted ? { ...kept, meta: { ...kept.meta, cache_hit: true } } : undefined,
    keep: (result) => keep(result, cacheMs),
  };
}

const withResolution = (result: ToolResult, resolved: readonly Resolution[]): ToolResult =>
  resolved.length === 0 ? result : { ...result, meta: { ...result.meta, workflow_resolution: resolved } };

/**
 * Where the toolset works with references, a result can be referred to: it is kept, whole, and says under which key.
 * `whole`: what it was before it was shortened.
 */
async function keptForReferences(
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

/** What a person decides on elsewhere: the way on is to see what they decided. */
const DECIDED_ELSEWHERE = /\.(?:confirmation_required|tainted|not_submitted_here|decide_on_page)$/;

/** Whether an error says that something must be allowed, or decided, first. */
const isBlocked = (code: string): boolean => code.split(".")[2] === "blocked";

/** What only the person says: no call that a result names holds it. */
const PERSONS_WORD = new Set(["decision", "confirmed_text", "profile_hash", "action"]);

/**
 * Where a blocked call goes on, and what that would cost: the decision's negotiation, the mode that lists the tool, or
 * the same call once what stands in its way has gone (seed 000), as far as it can be made without what a person wrote.
 * `named`: a tool by its name.
 */
function withResume(error: ToolError, tool: Tool, args: unknown, named: (name: string) => Tool): ToolError {
  if (!isBlocked(error.code)) return error;
  const given = (args ?? {}) as Record<string, unknown>;
  const resume = error.resume_with ?? resumeOf(error, tool, given);
  if (resume === undefined) return { ...error, cost: estimatedCost(tool, given) };
  return { ...error, resume_with: { ...resume, cost: estimatedCost(named(resume.tool), resume.params) } };
}

function resumeOf(
  { code, next_steps: next }: ToolError,
  tool: Tool,
  args: Record<string, unknown>,
): ResumeWith | undefined {
  const { negotiation_id } = args;
  const hasId = typeof negotiation_id === "string" && isPathId(negotiation_id);
  if (code.endsWith(".inactive_tool") && next.includes("towow_set_mode"))
    return { tool: "towow_set_mode", params: { mode: tool.modes[0] } };
  if (DECIDED_ELSEWHERE.test(code) && hasId)
    return { tool: "towow_status", params: { negotiation_id, wait: "change" } };
  const taken = Object.entries(args).filter(([name]) => Object.hasOwn(tool.input.shape, name));
  const plain = taken.filter(([name, value]) => !PERSONS_WORD.has(name) && isPlain(tool, name, value));
  const params = Object.fromEntries(plain);
  const needs = taken.map(([name]) => name).filter((name) => !(name in params));
  if (canBeMade(tool, params)) return { tool: tool.name, params, ...(needs.length > 0 && { needs }) };
  return hasId ? { tool: "towow_status", params: { negotiation_id } } : undefined;
}

/** Whether a call with these arguments lacks none: of one that begins a negotiation, the demand. */
const canBeMade = (tool: Tool, params: Record<string, unknown>): boolean =>
  tool.input.safeParse(params).success && !(tool.startsNegotiation === true && !("negotiation_id" in params));

/** Ids and choices. A text may be anybody's by now, and an error gives none back; the AI has the call itself. */
function isPlain({ inputSchema }: Tool, name: string, value: unknown): boolean {
  if (typeof value === "number" || typeof value === "boolean") return true;
  if (typeof value !== "string") return false;
  const { enum: choices } = (inputSchema.properties as Record<string, { enum?: unknown[] }>)[name] ?? {};
  return (
    choices?.includes(value) === true ||
    (name.endsWith("_id") && isPathId(value)) ||
    (name === "scene" && isSceneId(value))
  );
}
