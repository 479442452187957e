import { stopwatch } from "../../clock.ts";
import { isSameDecision } from "../facts.ts";
import type { PendingDecision } from "../pending-decision.ts";
import { TIMES } from "../plan/times.ts";
import type { Decision } from "../stage.ts";
import type { StepContext } from "./context.ts";

/** Begins a try, and gives what is in memory about this decision. */
export function beginTry(supervisor: StepContext, decision: Decision): PendingDecision {
  const pending =
    supervisor.pending?.number === decision.number ? supervisor.pending : supervisor.begin(decision.number);
  pending.tries += 1;
  pending.sinceTryMs = stopwatch(supervisor.deps.clock);
  return pending;
}

/** The answer to a try was lost: it may have arrived. */
export function noteLoss({ deps, unanswered }: StepContext, pending: PendingDecision, decision: Decision): void {
  pending.last = "unknown";
  pending.sinceLossMs = stopwatch(deps.clock);
  unanswered.set(decision.number, { decision, at: deps.clock.monotonic() });
}

/** Whether a try of this program for that decision may have reached the backend without an answer. */
export const mayHaveArrived = ({ unanswered }: StepContext, decision: Decision): boolean =>
  isSameDecision(decision, unanswered.get(decision.number)?.decision);

/** Whether the text was still seen to wait when a yes that had arrived would have shown its effect. */
export function isSeenWithoutEffect({ unanswered, observation }: StepContext, { number }: Decision): boolean {
  const lostAt = unanswered.get(number)?.at ?? Number.POSITIVE_INFINITY;
  return (observation.waitingAt ?? 0) - lostAt >= TIMES.effectReadForMs;
}
