import type { AskContext, HandlerResult } from "../ask/context.ts";
import { isStrict } from "../ask/decision-path.ts";
import { askPermission } from "../ask/permission.ts";
import { cancelQuestion, isFreeToStop, type Payload, type StageNow, stageNow } from "../ask/stop.ts";
import type { Negotiation } from "../backend/contract.ts";
import { AlreadyCompleted } from "../backend/errors.ts";
import { NeedsOwnHand } from "../negotiation/errors.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { type Hand, whyOwnHand } from "../question/who.ts";

/**
 * Cancels a negotiation on the word of an AI. While the text is undecided, a cancel is a rejection, which needs no
 * yes from the person unless the call carries a payload. A negotiation that is broadcast, or was not submitted here,
 * is stopped only with the person's yes.
 * @throws AlreadyCompleted, and what the backend answered about a negotiation that was not submitted here
 */
export async function stopByArgument(
  tool: string,
  args: { negotiation_id: string; payload?: Payload | undefined },
  ctx: AskContext,
): Promise<{ stopped: Negotiation } | HandlerResult<never>> {
  const { negotiation_id: id, payload } = args;
  const { negotiations } = ctx;
  const now = await stillGoing(id, negotiations);
  const { stage } = now;
  if (isFreeToStop(stage) && payload === undefined)
    return { stopped: await negotiations.cancel(id, "argument", { onlyUndecided: true }) };
  const answer = await askPermission(tool, args, cancelQuestion(id, now, ctx, payload), ctx);
  return "by" in answer ? { stopped: await negotiations.cancel(id, answer.by, { payload }) } : answer;
}

/**
 * Cancels a negotiation by the person's own hand, on a page that has asked them.
 * @throws AlreadyCompleted, NeedsOwnHand, and what the backend answered about a negotiation that was not submitted here
 */
export async function stopByPerson(
  id: string,
  by: Omit<Hand, "surface">,
  { negotiations, settings }: Pick<AskContext, "negotiations" | "settings">,
): Promise<Negotiation> {
  const { stage } = await stillGoing(id, negotiations);
  const given = { isStrict: isStrict(settings), isTainted: stage.isTainted };
  const why = whyOwnHand(stage.isOwn ? "stop" : "others_stop", { surface: "page", ...by }, given);
  if (why !== undefined) throw new NeedsOwnHand(why, { args: `cancel ${id}`, negotiation_id: id });
  return negotiations.cancel(id, "page");
}

/**
 * Reads a negotiation that is to be cancelled. If it is over, the cancel ends here without a question, because a
 * second read might show the negotiation as open.
 * @throws AlreadyCompleted if the person's own negotiation is over
 */
async function stillGoing(id: string, negotiations: Negotiations): Promise<StageNow> {
  const now = await stageNow(id, negotiations);
  if (now.stage.isOwn && now.stage.name === "over")
    throw new AlreadyCompleted({ operation: "action", negotiation_id: id });
  return now;
}
