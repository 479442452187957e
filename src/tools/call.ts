import type * as z from "zod";
import type { HandlerResult } from "../ask/context.ts";
import { askPermission } from "../ask/permission.ts";
import type { Question } from "../ask/questions.ts";
import { DryRun } from "../backend/operation.ts";
import { Failure } from "../errors.ts";
import { SANDBOX } from "../home/origin.ts";
import { failureOf, type Log } from "../log.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { cacheUri } from "../safety/resource-uris.ts";
import type { LoggedCall } from "../session/recent-calls.ts";
import type { Session } from "../session/session.ts";
import { notesIn } from "../text/warnings.ts";
import { checkBudget } from "./budget.ts";
import type { Tool, ToolContext } from "./define.ts";
import { type Failed, failureResult, isBlocked, withResume, withTaintMarked } from "./failed-call.ts";
import { findTool, knownName, noSuchTool, toolNamed } from "./index.ts";
import { isListed, keepsResults, mayRun, whyNotRun, whyUnlisted } from "./policy.ts";
import { MissingInputs, type Resolution, resolveReferences } from "./references/resolve.ts";
import { givenArguments, validateArguments } from "./validate.ts";

/**
 * The outcome of a call. `input` holds the checked arguments, with references resolved. `input` is absent if the
 * arguments could not be checked.
 */
type CallResult = { result: ToolResult; input?: unknown } | { ask: Question } | { task: string };

/** The maximum length of a tool's name in the record of a call, in UTF-16 units, because a client may send any name. */
const MAX_NAME_LENGTH = 80;

interface LoggedCallDeps {
  log: Log;
  session: Pick<Session, "id" | "rounds" | "cache">;
  /** Receives each call when it is over, including one that the client has cancelled. */
  ended?: (call: LoggedCall) => void;
}

/** A call, or an act of the person that is logged like a call. */
interface LoggedWork extends Pick<ToolContext, "origin" | "provider" | "requestId" | "signal"> {
  tool: string;
  args: unknown;
}

/**
 * Calls a tool as {@link callTool} does, with a log line before and after. The lines say which tool was called, for
 * which request, how long the call took and how it ended, but neither arguments nor contents (agent layer §9).
 * @throws what a cancelled call throws
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

/**
 * Does `work` and writes one log line before and one after.
 * @throws what `work` throws
 */
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
    const logged: LoggedCall = {
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
    const { at: _, ...done } = logged;
    log.info("agent_tool_done", { session_id: session.id, ...done, tool });
    ended?.(logged);
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
  status: LoggedCall["status"];
  result?: ToolResult;
}

function endOf(called: CallResult): Ended {
  if ("ask" in called) return { status: "asked" };
  if ("task" in called) return { status: "task" };
  return { status: called.result.error === null ? "completed" : "error", result: called.result };
}

/**
 * Runs one call from the name to the result: checks that the tool is listed and allowed, resolves references and
 * arguments, tries the cache, checks the budget, resumes what earlier programs left undone, asks the person's
 * permission, runs the handler and checks its output. Every failure of a call becomes a result here, unless the
 * client has cancelled the call.
 */
export async function callTool(name: string, sent: unknown, ctx: ToolContext, log: Log): Promise<CallResult> {
  const args = givenArguments(findTool(name), sent);
  try {
    const isDry = ctx.settings.profile === "dry_run";
    if (!isDry) ctx.negotiations.recoverSoon();
    const tool = allowedTool(name, ctx);
    const isFromCache = wantsKept(tool, args, ctx);
    const { input, resolved } = await inputOf(tool, isFromCache ? withoutFromCache(args) : args, ctx);
    if (isFromCache) return { result: withResolution(await keptBefore(tool, input, ctx), resolved), input };
    const kept = await keptAnswer(tool, input, ctx);
    if (kept.result !== undefined) return { result: withResolution(kept.result, resolved), input };
    await checkBudget(tool, input, ctx);
    if (tool.open_world && !isDry) await ctx.negotiations.recover();
    const outcome = await outcomeOf(tool, input, ctx);
    if (!("data" in outcome)) return outcome;
    const result = await keptForReferences(tool, input, await resultOf(tool, outcome, ctx), outcome.kept, ctx);
    await kept.keep(result);
    // The resolved references are added last, because they belong to this call, while a cached answer may come from
    // another.
    return { result: withResolution(result, resolved), input };
  } catch (error) {
    if (ctx.signal.aborted) throw error; // The client has gone, so nobody would read a result.
    if (error instanceof DryRun) return { result: wouldSend(error, ctx) };
    log.warn("tool_failed", { tool: knownName(name), error: failureOf(error) });
    return { result: await failureResult(error, failedCall(name, args, ctx), ctx) };
  }
}

