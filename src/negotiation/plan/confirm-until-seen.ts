import type { Stage } from "../stage.ts";
import { hasRequestedSince, idle, isFresh, type PlanInput, readEvery, type Step, wait } from "./step.ts";
import { marginMs, type Policy, TIMES } from "./times.ts";

/**
 * A yes is sent, and where its answer is lost its effect is looked for. It goes again only after a read that shows the
 * same text still waiting; what shows no effect by the deadline is withdrawn.
 */
export function confirmUntilSeen(stage: Stage & { name: "confirming" }, input: PlanInput, policy: Policy): Step {
  const { attempt, text, leftMs } = input;
  const isFirst = attempt.count === 0;
  if (attempt.last === "failed") return { do: "undo", why: "no_effect" };
  if (isFirst && text === "ready" && input.isDecidedHere) return { do: "confirm" };
  const isDue = leftMs !== undefined && leftMs <= marginMs(policy);
  if (isDue || input.isWithdrawingAtEnd) return lastChance(stage, input, policy);
  if (attempt.last === "busy") return afterBusy(input);
  return isFirst ? takenOver(input) : afterLostAnswer(stage, input);
}

/** Unseen at the deadline, the backend would broadcast its own text: a last read tells whether the yes has arrived. */
function lastChance({ decision }: Stage & { name: "confirming" }, input: PlanInput, policy: Policy): Step {
  const { attempt, text, leftMs = 0, isWithdrawingAtEnd } = input;
  const isFirst = attempt.count === 0;
  // A read that began in the millisecond of the try may have been answered before it: the next one shows its effect.
  if (!hasRequestedSince(input)) return input.sinceRequestMs === 0 && !isFirst ? wait(1) : { do: "read" };
  if (!isWithdrawingAtEnd) {
    // What arrived shows in moments, and a third of the margin is enough to withdraw what did not.
    const mayShow = attempt.last === "unknown" && attempt.sinceLossMs < TIMES.effectReadForMs;
    const mayArrive = text === "lost" && input.decisionAgeMs < TIMES.settlingMs;
    if ((mayShow || mayArrive) && leftMs > marginMs(policy) / 3) return readEvery(input, TIMES.effectReadEveryMs);
  }
  // Once more while there is time for it, and to withdraw it; one that was taken over goes at the program's end, too. A
  // yes to the network's own text has longer: what goes out by silence is what was agreed to.
  const neededMs = decision.kind === "edit" ? (marginMs(policy) * 2) / 3 : marginMs(policy) / 3;
  const goesAgain = !isWithdrawingAtEnd && attempt.last === "unknown" && leftMs > neededMs;
  if ((isFirst || goesAgain) && text === "ready" && isFresh(input)) return { do: "confirm" };
  if (text === "lost" && isFresh(input)) return { do: "undo", why: "edit_lost" };
  return { do: "withdraw", by: isWithdrawingAtEnd ? "shutdown" : "guard" };
}

/** The engine does not wait for a yes yet, which passes by itself. */
function afterBusy(input: PlanInput): Step {
  const { attempt, text } = input;
  if (attempt.count > TIMES.busyRetries) return { do: "undo", why: "no_effect" };
  if (attempt.sinceMs < TIMES.busyRetryMs) return wait(TIMES.busyRetryMs - attempt.sinceMs);
  return text === "ready" ? { do: "confirm" } : readEvery(input, TIMES.confirmRetryMs);
}

/** Another program wrote this decision: what it sent may still arrive. */
function takenOver(input: PlanInput): Step {
  const { text, decisionAgeMs, sinceReadMs = 0 } = input;
  if (decisionAgeMs < TIMES.settlingMs) return wait(TIMES.settlingMs - decisionAgeMs);
  // A slow read may have begun before that.
  const isEarly = sinceReadMs > TIMES.effectReadEveryMs && decisionAgeMs - sinceReadMs < TIMES.settlingMs;
  if (isEarly || !isFresh(input) || text === "unread") return readEvery(input, TIMES.confirmRetryMs);
  if (text === "lost") return { do: "undo", why: "edit_lost" };
  return text === "changed" ? { do: "undo", why: "no_effect" } : { do: "confirm" };
}

function afterLostAnswer({ deadlineAt }: Stage, input: PlanInput): Step {
  const { attempt, text } = input;
  if (attempt.sinceMs < TIMES.effectReadForMs) return readEvery(input, TIMES.effectReadEveryMs);
  if (deadlineAt === undefined) return idle; // submitted by others: the decider learns that it is open
  if (attempt.sinceMs < TIMES.confirmRetryMs) return wait(TIMES.confirmRetryMs - attempt.sinceMs);
  if (!isFresh(input) || text === "unread") return readEvery(input, TIMES.confirmRetryMs);
  if (text === "lost") return { do: "undo", why: "edit_lost" };
  // Nobody has agreed to that text, nor to replacing it.
  return text === "changed" ? { do: "withdraw", by: "guard" } : { do: "confirm" };
}
