import { isNotFoundBelieved } from "./not-found.ts";
import { type PlanInput, rest, type Step, wait } from "./step.ts";
import { type Policy, TIMES, withinMargin } from "./times.ts";

/** A no is sent until the backend has it. */
export function cancelUntilDone(input: PlanInput, policy: Policy): Step {
  const { attempt, notFoundMs, leftMs } = input;
  if (attempt.count === 0) return { do: "cancel" };
  if (leftMs === undefined) return rest; // submitted by others: the decider learns that it failed
  if (notFoundMs !== undefined && isNotFoundBelieved(input)) return { do: "forget" };
  const isLate = leftMs < -TIMES.confirmTimeoutMs;
  const retryMs = isLate
    ? TIMES.lateRetryMs
    : withinMargin(policy, notFoundMs === undefined ? TIMES.cancelRetryMs : TIMES.notFoundRetryMs);
  return attempt.sinceMs >= retryMs ? { do: "cancel" } : wait(retryMs - attempt.sinceMs);
}
