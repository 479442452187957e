import { deadlineIn } from "../ask/ask-person.ts";
import { noByThen } from "../ask/background-task.ts";
import { decisionPathOf } from "../ask/decision-path.ts";
import { howToDecide, isOwnHand, waysToDecide } from "../ask/pause-result.ts";
import { OutcomeUnknown, ReadTimeout, ServerError, UnknownNegotiation } from "../backend/errors.ts";
import { isPathId } from "../backend/route.ts";
import { TowowError } from "../errors.ts";
import { summarise } from "../negotiation/describe.ts";
import { byConfirm, NeedsOwnHand, TextEmpty, TextIllFormed, TwoTexts } from "../negotiation/errors.ts";
import {
  holdsOthersText,
  isForeignDetail,
  type ResumeWith,
  type ToolError,
  toToolError,
} from "../result/tool-error.ts";
import { failed, type ToolResult } from "../result/tool-result.ts";
import type { Texts } from "../text/index.ts";
import { joinSentences } from "../text/join.ts";
import { isSceneId } from "../use/scenes.ts";
import { estimatedCost } from "./budget.ts";
import type { Tool, ToolContext } from "./define.ts";

/**
 * Adds to an error what is known about its negotiation. After a submit this is at least the id, because nobody could
 * find the negotiation otherwise. `given` is the id that the call names.
 */
async function withSubject(
  toolError: ToolError,
  error: unknown,
  given: string | undefined,
  ctx: ToolContext,
): Promise<ToolError> {
  if (error instanceof TextEmpty || error instanceof TextIllFormed || error instanceof TwoTexts)
    return goingOn(toolError, error.params, ctx);
  if (error instanceof NeedsOwnHand) return byOwnHand(toolError, error.params, ctx);
  const made = ctx.subject();
  const named = made === undefined ? toolError : withId(toolError, made, ctx);
  // A call may be about several negotiations, so the error itself says which of them is unknown.
  if (error instanceof UnknownNegotiation)
    return (await goneAway(toolError, error.params.negotiation_id, ctx)) ?? toolError;
  const id = made ?? given;
  return id === undefined || !leavesStageOpen(error) ? named : withWrittenStage(named, error, id, ctx);
}

/**
 * Adds to the error what this person's programs wrote down about a negotiation that the backend does not know, or no
 * longer knows. Undefined if they wrote nothing.
 */
async function goneAway(toolError: ToolError, id: string, ctx: ToolContext): Promise<ToolError | undefined> {
  const stage = await ctx.negotiations.stage(id).catch(() => undefined);
  if (stage?.isOwn !== true) return undefined;
  const { texts } = ctx;
  const said = ctx.negotiations.says(stage, undefined, { isGone: true });
  return {
    ...toolError,
    message: `${id}: ${summarise(said, texts)}`,
    recovery_suggestion: said.ending === "not_found" ? texts.unshown.gone : texts.unshown.over,
  };
}

/**
 * Completes the error for a yes that the person must give by their own hand, because an AI may not pass it on. If the
 * question's page is open, repeating the call takes the answer. Otherwise `towow_status` shows what the person
 * decided elsewhere.
 */
async function byOwnHand(
  toolError: ToolError,
  { negotiation_id: id, args, page }: TowowError["params"],
  ctx: ToolContext,
): Promise<ToolError> {
  if (typeof id !== "string" || page === "open") return toolError;
  const params = { negotiation_id: id, wait: "change" };
  const waiting = { ...toolError, resume_with: { tool: "towow_status", params } };
  if (ctx.client.isCommandLine || args !== byConfirm(id).args) return waiting;
  const path = await decisionPathOf(id, await ctx.negotiations.stage(id), ctx);
  const ways = isOwnHand(path) ? waysToDecide(id, path, ctx) : howToDecide(id, path, ctx);
  return { ...waiting, recovery_suggestion: joinSentences(ways) };
}

/** Adds the call that answers the same question again, because the question stays open under the same ids. */
async function goingOn(
  toolError: ToolError,
  { tool, negotiation_id, confirmation_id }: TowowError["params"],
  ctx: ToolContext,
): Promise<ToolError> {
  if (typeof negotiation_id !== "string") return toolError;
  const path = await decisionPathOf(negotiation_id, await ctx.negotiations.stage(negotiation_id), ctx);
  const params = { negotiation_id, ...(confirmation_id !== undefined && { confirmation_id }) };
  const needs = path === "argument" ? { needs: ["decision"] } : {};
  return { ...toolError, resume_with: { tool: String(tool), params, ...needs } };
}

const withId = (toolError: ToolError, negotiation_id: string, { texts }: ToolContext): ToolError => ({
  ...toolError,
  message: joinSentences([toolError.message, texts.madeAs(negotiation_id)]),
  resume_with: { tool: "towow_status", params: { negotiation_id } },
});

/**
 * Returns whether the error leaves open where the negotiation stands, because the backend failed to show it, a cancel
 * got no answer, or a call reached its limit before anything was decided.
 */
const leavesStageOpen = (error: unknown): boolean =>
  error instanceof ReadTimeout ||
  (error instanceof TowowError &&
    error.params.operation === "getNegotiation" &&
    !(error instanceof UnknownNegotiation)) ||
  (error instanceof OutcomeUnknown && error.params.operation === "action");
/** Returns whether the same call may fail each time, as the backend does for some texts. */
const mayFailForEver = (error: unknown): boolean => error instanceof ServerError || error instanceof OutcomeUnknown;

