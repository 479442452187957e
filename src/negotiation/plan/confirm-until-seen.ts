import type { Stage } from "../stage.ts";
import { hasRequestedSince, isFresh, type PlanInput, readEvery, rest, type Step, wait } from "./step.ts";
import { marginMs, type Policy, TIMES } from "./times.ts";

/**
 * A yes is sent, and where its answer is lost its effect is looked for. It goes again only after a read that shows the
 * same text still waiting; what shows no effect by the deadline is withdrawn.
 */
export function confirmUntilSeen(stage: Stage & { name: "confirming" }, input: PlanInput, policy: Policy): Step {
  const { attempt, text, leftMs, isWithdrawingAtEnd } = input;
  const isFirst = attempt.count === 0;
  if (text === "lost") return { do: "undo", why: "edit_lost" };
  if (attempt.last === "failed") return { do: "undo", why: "no_effect" };
  if (isFirst && text === "ready" && input.isDecidedHere) return { do: "confirm" };
  // Unseen at the deadline, the backend would broadcast its own text.
  const isDue = leftMs !== undefined && leftMs <= marginMs(policy);
  if (isDue || isWithdrawingAtEnd) {
    // A read that began in the millisecond of the try may have been answered before it: the next one shows its effect.
    if (!hasRequestedSince(input)) return input.sinceRequestMs === 0 && !isFirst ? wait(1) : { do: "read" };
    // What arrived shows in moments, and a third of the margin is enough to withdraw what did not.
    const mayShow = attempt.last === "unknown" && attempt.sinceLossMs < TIMES.effectReadForMs && !isWithdrawingAtEnd;
    if (mayShow && (leftMs ?? 0) > marginMs(policy) / 3) return readEvery(input, TIMES.effectReadEveryMs);
    if (isFirst && text === "ready" && isFresh(input) && !isWithdrawingAtEnd) return { do: "confirm" };
    return { do: "withdraw", by: isWithdrawingAtEnd ? "shutdown" : "guard" };
  }
  if (attempt.last === "busy") {
    if (attempt.count > TIMES.busyRetries) return { do: "undo", why: "no_effect" };
    if (attempt.sinceMs < TIMES.busyRetryMs) return wait(TIMES.busyRetryMs - attempt.sinceMs);
    return text === "ready" ? { do: "confirm" } : readEvery(input, TIMES.confirmRetryMs);
  }
  if (isFirst) {
    // Another program wrote this decision: what it sent may still arrive.
    if (input.decisionAgeMs < TIMES.settlingMs) return wait(TIMES.settlingMs - input.decisionAgeMs);
    if (!isFresh(input) || text === "unread") return readEvery(input, TIMES.confirmRetryMs);
    return text === "changed" ? { do: "undo", why: "no_effect" } : { do: "confirm" };
  }
  if (attempt.sinceMs < TIMES.effectReadForMs) return readEvery(input, TIMES.effectReadEveryMs);
  if (stage.deadlineAt === undefined) return rest; // submitted by others: the decider learns that it is open
  if (attempt.sinceMs < TIMES.confirmRetryMs) return wait(TIMES.confirmRetryMs - attempt.sinceMs);
  if (!isFresh(input) || text === "unread") return readEvery(input, TIMES.confirmRetryMs);
  // Nobody has agreed to that text, nor to replacing it.
  return text === "changed" ? { do: "withdraw", by: "guard" } : { do: "confirm" };
}
