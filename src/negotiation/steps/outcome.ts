import type { Negotiation } from "../../backend/contract.ts";
import { stopwatch } from "../../clock.ts";
import { Failure, TowowError } from "../../errors.ts";
import { HomeUnwritable } from "../../home/errors.ts";
import { failureOf } from "../../log.ts";
import { formulatedText, isOut } from "../backend-states.ts";
import { factName, isSameDecision, type Outcome } from "../facts.ts";
import type { PendingDecision } from "../pending-decision.ts";
import { TIMES } from "../plan.ts";
import { confirms, type Decision, effectiveDecision, isOtherText, showsOtherText } from "../stage.ts";
import type { StepContext } from "./context.ts";

/** Compares the text of what moves on with the confirmed one. A later read may show the confirmed one again. */
export async function noteOtherText({ stage, deps, journal }: StepContext, snapshot: Negotiation): Promise<void> {
  if (stage.otherText !== undefined || !showsOtherText(stage, snapshot, deps.hash)) return;
  const fact = { at: deps.clock.now(), text_hash: deps.hash(formulatedText(snapshot)) };
  await journal.note(factName.otherText, fact);
}

/** The first sight of anything beyond the text counts for every program, so another one's record stands. */
export async function noteOut(supervisor: StepContext, snapshot: Negotiation): Promise<void> {
  const { journal, deps } = supervisor;
  const { submitted, decided, out } = journal.facts;
  const isOurs = submitted !== undefined || decided.length > 0;
  if (out !== undefined || !isOurs || !isOut(snapshot)) return;
  const leftMs = supervisor.leftMs();
  const fact = {
    at: deps.clock.now(),
    ...(snapshot.demand_formulated !== null && { text_hash: deps.hash(formulatedText(snapshot)) }),
    ...(leftMs !== undefined && { in_time: leftMs > 0 }),
  };
  try {
    await journal.claim(factName.out, fact);
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    await journal.note(factName.out, fact);
  }
}

/**
 * Writes down that it is cancelled, and answers the calls that wait for it. `in_time` says that its text had still been
 * waiting.
 */
export async function noteCancelled(
  supervisor: StepContext,
  decision: Decision,
  answer: Negotiation,
  how: { in_time: boolean; inferred?: true },
): Promise<void> {
  const { deps, key } = supervisor;
  const participants = answer.participants.length;
  const seen = { participants, ...how, ...lateness(supervisor) };
  await noteOutcome(supervisor, { kind: "cancelled", decision, ...seen, ...owedUnless(supervisor, decision) });
  deps.log.info("negotiation_cancelled", { negotiation_id: key.id, decided_by: decision.by });
  deps.nudge(key.id);
  supervisor.waiters.answer(decision.number, { effect: { kind: "cancelled", negotiation: answer, decision } });
}

/** Returns whether the backend's own deadline may have passed by now. */
export const lateness = (supervisor: StepContext) => ((supervisor.leftMs() ?? 1) <= 0 ? { late: true as const } : {});

/** Marks an outcome as owed to the person, unless a waiting call will report it. */
export const owedUnless = (supervisor: StepContext, { number }: Decision) =>
  supervisor.waiters.has(number) ? {} : { owed: true as const };

/** Writes down what came of a decision, or of a negotiation without one, with what was seen of it. */
export async function noteOutcome(
  supervisor: StepContext,
  { decision, ...rest }: Omit<Outcome, "at"> & { decision?: Decision },
): Promise<void> {
  const { journal, observation, deps } = supervisor;
  const { snapshot } = observation;
  const outcome: Outcome = {
    at: deps.clock.now(),
    ...rest,
    ...(snapshot?.demand_formulated != null && { text_hash: deps.hash(formulatedText(snapshot)) }),
    ...(observation.hasSeenMatching && { seen_broadcast: true }),
  };
  await journal.note(factName.outcome(decision?.number ?? 0), outcome, "close");
}

/**
 * Adopts what a program that is gone has left. Only one of several programs does, or each if none can write it down.
 */
export async function adopt({ journal, deps }: StepContext): Promise<void> {
  const { adopted, decided } = journal.facts;
  const fact = { at: deps.clock.now(), owner: deps.owner, decisions: decided.length };
  const name = factName.adopted(adopted.length + 1);
  try {
    await journal.claim(name, fact);
  } catch (error) {
    if (!(error instanceof HomeUnwritable)) throw error;
    // On a full disk somebody must still withdraw it, and sending a cancel twice is harmless.
    deps.log.warn("adoption_unwritten", { negotiation_id: journal.key.id, error: failureOf(error) });
    await journal.note(name, fact);
  }
  deps.log.info("negotiation_adopted", { negotiation_id: journal.key.id });
}

