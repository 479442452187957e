import { formulatedText } from "../negotiation/backend-states.ts";
import { byConfirm, HumanSurfaceRequired, NotSubmittedHere, TaintedByOthers } from "../negotiation/errors.ts";
import type { Stage } from "../negotiation/stage.ts";
import { showInvisible } from "../safety/invisible.ts";
import type { AskContext, CallingClient } from "./context.ts";
import { fitsInResult } from "./shown-text.ts";

/**
 * How a decision about a negotiation may come from this client (contract §6):
 * - `surface`: the client itself asks the person, so arguments only ask again;
 * - `argument`: there is no surface, and the person's AI passes their word on;
 * - `command_line`, `strict`, `tainted`, `not_own`: on the page or in a terminal, and nowhere else;
 * - `too_long`: the same, since no result holds the text whole;
 * - `no_tool`: the same, since this client may call no tool that takes it;
 * - `command_ends`: nowhere, since it is withdrawn as soon as the command that submitted it ends.
 */
export type DecisionPath =
  | "surface"
  | "argument"
  | "command_line"
  | "command_ends"
  | "strict"
  | "tainted"
  | "not_own"
  | "too_long"
  | "no_tool";

/** Decisions as arguments of a call. */
export interface DecisionArguments {
  negotiation_id: string;
  confirmation_id?: string | undefined;
  decision: "accept" | "edit" | "reject";
  confirmed_text?: string | undefined;
  /** The demand itself: some clients give it again. */
  intent?: string | undefined;
}

/** Whether the client itself can put a question before the person: then arguments never decide (contract §6). */
export const hasSurface = ({ canAsk, canOpenPage }: CallingClient): boolean => canAsk || canOpenPage;

/** The one place that says how a decision about `id` may come; `stage` is where the negotiation stands now. */
export async function decisionPathOf(id: string, stage: Stage, ctx: AskContext): Promise<DecisionPath> {
  const { isOwn, isTainted } = stage;
  if (ctx.client.isCommandLine) return endsWithCommand(id, stage, ctx) ? "command_ends" : "command_line";
  if (!isOwn) return "not_own";
  if (ctx.client.decidingTools.length === 0) return "no_tool";
  if (hasSurface(ctx.client)) return "surface";
  if (ctx.settings.confirmation_policy === "strict") return "strict";
  if (isTainted || (await ctx.session.taint.isTainted())) return "tainted";
  const seen = ctx.negotiations.lastSeen(id);
  const fits = seen === undefined || fitsInResult(showInvisible(formulatedText(seen)));
  return fits ? "argument" : "too_long";
}

/** Whether it is withdrawn when the command that runs now has ended. */
export const endsWithCommand = (id: string, stage: Stage, { negotiations, ...ctx }: AskContext): boolean =>
  ctx.client.isCommandLine &&
  negotiations.isFromThisProgram(id) &&
  (ctx.withdrawsAtEnd || !negotiations.isLeftToBackend(stage));

/** Why a decision by argument is refused, with the way that there is. */
export function refusalOf(path: Exclude<DecisionPath, "surface" | "argument">, negotiation_id: string) {
  const params = byConfirm(negotiation_id);
  if (path === "tainted") return new TaintedByOthers(params);
  return path === "not_own" ? new NotSubmittedHere(params) : new HumanSurfaceRequired(params);
}
