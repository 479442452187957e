import type { Negotiation } from "../backend/contract.ts";
import type { DecisionRequest, DecisionResult } from "../negotiation/decide.ts";
import { AlreadyDecided } from "../negotiation/errors.ts";
import { confirms, questionOf, type Stage } from "../negotiation/stage.ts";
import type { AskContext } from "./context.ts";

/** What becomes of an answer; `stands`: it says what has been decided already, and nothing was done about it. */
export type FormDecision = DecisionResult | { kind: "stands"; negotiation: Negotiation };

/**
 * Decides what a form says. A client leaves it open while its person decides elsewhere (contract §6): the same answer is
 * no second decision. @throws AlreadyDecided for another one, which says what stands; what `decide` throws
 */
export async function decideInForm(request: DecisionRequest, ctx: AskContext): Promise<FormDecision> {
  try {
    return await ctx.negotiations.decide(request);
  } catch (error) {
    const id = request.negotiationId;
    if (!(error instanceof AlreadyDecided) || !saysTheSame(request, await ctx.negotiations.stage(id), ctx)) throw error;
    return { kind: "stands", negotiation: await ctx.negotiations.get(id) };
  }
}

/** Whether the decision that stands has the effect of this one: the very text, or none. */
function saysTheSame(request: DecisionRequest, stage: Stage, { negotiations: { hash } }: AskContext): boolean {
  const { decision } = stage;
  if (decision === undefined) return false; // the backend went on by itself
  if (request.kind === "reject") return !confirms(decision);
  const text = request.kind === "edit" ? hash(request.text) : questionOf(stage, request.confirmationId)?.shown_hash;
  return confirms(decision) && text !== undefined && decision.text_hash === text;
}
