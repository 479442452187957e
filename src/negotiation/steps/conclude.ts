import { isOut } from "../backend-states.ts";
import { factName } from "../facts.ts";
import { confirms, type Decision, effectiveDecision, isOtherText } from "../stage.ts";
import { isSeenWithoutEffect, mayHaveArrived } from "./attempt.ts";
import type { StepContext } from "./context.ts";
import { noteCancelled, noteOutcome, owedUnless } from "./outcome.ts";

/** Writes what the backend shows, after it went on. */
export async function conclude(supervisor: StepContext): Promise<void> {
  const { stage, deps } = supervisor;
  const { snapshot } = supervisor.observation;
  const { decision } = stage;
  if (snapshot === undefined) return;
  const kind = stage.name === "over" && !isOut(snapshot) ? "ended" : "moved";
  if (decision === undefined) {
    await supervisor.refresh(); // somebody may have decided in another program
    const { decision: written, isOwn } = supervisor.stage;
    // Where it was submitted elsewhere, who decided there is not known: nobody here is owed a word about it.
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
  // The backend was quicker, with a text of its own or of somebody else: this decision never took effect.
  await hadNoEffect(supervisor, decision, kind);
  supervisor.waiters.answer(decision.number, { effect: { kind: "moved", negotiation: snapshot } });
}

/** The negotiation went on without this decision; what came of an earlier one stands. */
async function hadNoEffect(supervisor: StepContext, decision: Decision, kind: "moved" | "ended"): Promise<void> {
  const { journal, deps } = supervisor;
  await journal.note(factName.undone(decision.number), { at: deps.clock.now(), why: "too_late" });
  if (effectiveDecision(journal.facts) === undefined)
    await noteOutcome(supervisor, { kind, ...owedUnless(supervisor, decision) });
}
