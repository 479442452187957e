import { isNotFoundBelieved } from "./not-found.ts";
import { idle, type PlanInput, type Step, wait } from "./step.ts";
import { type Policy, TIMES, withinMargin } from "./times.ts";

/** A no is sent until the backend has it. */
export function cancelUntilDone(input: PlanInput, policy: Policy): Step {
  const { attempt, notFoundMs, leftMs } = input;
  if (attempt.count === 0) return { do: "cancel" };
  if (leftMs === undefined) return idle; // submitted by others: the decider learns that it failed
  if (notFoundMs !== undefined && isNotFoundBelieved(input)) return { do: "abandon" };
  const isLate = leftMs < -TIMES.confirmTimeoutMs;
  const retryMs = isLate
    ? TIMES.lateRetryMs
    : withinMargin(policy, notFoundMs === undefined ? TIMES.cancelRetryMs : TIMES.notFoundRetryMs);
  return attempt.sinceMs >= retryMs ? { do: "cancel" } : wait(retryMs - attempt.sinceMs);
}
