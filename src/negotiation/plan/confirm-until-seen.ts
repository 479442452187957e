import type { Stage } from "../stage.ts";
import { hasLookedSince, isFresh, look, rest, type Seen, type Step, wait } from "./step.ts";
import { marginMs, type Policy, TIMES } from "./times.ts";

/**
 * A yes is sent, and where its answer is lost its effect is looked for. It goes again only after a look that shows the
 * same text still waiting; what shows no effect by the deadline is withdrawn.
 */
export function confirmUntilSeen(stage: Stage & { name: "confirming" }, seen: Seen, policy: Policy): Step {
  const { attempt, text, leftMs, isWithdrawingAtEnd } = seen;
  const isFirst = attempt.count === 0;
  if (text === "lost") return { do: "undo", why: "edit_lost" };
  if (attempt.last === "failed") return { do: "undo", why: "no_effect" };
  if (isFirst && text === "ready" && seen.isOwnDecision) return { do: "confirm" };
  // Unseen at the deadline, the backend would broadcast its own text.
  const isDue = leftMs !== undefined && leftMs <= marginMs(policy);
  if (isDue || isWithdrawingAtEnd) {
    if (!hasLookedSince(seen)) return seen.sinceLookMs === 0 && !isFirst ? wait(1) : { do: "read" };
    // What arrived shows in moments, and a third of the margin is enough to withdraw what did not.
    const mayShow = attempt.last === "unknown" && attempt.sinceLossMs < TIMES.effectLookForMs && !isWithdrawingAtEnd;
    if (mayShow && (leftMs ?? 0) > marginMs(policy) / 3) return look(seen, TIMES.effectLookEveryMs);
    if (isFirst && text === "ready" && isFresh(seen) && !isWithdrawingAtEnd) return { do: "confirm" };
    return { do: "withdraw", by: isWithdrawingAtEnd ? "shutdown" : "guard" };
  }
  if (attempt.last === "busy") {
    if (attempt.count > TIMES.busyRetries) return { do: "undo", why: "no_effect" };
    if (attempt.sinceMs < TIMES.busyRetryMs) return wait(TIMES.busyRetryMs - attempt.sinceMs);
    return text === "ready" ? { do: "confirm" } : look(seen, TIMES.confirmRetryMs);
  }
  if (isFirst) {
    // Another program wrote this decision: what it sent may still arrive.
    if (seen.decisionAgeMs < TIMES.settlingMs) return wait(TIMES.settlingMs - seen.decisionAgeMs);
    if (!isFresh(seen) || text === "unread") return look(seen, TIMES.confirmRetryMs);
    return text === "changed" ? { do: "undo", why: "no_effect" } : { do: "confirm" };
  }
  if (attempt.sinceMs < TIMES.effectLookForMs) return look(seen, TIMES.effectLookEveryMs);
  if (stage.deadlineAt === undefined) return rest; // submitted by others: the decider learns that it is open
  if (attempt.sinceMs < TIMES.confirmRetryMs) return wait(TIMES.confirmRetryMs - attempt.sinceMs);
  if (!isFresh(seen) || text === "unread") return look(seen, TIMES.confirmRetryMs);
  // Nobody has agreed to that text, nor to replacing it.
  return text === "changed" ? { do: "withdraw", by: "guard" } : { do: "confirm" };
}
