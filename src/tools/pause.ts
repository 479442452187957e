import { type DecisionAnswer, fitsForm, readAnswer } from "../agent/human.ts";
import type { Negotiation } from "../backend/contract.ts";
import { EditedTextEmpty, HumanSurfaceRequired } from "../negotiation/errors.ts";
import type { GateResult } from "../negotiation/gate.ts";
import { type DecidedBy, questionOf } from "../negotiation/history.ts";
import { formulatedText, phaseOf } from "../negotiation/states.ts";
import type { ToolContext } from "./define.ts";
import { follow, standingOf } from "./follow.ts";
import { askInForm, askOnPage } from "./pause-ask.ts";
import { dataWith, describe, idOf, type PauseOutcome, pauseResult } from "./pause-tell.ts";

/** Decisions as arguments of a call. */
export interface DecisionArguments {
  negotiation_id: string;
  confirmation_id?: string | undefined;
  decision?: "accept" | "edit" | "reject" | undefined;
  confirmed_text?: string | undefined;
}

/**
 * Asks the person about a text: in a form if it fits there, else as a result that holds it whole. `candidate` is an
 * edited text that is to be sent instead of the backend's.
 */
export async function openPause(
  negotiation: Negotiation,
  tool: string,
  ctx: ToolContext,
  { candidate, warnings = [] }: { candidate?: string; warnings?: string[] } = {},
): Promise<PauseOutcome> {
  const text = candidate ?? formulatedText(negotiation);
  if (ctx.canAsk && fitsForm(text)) return askInForm(negotiation, text, ctx);
  if (ctx.canOpenPage && candidate === undefined) return askOnPage(negotiation, ctx);
  return pauseResult(negotiation, tool, ctx, { text, warnings });
}

/** The same call after the form came back. */
export async function answerPause(
  answer: DecisionAnswer,
  args: DecisionArguments,
  tool: string,
  ctx: ToolContext,
): Promise<PauseOutcome> {
  const { negotiation_id: negotiationId, confirmation_id: confirmationId } = answer.about;
  if (answer.surface === "page") return answerPage(answer, tool, ctx);
  const filled = answer.action === "accept" ? readAnswer(answer.content) : undefined;
  const base = { negotiationId, confirmationId, by: "form" as const, requestId: ctx.requestId };
  if (answer.action === "decline" || filled?.decision === "reject")
    return settle(await ctx.negotiations.gate.decide({ ...base, kind: "reject", editSeen: true }), tool, ctx);
  if (filled === undefined) {
    const negotiation = await ctx.negotiations.get(negotiationId, ctx.signal, ctx.requestId);
    if (phaseOf(negotiation.state) !== "asking") return describe(negotiation, tool, ctx);
    return pauseResult(negotiation, tool, ctx, { text: formulatedText(negotiation), undecided: true });
  }
  const candidate = args.decision === "edit" ? args.confirmed_text : undefined;
  const typed = filled.confirmed_text?.trim() ? filled.confirmed_text : undefined;
  if (filled.decision === "edit" && typed === undefined) throw new EditedTextEmpty();
  // A text typed beside "accept" is what the person wants sent.
  const editedText = typed ?? candidate;
  const kind = editedText === undefined ? "accept" : "edit";
  const result = await ctx.negotiations.gate.decide({ ...base, kind, editedText, editSeen: typed !== undefined });
  return settle(result, tool, ctx, candidate);
}

/**
 * Back from the page: the client's "accept" only means "I'm done", the decision is what the page recorded. Undecided,
 * it waits within the budget and returns with the pause open.
 */
async function answerPage(answer: DecisionAnswer, tool: string, ctx: ToolContext): Promise<PauseOutcome> {
  const { negotiation_id: id } = answer.about;
  const done = answer.action === "accept" && (await ctx.negotiations.untilDecided(id, waitBudgetMs(ctx), ctx.signal));
  const negotiation = await ctx.negotiations.get(id, ctx.signal, ctx.requestId);
  if (done || phaseOf(negotiation.state) !== "asking") {
    const now = await follow(id, (n) => phaseOf(n.state) !== "asking", ctx, 2_000);
    return describe(now, tool, ctx);
  }
  return pauseResult(negotiation, tool, ctx, { text: formulatedText(negotiation), undecided: true });
}