/** Begins a try, and returns what is in memory about this decision. */
export function beginTry(supervisor: StepContext, decision: Decision): PendingDecision {
  const pending =
    supervisor.pending?.number === decision.number ? supervisor.pending : supervisor.begin(decision.number);
  pending.tries += 1;
  pending.sinceTryMs = stopwatch(supervisor.deps.clock);
  return pending;
}

/** Notes that the answer to a try was lost, so that it may have arrived. */
export function noteLoss({ deps, unanswered }: StepContext, pending: PendingDecision, decision: Decision): void {
  pending.last = "unknown";
  pending.sinceLossMs = stopwatch(deps.clock);
  unanswered.set(decision.number, { decision, at: deps.clock.monotonic() });
}

/** Returns whether a try of this program for that decision may have reached the backend without an answer. */
export const mayHaveArrived = ({ unanswered }: StepContext, decision: Decision): boolean =>
  isSameDecision(decision, unanswered.get(decision.number)?.decision);

/** Returns whether the text was still seen waiting when a yes that had arrived would have shown its effect. */
function isSeenWithoutEffect({ unanswered, observation }: StepContext, { number }: Decision): boolean {
  const lostAt = unanswered.get(number)?.at ?? Number.POSITIVE_INFINITY;
  return (observation.waitingAt ?? 0) - lostAt >= TIMES.effectReadForMs;
}

/** Writes down that the backend does not know it, under the decision that this ends if there is one. */
export async function abandon(supervisor: StepContext): Promise<void> {
  const { decision } = supervisor.stage;
  await noteOutcome(supervisor, { kind: "not_found", ...(decision && { decision }), owed: true });
  if (decision !== undefined) supervisor.waiters.answer(decision.number, { error: supervisor.pending?.error });
}

/** Takes the decision back, so that the question is open again. */
export async function undo(supervisor: StepContext, why: "no_effect" | "edit_lost"): Promise<void> {
  const { decision } = supervisor.stage;
  if (decision === undefined) return;
  await supervisor.journal.note(factName.undone(decision.number), { at: supervisor.deps.clock.now(), why });
  const error =
    supervisor.pending?.error ??
    new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: supervisor.key.id });
  supervisor.waiters.answer(decision.number, { error });
  supervisor.pending = undefined;
}

/** Writes down what the backend shows after it went on. */
export async function conclude(supervisor: StepContext): Promise<void> {
  const { stage, deps } = supervisor;
  const { snapshot } = supervisor.observation;
  const { decision } = stage;
  if (snapshot === undefined) return;
  const kind = stage.name === "over" && !isOut(snapshot) ? "ended" : "moved";
  if (decision === undefined) {
    await supervisor.refresh(); // somebody may have decided in another program
    const { decision: written, isOwn } = supervisor.stage;
    // It was submitted elsewhere, so it is not known who decided there, and nobody here is owed a report.
    return written === undefined ? noteOutcome(supervisor, { kind, ...(isOwn && { owed: true }) }) : undefined;
  }
  const isDecidedHere = decision.owner.instance === deps.owner.instance;
  const mayBeOurs = isDecidedHere ? mayHaveArrived(supervisor, decision) : true;
  if (!confirms(decision)) {
    const hasEnded = stage.name === "over" && snapshot.plan_output === null;
    if (mayBeOurs && hasEnded) return noteCancelled(supervisor, decision, snapshot, { in_time: false, inferred: true });
    await hadNoEffect(supervisor, decision, kind);
    return supervisor.waiters.answer(decision.number, { effect: { kind: "moved", negotiation: snapshot } });
  }
  const mayBeIts = mayBeOurs && !isSeenWithoutEffect(supervisor, decision);
  if (mayBeIts && !isOtherText(decision, snapshot, deps.hash)) {
    await noteOutcome(supervisor, { kind: "confirmed", decision, inferred: true, ...owedUnless(supervisor, decision) });
    const effect = { kind: "confirmed", negotiation: snapshot, decision, answerLost: true } as const;
    return supervisor.waiters.answer(decision.number, { effect });
  }
  // The backend was quicker, with its own text or somebody else's, so this decision never took effect.
  await hadNoEffect(supervisor, decision, kind);
  supervisor.waiters.answer(decision.number, { effect: { kind: "moved", negotiation: snapshot } });
}

/** Writes down that the negotiation went on without this decision. The outcome of an earlier one stands. */
async function hadNoEffect(supervisor: StepContext, decision: Decision, kind: "moved" | "ended"): Promise<void> {
  const { journal, deps } = supervisor;
  await journal.note(factName.undone(decision.number), { at: deps.clock.now(), why: "too_late" });
  if (effectiveDecision(journal.facts) === undefined)
    await noteOutcome(supervisor, { kind, ...owedUnless(supervisor, decision) });
}