/**
 * Returns the tool with this name.
 * @throws InvalidArguments if there is no such tool, or the error that says why no list shows the tool or why the
 * profile forbids it
 */
function allowedTool(name: string, { mode, settings }: ToolContext): Tool {
  const tool = findTool(name);
  if (tool === undefined) throw noSuchTool(name, mode, settings);
  if (!isListed(tool, mode, settings)) throw whyUnlisted(tool, mode, settings);
  const forbidden = whyNotRun(tool, settings);
  if (forbidden !== undefined) throw forbidden;
  return tool;
}

/**
 * Returns the checked arguments, and what replaced the references.
 * @throws InvalidArguments, and what resolving a reference throws
 */
async function inputOf(tool: Tool, args: unknown, ctx: ToolContext) {
  const { args: filled, resolved } = await resolveReferences(tool, args, ctx);
  const input = validateArguments(tool, filled, ctx.texts.lang) as Record<string, unknown>;
  if (typeof input.negotiation_id === "string") await ctx.negotiations.refuseOtherBackend(input.negotiation_id);
  return { input, resolved };
}

/**
 * Runs the handler and returns its outcome. If the person must agree first, returns the question, or the result that
 * ends the call without them.
 */
async function outcomeOf({ name, asks, read_only, handler }: Tool, input: unknown, ctx: ToolContext) {
  // A tool whose `asks` is a string asks the person in its handler, if it asks at all.
  const wanted = typeof asks === "string" ? undefined : await asks(input as never, ctx);
  const permission = wanted === undefined || "data" in wanted ? wanted : await askPermission(name, input, wanted, ctx);
  if (permission !== undefined && !("by" in permission)) return permission;
  const outcome = handler(input as never, ctx) as Promise<HandlerResult<unknown>>;
  // The cache is cleared after a failure too, because a failed call may have taken effect.
  return read_only ? outcome : outcome.finally(() => ctx.session.cache.clear());
}

/**
 * Collects what the result of a failed call depends on: the negotiation that the call is about, which tools can be
 * called now, and how to resume a blocked call.
 */
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

/**
 * Returns the id of the negotiation that a call names. A call that names neither a negotiation nor a demand is about
 * the last negotiation.
 */
function subjectOf(args: unknown, { settings }: ToolContext): string | undefined {
  const { negotiation_id, intent } = (args ?? {}) as Record<string, unknown>;
  if (typeof negotiation_id === "string") return negotiation_id;
  return intent === undefined ? settings.last_negotiation_id : undefined;
}

/**
 * The cached answer of a reading tool, if there is one that may be given again, and a function that caches the answer
 * of this call.
 */
interface KeptAnswer {
  result: ToolResult | undefined;
  keep(result: ToolResult): Promise<void>;
}

const NOTHING_KEPT: KeptAnswer = { result: undefined, keep: async () => {} };

/** Looks for a cached answer before a call (agent layer §5). Only a tool with `cacheMs` has one. */
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

/**
 * Returns whether a call asks for the stored result of an earlier call. No tool declares `from_cache`, because every
 * reading tool accepts it while results are stored for references.
 */
const wantsKept = (tool: Tool, args: unknown, { settings }: ToolContext): boolean =>
  tool.read_only && keepsResults(settings) && (args as { from_cache?: unknown } | undefined)?.from_cache === true;

const withoutFromCache = (args: unknown): unknown =>
  Object.fromEntries(Object.entries(args as object).filter(([name]) => name !== "from_cache"));

/**
 * Returns the whole result of an earlier call of this session (seed 000), without a request to the backend. If that
 * result held others' text, the session was marked as tainted then.
 * @throws MissingInputs if no such result is stored
 */
async function keptBefore(
  { name }: Tool,
  input: unknown,
  { session, origin, texts }: ToolContext,
): Promise<ToolResult> {
  const cache_key = session.cache.key(name, input, origin);
  const kept = await session.kept.get(cache_key);
  if (kept === undefined) throw new MissingInputs([{ argument: "from_cache", ref: cache_key, reason: "not_found" }]);
  session.ledger.countHit();
  const isForeign = kept.foreign.length > 0;
  const meta = {
    cache_hit: true as const,
    cache_key,
    ...(isForeign && { tainted: true as const, tainted_paths: [...kept.foreign] }),
  };
  return { status: "ok", summary: texts.fromCache, data: kept.data, warnings: [], error: null, meta };
}

