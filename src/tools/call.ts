import type { HandlerResult } from "../ask/context.ts";
import { askPermission } from "../ask/permission.ts";
import type { Question } from "../ask/questions.ts";
import { DryRun } from "../backend/dry-run.ts";
import { failureOf, type Log } from "../log.ts";
import type { ToolResult } from "../result/tool-result.ts";
import { keptAnswer } from "./answer-cache.ts";
import { checkBudget } from "./budget.ts";
import type { Tool, ToolContext } from "./define.ts";
import { type Failed, failureResult } from "./failure-result.ts";
import { resultOf, wouldSend } from "./handler-result.ts";
import { findTool, knownName, noSuchTool, toolNamed } from "./index.ts";
import { isListed, mayRun, whyNotRun, whyUnlisted } from "./policy.ts";
import { keptForReferences, withResolution } from "./references/kept.ts";
import { resolveReferences } from "./references/resolve.ts";
import { isBlocked, withResume } from "./resume-blocked.ts";
import { givenArguments, validateArguments } from "./validate.ts";

/** `input`: the arguments as they were checked, with what references name in them; absent where they could not be. */
export type CallResult = { result: ToolResult; input?: unknown } | { ask: Question } | { task: string };

/**
 * One call, from the name to the result: whether the tool is listed and allowed, its references and arguments, an answer
 * from the cache, the budget, what earlier processes left, the person's permission, the handler, the check of what it
 * gives. Every failure becomes a result here and nowhere else.
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
