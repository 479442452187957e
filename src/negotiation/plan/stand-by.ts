import { isUndecided, type Stage } from "../stage.ts";
import { isLeftToBackend } from "./deadline-guard.ts";
import { idle, type PlanInput, readEvery, type Step, wait } from "./step.ts";
import { marginMs, type Policy, TIMES, withinMargin } from "./times.ts";

/**
 * Another program answers, and may only seem to: one that hangs, or no longer reaches the backend, looks alive. So
 * whoever knows an open negotiation takes it over shortly before the deadline, when that program has had its chance.
 */
export function standBy(stage: Stage, input: PlanInput, policy: Policy): Step {
  if (input.isWithdrawingAtEnd) return idle;
  const turnMs = untilTurnMs(stage, input, policy);
  if (turnMs <= 0) return { do: "adopt" };
  const offered = mayOffer(stage, input, policy) ? offer(input) : undefined;
  if (offered !== undefined) return offered;
  return wait(Math.min(turnMs, TIMES.ownerCheckMs, Math.max(withinMargin(policy, TIMES.clockCheckMs), 1)));
}

function untilTurnMs(stage: Stage, { leftMs, ownerAgeMs }: PlanInput, policy: Policy): number {
  const isOpen = isUndecided(stage) || stage.name === "confirming" || stage.name === "cancelling";
  const isLeft = isUndecided(stage) && isLeftToBackend(stage, policy);
  if (!isOpen || isLeft || leftMs === undefined || leftMs <= 0) return Number.POSITIVE_INFINITY;
  const margin = marginMs(policy);
  // Only its program has the text of an edit, and looks for its effect until then.
  const part = stage.name === "confirming" && stage.decision.kind === "edit" ? margin / 3 : (margin * 2) / 3;
  return Math.max(leftMs - part, margin / 6 - ownerAgeMs); // one that took over a moment ago has its chance as well
}

/** So near the deadline nobody leaves it to anybody: whoever gets it looks at the facts now and then only. */
export const isTooLateToLeave = (leftMs: number | undefined, policy: Policy): boolean =>
  leftMs === undefined || leftMs <= 2 * marginMs(policy);

const mayOffer = (stage: Stage, { isOffered, leftMs }: PlanInput, policy: Policy): boolean =>
  policy.keepsOthers === true &&
  !isOffered &&
  isUndecided(stage) &&
  !isLeftToBackend(stage, policy) &&
  !isTooLateToLeave(leftMs, policy);

/** Only what this program has just read: one that does not reach the backend would withdraw nothing. */
function offer(input: PlanInput): Step | undefined {
  const { sinceAnswerMs, notFoundMs } = input;
  if (sinceAnswerMs !== undefined && sinceAnswerMs <= TIMES.ownerCheckMs && notFoundMs === undefined)
    return { do: "offer" };
  const read = readEvery(input, TIMES.ownerCheckMs);
  return read.do === "read" ? read : undefined;
}
