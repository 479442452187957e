import type { Negotiation } from "../backend/contract.ts";
import { TowowError } from "../errors.ts";
import { countOffers, formulatedText } from "../negotiation/backend-states.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { isUndecided, type Stage } from "../negotiation/stage.ts";
import { invisibleAsJson } from "../safety/invisible.ts";
import { quotable } from "../safety/quotable.ts";
import { joinSentences } from "../text/join.ts";
import type { AskedStop } from "./asked.ts";
import { cutToRow } from "./client-forms.ts";
import type { AskContext, PermissionRequest } from "./context.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** Returns all of what an action carries, with its invisible characters written out. */
export const payloadText = (payload: Payload | undefined): string =>
  payload === undefined ? "" : invisibleAsJson(JSON.stringify(payload));

/** The number of columns up to which a demand is quoted, so that its author recognises it. */
const INTENT_COLUMNS = 40;

/**
 * Returns the question that is asked before a broadcast demand is stopped, or before a cancel that carries data. The
 * question quotes the person's own demand, and never words of others.
 */
export function cancelQuestion(
  id: string,
  { stage, seen }: StageNow,
  { texts: { page } }: AskContext,
  payload?: Payload,
): PermissionRequest {
  const { isOwn } = stage;
  const words = isOwn && seen !== undefined ? quotable(seen.demand_raw) : "";
  const text = page.cancelText(id, words === "" ? undefined : cutToRow(words, INTENT_COLUMNS));
  return {
    question: isOwn ? "stop" : "others_stop",
    title: page.cancelTitle,
    asked: askedStop(id, { stage, seen }, payload),
    text: joinSentences([text, payload && page.cancelCarries(payloadText(payload))]),
  };
}

/** Returns what a yes to a cancel would stop, as data for every surface that asks. */
export const askedStop = (id: string, { stage, seen }: StageNow, payload?: Payload): AskedStop => ({
  about: "stop",
  negotiationId: id,
  demand: stage.isOwn && seen !== undefined ? { submitted: seen.demand_raw, text: textOf(seen) } : undefined,
  reach: stage.reach,
  isUndecided: isUndecided(stage),
  offers: seen === undefined ? { received: 0, total: 0 } : countOffers(seen),
  payload: payload && payloadText(payload),
});

/** Returns the network's text if there is one, and the submitted demand otherwise. */
const textOf = (seen: Negotiation): string => formulatedText(seen) || seen.demand_raw;

/**
 * Returns whether a negotiation is the person's own, and where it stands. If it is the person's own and the backend
 * cannot show it, the written facts decide.
 * @throws the backend's error about a negotiation that was not submitted here
 */
export async function stageNow(id: string, negotiations: Negotiations): Promise<StageNow> {
  const { isOwn } = await negotiations.stageForNo(id);
  const seen = await negotiations.get(id).catch((error: unknown) => {
    if (isOwn && error instanceof TowowError) return undefined;
    throw error;
  });
  return { stage: await negotiations.stageForNo(id, seen), seen };
}

export interface StageNow {
  stage: Stage;
  /** What the backend showed. It is undefined if the backend cannot show the negotiation. */
  seen: Negotiation | undefined;
}

/**
 * Returns whether an AI may withdraw the demand without asking. It may do so while the demand is the person's own and
 * undecided (contract §6).
 */
export const isFreeToStop = (stage: Stage): boolean => stage.isOwn && isUndecided(stage);
