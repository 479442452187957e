import type { Guard, Silence } from "../negotiation/plan.ts";
import type { Says } from "../negotiation/says.ts";
import { confirms, isPersonsNo, isUndecided, type Stage } from "../negotiation/stage.ts";

/** What becomes of a negotiation at the backend's deadline if its person does nothing more. Pure, and without words. */

/** `at`: when that happens, ms since the epoch; undefined where no deadline is known. */
export type Fate =
  /** Nobody has decided. */
  | Silence
  /**
   * A no has not arrived: at its deadline the backend broadcasts the text. `isPersons`: not a program's withdrawal;
   * `isSending`: a running program goes on with it; `isOut`: the text is broadcast already.
   */
  | { of: "no"; isPersons: boolean; isSending: boolean; isOut: boolean; at: number | undefined }
  /** A yes has not arrived. */
  | { of: "yes"; isSending: boolean; at: number | undefined };

/** Undefined where nothing hangs on a deadline: it goes on, or it is over. */
export function fateOf(
  { stage, ending, broadcast }: Pick<Says, "stage" | "ending" | "broadcast">,
  { isWatched, silence }: Guard,
): Fate | undefined {
  const { deadlineAt } = stage;
  if (ending !== undefined) return undefined;
  if (isUndecided(stage)) return silence;
  const decision = onItsWay(stage);
  if (decision === undefined) return undefined;
  if (confirms(decision)) return { of: "yes", isSending: isWatched, at: deadlineAt };
  const isOut = broadcast !== undefined;
  // Of a client's cancel nobody can know whether it is its person's word.
  const isPersons = isPersonsNo(decision) && decision.by !== "client";
  return { of: "no", isPersons, isSending: isWatched, isOut, at: deadlineAt };
}

/** The decision that the backend is not seen to have. */
const onItsWay = (stage: Stage) =>
  stage.name === "confirming" || stage.name === "cancelling" ? stage.decision : undefined;
