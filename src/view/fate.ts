import type { Guard, Silence } from "../negotiation/plan.ts";
import type { Says } from "../negotiation/says.ts";
import { confirms, isPersonsNo, isUndecided, type Stage } from "../negotiation/stage.ts";

/**
 * This file works out what happens at the backend's deadline if the person does nothing more. Pure, and without words
 * of a language.
 */

/**
 * What will happen at the deadline, unlike an `Ending`, which has happened. `at` is the deadline in ms since the
 * epoch, if it is known.
 */
export type Fate =
  /** Nobody has decided. */
  | Silence
  /**
   * A no has not arrived at the backend, so the backend will broadcast the text at its deadline. `isPersons`: a
   * person said the no, and not a program. `isSending`: a running program still tries to deliver the no. `isBroadcast`: the
   * text is already broadcast.
   */
  | { of: "no"; isPersons: boolean; isSending: boolean; isBroadcast: boolean; at: number | undefined }
  /** A yes has not arrived at the backend. `isSending`: a running program still tries to deliver the yes. */
  | { of: "yes"; isSending: boolean; at: number | undefined };

/**
 * Returns what will happen at the deadline. Undefined if nothing depends on the deadline, because the negotiation
 * goes on or is over.
 */
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
  const isBroadcast = broadcast !== undefined;
  // A client's cancel does not count as the person's, because the client's model may have wanted it.
  const isPersons = isPersonsNo(decision) && decision.by !== "client";
  return { of: "no", isPersons, isSending: isGuarded, isBroadcast, at: deadlineAt };
}

/**
 * Returns whether a text would go out by a yes that can still be given, or goes out by one that was given.
 * `decideBy` is the time until which its person can decide, and `now` is the present, both in ms since the epoch.
 */
export function mayGoOut(
  stage: Stage["name"],
  { isBeingWithdrawn, decideBy, now }: { isBeingWithdrawn: boolean; decideBy: number | undefined; now: number },
): boolean {
  if (isBeingWithdrawn) return false;
  if (stage === "asking") return decideBy === undefined || decideBy > now;
  return stage === "confirming" || stage === "moving";
}

/** Returns the decision that the backend has not yet been seen to receive. */
const onItsWay = (stage: Stage) =>
  stage.name === "confirming" || stage.name === "cancelling" ? stage.decision : undefined;