const withResolution = (result: ToolResult, resolved: readonly Resolution[]): ToolResult =>
  resolved.length === 0 ? result : { ...result, meta: { ...result.meta, workflow_resolution: resolved } };

/**
 * Stores the whole result if the toolset works with references, and adds the key by which later calls find it.
 * `whole` is the data before it was shortened.
 */
async function keptForReferences(
  tool: Tool,
  input: unknown,
  result: ToolResult,
  whole: unknown,
  { session: { cache, kept }, origin, now, settings }: ToolContext,
): Promise<ToolResult> {
  if (!keepsResults(settings) || result.data === null) return result;
  const { tainted_paths: foreign = [] } = result.meta;
  const cache_key = cache.key(tool.name, input, origin);
  const isKept = await kept.put(cache_key, { tool: tool.name, at: now(), data: whole ?? result.data, foreign });
  if (!isKept) return result;
  const isShort = result.meta.truncated === true && whole !== undefined;
  const wholes = isShort ? { truncated_paths: { "": cacheUri(cache_key), ...result.meta.truncated_paths } } : {};
  return { ...result, meta: { ...result.meta, cache_key, ...wholes } };
}

type Outcome = Extract<HandlerResult<unknown>, { data: unknown }>;

/**
 * Builds the result from what a handler returned. Adds notices and notes that the person has not yet received, checks
 * the result, and marks the session as tainted if others wrote some of the result.
 * @throws `tool.backend.internal.output_invalid`
 */
export async function resultOf(tool: Tool, outcome: Outcome, ctx: ToolContext): Promise<ToolResult> {
  const notices = tool.open_world ? await ctx.notices() : [];
  const complete = withNotices(await withUnreportedNotes(outcome, ctx), notices, ctx);
  const isKnown = ctx.negotiations.isFromMemory;
  if (isKnown) ctx.session.ledger.countHit();
  const unmarked = checked(tool, { ...complete, warnings: [...(complete.warnings ?? []), ...notices] }, isKnown);
  const result = tool.open_world ? marked(unmarked, ctx) : unmarked;
  return withTaintMarked(result, complete.taints !== false, ctx);
}

/** Builds the result of a write under `dry_run`, which holds the request that would have been sent (agent layer §6). */
const wouldSend = ({ request }: DryRun, { texts }: ToolContext): ToolResult => ({
  status: "ok",
  summary: texts.dryRun(request.method, request.url),
  data: null,
  warnings: ["dry_run"],
  error: null,
  meta: { would_send: request },
});

/**
 * Marks a result of the sandbox, so that it cannot be taken for one of the real network. The session's first such
 * result also explains the sandbox. Errors are not marked.
 */
function marked(result: ToolResult, { origin, texts }: ToolContext): ToolResult {
  if (origin !== SANDBOX) return result;
  const { mark, what } = texts.sandbox;
  const { summary, warnings } = result;
  if (!warnings.includes(SANDBOX)) return { ...result, summary: mark(summary), warnings: [...warnings, SANDBOX] };
  return { ...result, summary: `${what}\n${mark(summary)}` };
}

/** Adds a sentence for each notice about this machine. A notice is given once in a session. */
function withNotices(outcome: Outcome, notices: readonly string[], { texts }: ToolContext): Outcome {
  const sentences = notices.flatMap((code) => (texts.notice as Record<string, string>)[code] ?? []);
  return sentences.length === 0 ? outcome : { ...outcome, summary: [outcome.summary, ...sentences].join("\n") };
}

/** Adds the notes on the result's negotiation that the person has not yet received. */
async function withUnreportedNotes(outcome: Outcome, { negotiations, texts }: ToolContext): Promise<typeof outcome> {
  const { negotiation_id: id } = (outcome.data ?? {}) as { negotiation_id?: unknown };
  if (typeof id !== "string") return outcome;
  const warnings = outcome.warnings ?? [];
  const notes = await negotiations.takeOwed(id).catch(() => []); // If this fails, a later result gives the notes.
  const unreported = notesIn(notes, texts).filter((code) => !warnings.includes(code));
  if (unreported.length === 0) return outcome;
  const summary = [...unreported.map((code) => texts.note[code]), outcome.summary].join("\n");
  return { ...outcome, summary, warnings: [...warnings, ...unreported] };
}

function checked(tool: Tool, outcome: Outcome, isKnown: boolean): ToolResult {
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
