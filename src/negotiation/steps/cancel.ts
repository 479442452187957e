import type { Negotiation } from "../../backend/contract.ts";
import {
  AlreadyCompleted,
  OutcomeUnknown,
  RateLimited,
  TokenUnavailable,
  UnknownNegotiation,
  Unreachable,
} from "../../backend/errors.ts";
import { stopwatch } from "../../clock.ts";
import { Failure, ignoreTowowError, TowowError } from "../../errors.ts";
import { formulatedText, hasMovedOn, phaseOf } from "../backend-states.ts";
import { cancelBody } from "../pending-decision.ts";
import { TIMES } from "../plan.ts";
import type { Decision } from "../stage.ts";
import type { StepContext } from "./context.ts";
import {
  beginTry,
  lateness,
  mayHaveArrived,
  noteCancelled,
  noteLoss,
  noteOut,
  noteOutcome,
  owedUnless,
} from "./outcome.ts";

/** Sends the no once, and writes down what the backend answers or already shows. Otherwise the plan tries again. */
export async function cancel(supervisor: StepContext): Promise<void> {
  const { deps, key } = supervisor;
  const { decision } = supervisor.stage;
  if (decision === undefined) return;
  const pending = beginTry(supervisor, decision);
  const sinceMs = stopwatch(deps.clock);
  try {
    const client = await supervisor.backend({ requestId: pending.requestId, isCall: false });
    if (await supervisor.isOvertaken(decision)) return;
    const answer = await client.action(key.id, cancelBody(pending.payload), {
      timeoutMs: supervisor.timeoutMs("cancel"),
    });
    const in_time = wasWaiting(supervisor, answer);
    supervisor.observation.show(answer, sinceMs);
    await noteOut(supervisor, answer);
    // The backend reports it done and shows that it goes on. The next read shows which is true.
    if (goesOn(answer)) throw new OutcomeUnknown({ operation: "action", reason: "goes_on" });
    await noteCancelled(supervisor, decision, answer, { in_time });
  } catch (error) {
    pending.error = error;
    pending.last = "unknown";
    if (error instanceof OutcomeUnknown) noteLoss(supervisor, pending, decision);
    if (error instanceof UnknownNegotiation) supervisor.observation.showNotFound();
    if (error instanceof OutcomeUnknown || error instanceof AlreadyCompleted)
      await supervisor.read().catch(ignoreTowowError);
    if (error instanceof AlreadyCompleted && supervisor.stage.name === "cancelling")
      await noteUnseenEnd(supervisor, decision);
    // It goes on, and nobody should wait for it.
    if (supervisor.stage.name === "cancelling")
      supervisor.waiters.answer(decision.number, {
        error: isPursued(supervisor, error)
          ? new Failure("tool.negotiation.unavailable.no_on_its_way", { negotiation_id: key.id })
          : error,
      });
    if (!(error instanceof TowowError)) throw error;
  }
}

/**
 * Returns whether the no was certainly not sent and is sent again automatically. If others submitted the demand, the
 * caller learns the reason instead.
 */
const isPursued = ({ stage }: StepContext, error: unknown): boolean =>
  stage.deadlineAt !== undefined && NOT_SENT.some((kind) => error instanceof kind);
const NOT_SENT = [Unreachable, RateLimited, TokenUnavailable];

/** A state that this version does not know may be a newer backend's word for the end. */
const goesOn = ({ state }: Negotiation): boolean => ["before", "asking", "moving"].includes(phaseOf(state));

/**
 * Returns whether the text had waited until then. The clock alone does not prove that, because the backend's deadline
 * may be shorter than ours and somebody else may confirm. A read just before that showed the same text does.
 */
function wasWaiting(supervisor: StepContext, answer: Negotiation): boolean {
  const { snapshot, sinceReadMs = Number.POSITIVE_INFINITY } = supervisor.observation;
  if (snapshot === undefined || hasMovedOn(snapshot.state)) return false;
  const isSameText = snapshot.demand_formulated === null || formulatedText(snapshot) === formulatedText(answer);
  return isSameText && sinceReadMs <= TIMES.effectReadEveryMs && (supervisor.leftMs() ?? 0) > 0;
}

/** Writes down an end of which the backend cannot show how it came about. */
async function noteUnseenEnd(supervisor: StepContext, decision: Decision): Promise<void> {
  const how = mayHaveArrived(supervisor, decision)
    ? ({ kind: "cancelled", inferred: true } as const)
    : ({ kind: "ended" } as const);
  await noteOutcome(supervisor, { ...how, decision, ...lateness(supervisor), ...owedUnless(supervisor, decision) });
  supervisor.waiters.answer(decision.number, { error: supervisor.pending?.error });
}
