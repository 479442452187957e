import type { Negotiation } from "../backend/contract.ts";
import { TowowError } from "../errors.ts";
import { formulatedText } from "../negotiation/backend-states.ts";
import type { Negotiations } from "../negotiation/service.ts";
import { isUndecided, type Stage } from "../negotiation/stage.ts";
import { invisibleAsJson } from "../safety/invisible.ts";
import { quotable } from "../safety/quotable.ts";
import { joinSentences } from "../text/join.ts";
import { agentsOf } from "../view/agents.ts";
import type { AskedStop } from "./asked.ts";
import type { AskContext, PermissionRequest } from "./context.ts";
import { cutToRow } from "./form-geometry.ts";

export type Payload = Readonly<Record<string, unknown>>;

/** What an action carries, as a person sees it: all of it, with its invisible characters written out. */
export const payloadText = (payload: Payload | undefined): string =>
  payload === undefined ? "" : invisibleAsJson(JSON.stringify(payload));

/** How much of a demand is quoted so that its author recognises it, in columns. */
const INTENT_COLUMNS = 40;

/**
 * What the person is asked before what is broadcast is stopped, or before a cancel carries something. Their own demand is
 * named by its words; others' words do not belong in one.
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
    asked: {
      about: "stop",
      negotiationId: id,
      demand: isOwn && seen !== undefined ? { submitted: seen.demand_raw, text: textOf(seen) } : undefined,
      reach: stage.reach,
      isUndecided: isUndecided(stage),
      offers: offersIn(seen),
      payload: payload && payloadText(payload),
    },
    text: joinSentences([text, payload && page.cancelCarries(payloadText(payload))]),
  };
}

/** The network's text, where there is one. */
const textOf = (seen: Negotiation): string => formulatedText(seen) || seen.demand_raw;

function offersIn(seen: Negotiation | undefined): AskedStop["offers"] {
  const agents = seen === undefined ? [] : agentsOf(seen, false);
  return { received: agents.filter(({ state }) => state === "offered").length, total: agents.length };
}

/**
 * Whose a negotiation is and where it stands, looked up now; one of their own that the backend cannot show is judged by
 * what is written. @throws what the backend answered about one that was not submitted here
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
  /** Absent where the backend cannot show it. */
  seen: Negotiation | undefined;
}

/** Whether an AI may take it back unasked: the person's own, and nothing has left yet (contract §6). */
export const isFreeToStop = (stage: Stage): boolean => stage.isOwn && isUndecided(stage);