/**
 * Adds what this person's programs wrote down about the negotiation, which is enough to go on while the backend does
 * not show it.
 */
async function withWrittenStage(
  toolError: ToolError,
  error: unknown,
  id: string,
  ctx: ToolContext,
): Promise<ToolError> {
  const stage = await ctx.negotiations.stage(id).catch(() => undefined);
  if (stage?.deadlineAt === undefined) return toolError; // This person's programs wrote nothing about the negotiation.
  const { texts } = ctx;
  const named = toolError.message.includes(id) ? toolError : withId(toolError, id, ctx);
  const said = ctx.negotiations.says(stage, undefined);
  if (said.ending !== undefined && said.ending !== "ended")
    return {
      ...named,
      message: joinSentences([named.message, summarise(said, texts)]),
      ...(mayFailForEver(error) && { recovery_suggestion: texts.unshown.over }),
    };
  const guard = await ctx.negotiations.guard(id, stage).catch(() => undefined);
  if (stage.name === "cancelling" || stage.name === "confirming")
    return {
      ...named,
      message: joinSentences([named.message, texts.state[stage.name]]),
      recovery_suggestion: joinSentences([
        texts.unshown.going(guard?.isGuarded === true),
        await noByThen(id, stage, ctx),
      ]),
    };
  if (stage.name !== "formulating" && stage.name !== "asking") return named;
  const deadline = deadlineIn(guard?.silence, ctx);
  // The written facts show that nothing has taken effect, so nobody needs to check before they try again.
  const { recovery, recoveryOfWrite } = texts.errors[toolError.code as keyof Texts["errors"]];
  const plain = recoveryOfWrite === undefined ? named.recovery_suggestion : recovery;
  const wayOn = mayFailForEver(error) ? texts.unshown.open(id) : plain;
  return {
    ...named,
    // A person who has just said yes must learn that nothing is decided yet.
    message: joinSentences([named.message, texts.undecided]),
    recovery_suggestion: joinSentences([wayOn, deadline]),
  };
}

/** The facts about a failed call that its answer depends on. */
export interface Failed {
  /** The negotiation that the call was about. */
  subject: string | undefined;
  /** True if the call can be repeated without doing anything twice. */
  idempotent: boolean;
  /** Returns whether this tool can be called next. */
  callable: (tool: string) => boolean;
  /** Adds to the error what follows from the call itself. */
  complete?: (error: ToolError) => ToolError;
}

/**
 * Turns any failure into the result that a model and a person read, with a way to go on. If that result holds others'
 * text, the session is marked as tainted.
 */
export async function failureResult(error: unknown, of: Failed, ctx: ToolContext): Promise<ToolResult> {
  const { subject, idempotent, callable, complete = (same) => same } = of;
  const toolError = toToolError(error, { texts: ctx.texts, idempotent, callable });
  const named = await withSubject(toolError, error, subject, ctx);
  const result = failed(complete(named), isForeignDetail(error));
  return withTaintMarked(result, holdsOthersText(error), ctx);
}

/**
 * Marks the session and its home as tainted, which limits what the AI may pass on for the person, before a model
 * reads others' text in a new result (agent layer §3). A result from the cache did the same when it was made.
 * `holdsText` says whether the marked parts hold more than names and the person's own words.
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

/** Returns whether an error's code says that something must be allowed or decided before the call can succeed. */
export const isBlocked = (code: string): boolean => code.split(".")[2] === "blocked";

/**
 * The arguments that only the person can give, so that no call in a result holds them. Each is mapped to the word in
 * `needs` that asks for the argument.
 */
const PERSONS_WORD = new Map([
  ["decision", "decision"],
  ["confirmed_text", "confirmed_text"],
  ["action", "action"],
  ["profile_hash", "consent"],
]);

/**
 * Completes the error of a blocked call with a call to go on with, and the cost of that call (seed 000). Such a call
 * switches to the mode that lists the tool, repeats the call without the texts that a person wrote, or shows the
 * status of the negotiation. If no such call exists, the error names the cost of the blocked call. `named` finds a
 * tool by its name.
 */
export function withResume(error: ToolError, tool: Tool, args: unknown, named: (name: string) => Tool): ToolError {
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
  const taken = Object.entries(args).filter(([name]) => Object.hasOwn(tool.input.shape, name));
  const plain = taken.filter(([name, value]) => !PERSONS_WORD.has(name) && isPlain(tool, name, value));
  const params = Object.fromEntries(plain);
  if (canBeMade(tool, params)) {
    const left = taken.map(([name]) => name).filter((name) => !(name in params));
    const needs = left.flatMap((name) => PERSONS_WORD.get(name) ?? []);
    const pass_back = left.filter((name) => !needs.includes(name));
    return {
      tool: tool.name,
      params,
      ...(needs.length > 0 && { needs }),
      ...(pass_back.length > 0 && { pass_back }),
    };
  }
  return hasId ? { tool: "towow_status", params: { negotiation_id } } : undefined;
}

/**
 * Returns whether a call with these arguments is complete. A call that begins a negotiation is not, because it needs
 * the text of the demand, which is never among them.
 */
const canBeMade = (tool: Tool, params: Record<string, unknown>): boolean =>
  tool.input.safeParse(params).success && !(tool.startsNegotiation === true && !("negotiation_id" in params));

/**
 * Returns whether an argument is a number, a switch, an id or a choice. An error gives no other argument back,
 * because anybody may have written a text, and the AI still has the call itself.
 */
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
