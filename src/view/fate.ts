import type { Guard, Silence } from "../negotiation/plan.ts";
import type { Says } from "../negotiation/says.ts";
import { confirms, isPersonsNo, isUndecided, type Stage } from "../negotiation/stage.ts";

/** Works out what becomes of a negotiation at the backend's deadline if its person does nothing more. Pure, without words. */

/** What is still to come, unlike an `Ending`, which has happened. `at` is the deadline in ms since the epoch, if known. */
export type Fate =
  /** Nobody has decided. */
  | Silence
  /**
   * A no has not arrived, so the backend will broadcast the text at its deadline. `isPersons`: a person said the no, and
   * not a program. `isSending`: a running program still tries to deliver it. `isOut`: the text is already broadcast.
   */
  | { of: "no"; isPersons: boolean; isSending: boolean; isOut: boolean; at: number | undefined }
  /** A yes has not arrived. */
  | { of: "yes"; isSending: boolean; at: number | undefined };

/** Returns undefined if nothing depends on a deadline, because the negotiation goes on or is over. */
export function fateOf(
  { stage, ending, broadcast }: Pick<Says, "stage" | "ending" | "broadcast">,
  { isGuarded, silence }: Guard,
): Fate | undefined {
  const { deadlineAt } = stage;
  if (ending !== undefined) return undefined;
  if (isUndecided(stage)) return silence;
  const decision = onItsWay(stage);
  if (decision === undefined) return undefined;
  if (confirms(decision)) return { of: "yes", isSending: isGuarded, at: deadlineAt };
  const isOut = broadcast !== undefined;
  // Nobody can know whether a client's cancel is its person's word.
  const isPersons = isPersonsNo(decision) && decision.by !== "client";
  return { of: "no", isPersons, isSending: isGuarded, isOut, at: deadlineAt };
}

/** Returns the decision that the backend has not been seen to receive. */
const onItsWay = (stage: Stage) =>
  stage.name === "confirming" || stage.name === "cancelling" ? stage.decision : undefined;
