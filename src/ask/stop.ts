import type { Negotiation } from "../backend/contract.ts";
import { AlreadyCompleted } from "../backend/errors.ts";
import { TowowError } from "../errors.ts";
import type { AskContext, Outcome, Permission } from "./context.ts";
import { askPermission } from "./permission.ts";
import { stageOf } from "./wait-in-call.ts";

/** What the person is asked before what is broadcast is stopped. */
export const cancelQuestion = (id: string, { texts: { page } }: AskContext): Permission => ({
  title: page.cancelTitle,
  text: page.cancelText(id),
});

/**
 * Cancels a negotiation by the word of an AI. While it is undecided that is a rejection, which is free (contract §6).
 * What is broadcast, or was not submitted here, is stopped only with the person's yes: whose it is, and whether it has
 * been broadcast, is looked up now. One of their own that the backend cannot show is judged by what is written.
 * @throws AlreadyCompleted, and what the backend answered about one that was not submitted here
 */
export async function stopByArgument(
  tool: string,
  args: { negotiation_id: string; payload?: Record<string, unknown> | undefined },
  ctx: AskContext,
): Promise<{ stopped: Negotiation } | Outcome<never>> {
  const { negotiation_id: id, payload } = args;
  const { negotiations } = ctx;
  const { isOwn } = await stageOf(id, ctx);
  const seen = await negotiations.get(id).catch((error: unknown) => {
    if (isOwn && error instanceof TowowError) return undefined;
    throw error;
  });
  const { name } = await stageOf(id, ctx, seen);
  // What is over needs no question, and must not go on: another look might show it open.
  if (isOwn && name === "over") throw new AlreadyCompleted({ operation: "action", negotiation_id: id });
  if (isOwn && (name === "formulating" || name === "asking"))
    return { stopped: await negotiations.cancel(id, "argument", { payload, onlyUndecided: true }) };
  const wanted = { ...cancelQuestion(id, ctx), ...(!isOwn && { foreignId: id }) };
  const answer = await askPermission(tool, args, wanted, ctx);
  return "by" in answer ? { stopped: await negotiations.cancel(id, answer.by, { payload }) } : answer;
}
