import type { Stage } from "../stage.ts";
import { cancelUntilDone } from "./cancel-until-done.ts";
import { confirmUntilSeen } from "./confirm-until-seen.ts";
import { guardDeadline } from "./deadline-guard.ts";
import { standBy } from "./stand-by.ts";
import { idle, type PlanInput, type Step } from "./step.ts";
import { type Policy, TIMES } from "./times.ts";

/**
 * What the program does next about one negotiation: a pure function of where it stands, what this program has
 * seen, and the policy.
 */
export function next(stage: Stage, input: PlanInput, policy: Policy): Step {
  if (isSettled(stage, input.leftMs)) return idle;
  if ((stage.name === "over" || stage.name === "moving") && stage.decision === undefined) return { do: "conclude" };
  if (!input.isMine) {
    if (policy.isDry) return idle;
    const isOnlyPassing = policy.isOneShot === true && stage.decision === undefined;
    return input.isOwnerAlive || isOnlyPassing ? standBy(stage, input, policy) : { do: "adopt" };
  }
  switch (stage.name) {
    case "not_found":
      return idle;
    case "over":
    case "moving":
      return { do: "conclude" };
    case "formulating":
    case "asking":
      return guardDeadline(stage, input, policy);
    case "cancelling":
      return cancelUntilDone(input, policy);
    case "confirming":
      return confirmUntilSeen(stage, input, policy);
  }
}

/** Whether no program has anything left to do about it. `leftMs`: until the backend goes on by itself. */
export function isSettled(stage: Stage, leftMs: number | undefined): boolean {
  if (stage.name === "not_found" || (leftMs ?? 0) < -TIMES.givenUpAfterMs) return true;
  return (stage.name === "over" || stage.name === "moving") && isWritten(stage);
}

/** Whether what is seen, and the last decision's effect, stand in the facts. */
const isWritten = ({ outcome, decision }: Extract<Stage, { name: "over" | "moving" }>): boolean =>
  outcome !== undefined && (decision === undefined || outcome.number >= decision.number);
