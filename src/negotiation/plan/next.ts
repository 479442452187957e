import type { Stage } from "../stage.ts";
import { cancelUntilDone } from "./cancel-until-done.ts";
import { confirmUntilSeen } from "./confirm-until-seen.ts";
import { guardDeadline } from "./deadline-guard.ts";
import { rest, type Seen, type Step, wait } from "./step.ts";
import { type Policy, TIMES } from "./times.ts";

/**
 * What the program does next about one negotiation: a pure function of where it stands, what this program has
 * seen, and the policy.
 */
export function next(stage: Stage, seen: Seen, policy: Policy): Step {
  if (stage.name === "not_found" || (seen.leftMs ?? 0) < -TIMES.givenUpAfterMs) return rest;
  const isOver = stage.name === "over" || stage.name === "moving";
  if (isOver && (isWritten(stage) || stage.decision === undefined)) return isWritten(stage) ? rest : { do: "conclude" };
  if (!seen.isMine) {
    if (policy.isDry) return rest;
    if (seen.isOwnerAlive) return wait(TIMES.ownerLookMs);
    return policy.isOneShot && stage.decision === undefined ? rest : { do: "adopt" };
  }
  switch (stage.name) {
    case "over":
    case "moving":
      return { do: "conclude" };
    case "formulating":
    case "asking":
      return guardDeadline(stage, seen, policy);
    case "cancelling":
      return cancelUntilDone(seen, policy);
    case "confirming":
      return confirmUntilSeen(stage, seen, policy);
  }
}

/** Whether what is seen, and the last decision's effect, stand in the facts. */
const isWritten = ({ outcome, decision }: Extract<Stage, { name: "over" | "moving" }>): boolean =>
  outcome !== undefined && (decision === undefined || outcome.number >= decision.number);
