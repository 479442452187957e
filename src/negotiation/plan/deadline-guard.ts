import type { Stage } from "../stage.ts";
import { isNotFoundBelieved } from "./not-found.ts";
import { idle, type PlanInput, readEvery, type Step, wait } from "./step.ts";
import { marginMs, type Policy, TIMES, withinMargin } from "./times.ts";

/** Whether silence lets the backend broadcast: by the policy now and by the one under which it was submitted. */
export const isLeftToBackend = (
  { isNeverLeft, onUnconfirmed }: Pick<Stage, "isNeverLeft" | "onUnconfirmed">,
  policy: Policy,
): boolean => policy.onUnconfirmed === "leave" && onUnconfirmed !== "cancel" && !isNeverLeft;

/** Undecided: withdrawn before the backend would broadcast it by itself (contract §6, "the deadline is real"). */
export function guardDeadline(stage: Stage, input: PlanInput, policy: Policy): Step {
  if (input.leftMs === undefined) return idle; // submitted by others: no deadline is known, nothing is ours to withdraw
  if (input.isWithdrawingAtEnd) return { do: "withdraw", by: "shutdown" };
  if (input.notFoundMs !== undefined && isNotFoundBelieved(input)) return { do: "abandon" };
  if (isLeftToBackend(stage, policy))
    return input.leftMs > 0
      ? wait(Math.min(input.leftMs, withinMargin(policy, TIMES.lateRetryMs)))
      : readEvery(input, TIMES.lateRetryMs);
  const leftMs = input.leftMs - marginMs(policy);
  const wasNeverRead = input.sinceReadMs === undefined && input.sinceRequestMs === undefined;
  if (leftMs > 0 && wasNeverRead) return { do: "read" };
  if (leftMs > 0) return wait(Math.min(leftMs, withinMargin(policy, TIMES.clockCheckMs)));
  return { do: "withdraw", by: "guard" };
}