const waitBudgetMs = (ctx: ToolContext) => ctx.settings.wait_budget_s * 1000;

/**
 * A decision that came as arguments. Where the client can ask, it only opens the form; a rejection needs no second
 * question. @throws HumanSurfaceRequired under `confirmation_policy: strict`, and whenever it came from a command line.
 */
export async function decideByArgument(args: DecisionArguments, tool: string, ctx: ToolContext): Promise<PauseOutcome> {
  const { negotiation_id: negotiationId, confirmation_id: confirmationId, confirmed_text: editedText } = args;
  if (ctx.fromCommandLine) throw new HumanSurfaceRequired();
  const { requestId } = ctx;
  const { gate } = ctx.negotiations;
  const kind = args.decision ?? "accept";
  const by: DecidedBy = "argument";
  if (kind === "reject")
    return settle(await gate.decide({ negotiationId, kind, by, editSeen: true, requestId }), tool, ctx);
  if (kind === "edit" && !editedText?.trim()) throw new EditedTextEmpty();
  if (!ctx.canAsk) {
    if (ctx.settings.confirmation_policy === "strict") throw new HumanSurfaceRequired();
    return settle(
      await gate.decide({ negotiationId, confirmationId, kind, editedText, by, editSeen: true, requestId }),
      tool,
      ctx,
    );
  }
  const negotiation = await ctx.negotiations.get(negotiationId, ctx.signal, ctx.requestId);
  const standing = await standingOf(negotiationId, ctx);
  if (phaseOf(negotiation.state) !== "asking" || standing.decision !== undefined)
    return describe(negotiation, tool, ctx);
  const text = kind === "edit" && editedText !== undefined ? editedText : formulatedText(negotiation);
  const record = await ctx.negotiations.record(negotiationId);
  const question = record && questionOf(record, confirmationId);
  const shownWhole = question?.shown_hash === ctx.negotiations.hash(text);
  if (fitsForm(text) || shownWhole) return askInForm(negotiation, text, ctx);
  if (ctx.canOpenPage && kind === "accept") return askOnPage(negotiation, ctx);
  return pauseResult(negotiation, tool, ctx, { text, ...(kind === "edit" && { edited: true }) });
}

/** What became of a decision. */
async function settle(
  result: GateResult,
  tool: string,
  ctx: ToolContext,
  candidate?: string | undefined,
): Promise<PauseOutcome> {
  const { note, state, pause } = ctx.texts;
  if (result.kind === "changed")
    return openPause(result.negotiation, tool, ctx, {
      warnings: ["text_changed"],
      ...(candidate !== undefined && { candidate }),
    });
  if (result.kind === "moved") return describe(result.negotiation, tool, ctx);
  if (result.kind === "rejected")
    return { summary: state.rejected, data: dataWith(result.decision, result.negotiation, null), warnings: [] };
  const { negotiation: answered, decision } = result;
  // The answer to a confirm still holds the old state: a short look tells what is true now. Whatever becomes of that
  // look, the person is told that the text went out.
  const moved = follow(answered.negotiation_id, (n) => phaseOf(n.state) !== "asking", ctx, 2_000);
  const negotiation = await moved.catch((error) => (ctx.signal.aborted ? Promise.reject(error) : answered));
  const warnings = [...result.warnings, ...(decision.by === "argument" ? ["confirmed_by_argument"] : [])];
  return {
    summary: [pause.moving, ...warnings.map((code) => (note as Record<string, string>)[code])].join("\n"),
    data: dataWith(decision, negotiation, { tool: "towow_status", params: { ...idOf(negotiation), wait: "done" } }),
    warnings,
  };
}
