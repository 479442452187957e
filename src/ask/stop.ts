import type { Negotiation } from "../backend/contract.ts";
import { AlreadyCompleted } from "../backend/errors.ts";
import { TowowError } from "../errors.ts";
import { invisibleAsJson } from "../safety/invisible.ts";
import type { AskContext, Outcome, Permission } from "./context.ts";
import { askPermission } from "./permission.ts";
import { stageOf } from "./wait-in-call.ts";

type Payload = Readonly<Record<string, unknown>>;

/** What an action carries, as a person sees it: all of it, with its invisible characters written out. */
export const payloadText = (payload: Payload | undefined): string =>
  payload === undefined ? "" : invisibleAsJson(JSON.stringify(payload));

/** What the person is asked before what is broadcast is stopped, or before a cancel carries something. */
export const cancelQuestion = (id: string, { texts: { page } }: AskContext, payload?: Payload): Permission => ({
  title: page.cancelTitle,
  text:
    payload === undefined ? page.cancelText(id) : `${page.cancelText(id)} ${page.cancelCarries(payloadText(payload))}`,
});

/**
 * Cancels a negotiation by the word of an AI. While it is undecided that is a rejection, which is free (contract §6) as
 * long as it carries nothing. What is broadcast, or was not submitted here, is stopped only with the person's yes: whose
 * it is, and whether it has been broadcast, is looked up now. One of their own that the backend cannot show is judged by what is written.
 * @throws AlreadyCompleted, and what the backend answered about one that was not submitted here
 */
export async function stopByArgument(
  tool: string,
  args: { negotiation_id: string; payload?: Payload | undefined },
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
  if (isOwn && (name === "formulating" || name === "asking") && payload === undefined)
    return { stopped: await negotiations.cancel(id, "argument", { onlyUndecided: true }) };
  const wanted = { ...cancelQuestion(id, ctx, payload), ...(!isOwn && { foreignId: id }) };
  const answer = await askPermission(tool, args, wanted, ctx);
  return "by" in answer ? { stopped: await negotiations.cancel(id, answer.by, { payload }) } : answer;
}
