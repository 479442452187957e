import { inputResponse, type ServerContext } from "@modelcontextprotocol/server";
import { type ClientAnswer, isPersons, type Pending } from "../ask/questions.ts";

/** What travels with a question: only which one it is, and of which backend (contract §6, "re-entry"). */
export interface PendingState {
  origin?: string;
  about: Pending;
  surface: "form" | "page";
  /** When it went out, ms since the epoch; absent in what an older program asked. */
  asked_at?: number;
  /** How many questions this call has asked, this one included; absent as above. */
  asked?: number;
}

/** What one call asks at most: the SDK's client gives a call up after ten rounds, and says so in words of its own. */
export const MAX_QUESTIONS = 9;

/** The key of the one question that a call asks. */
export const QUESTION_KEY = "decision";

/** How many questions this call has asked so far. */
export const questionsAsked = (ctx: ServerContext): number => ctx.mcpReq.requestState<PendingState>()?.asked ?? 0;

/** The person's answer, when this is a later round of a call that asked. `now`: milliseconds since the epoch. */
export function answerOf(ctx: ServerContext, now: number): (ClientAnswer & Pick<PendingState, "origin">) | undefined {
  const state = ctx.mcpReq.requestState<PendingState>();
  if (state === undefined) return undefined;
  const { asked_at: askedAt = Number.NEGATIVE_INFINITY, ...asked } = state;
  const response = inputResponse(ctx.mcpReq.inputResponses, QUESTION_KEY);
  if (response.kind !== "elicit") return { ...asked, action: "missing", content: undefined };
  const { action, content } = response;
  return isPersons(action, now - askedAt) ? { ...asked, action, content } : { ...asked, action: "unseen", content };
}
