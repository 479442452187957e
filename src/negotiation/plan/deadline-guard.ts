import type { Stage } from "../stage.ts";
import { isNotFoundBelieved } from "./not-found.ts";
import { look, rest, type Seen, type Step, wait } from "./step.ts";
import { marginMs, type Policy, TIMES, withinMargin } from "./times.ts";

/** Whether silence lets the backend broadcast: by the policy, and never where no person has seen what a model sent. */
export const isLeftToBackend = ({ isTainted }: Pick<Stage, "isTainted">, { onUnconfirmed }: Policy): boolean =>
  onUnconfirmed === "leave" && !isTainted;

/** Undecided: withdrawn before the backend would broadcast it by itself (contract §6, "the deadline is real"). */
export function guardDeadline(stage: Stage, seen: Seen, policy: Policy): Step {
  if (seen.leftMs === undefined) return rest; // submitted by others: no deadline is known, nothing is ours to withdraw
  if (seen.isWithdrawingAtEnd) return { do: "withdraw", by: "shutdown" };
  if (seen.notFoundMs !== undefined && isNotFoundBelieved(seen)) return { do: "forget" };
  if (isLeftToBackend(stage, policy))
    return seen.leftMs > 0 ? wait(Math.min(seen.leftMs, TIMES.lateRetryMs)) : look(seen, TIMES.lateRetryMs);
  const leftMs = seen.leftMs - marginMs(policy);
  const isTakenOver = seen.sinceReadMs === undefined && seen.sinceLookMs === undefined;
  if (leftMs > 0 && isTakenOver) return { do: "read" };
  if (leftMs > 0) return wait(Math.min(leftMs, withinMargin(policy, TIMES.clockCheckMs)));
  return { do: "withdraw", by: "guard" };
}
