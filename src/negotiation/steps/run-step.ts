import { Failure, ignoreTowowError } from "../../errors.ts";
import { failureOf } from "../../log.ts";
import { isOut } from "../backend-states.ts";
import { factName } from "../facts.ts";
import type { Step } from "../plan/step.ts";
import { confirms, type Decision, effectiveDecision, isOtherText } from "../stage.ts";
import { cancel } from "./cancel.ts";
import { confirm, isSeenWithoutEffect, mayHaveArrived } from "./confirm.ts";
import type { StepContext } from "./context.ts";
import { adopt, noteCancelled, noteOutcome, owedUnless } from "./outcome.ts";
import { withdraw } from "./withdraw.ts";

/** Does one step of the plan. What it throws is logged, and the plan is asked again. */
export async function runStep(supervisor: StepContext, step: Exclude<Step, { do: "wait" | "idle" }>): Promise<void> {
  switch (step.do) {
    case "read":
      return void (await supervisor.read().catch(ignoreTowowError)); // a failed read is one: the plan knows when the last was
    case "offer":
      return offer(supervisor);
    case "adopt":
      await adopt(supervisor);
      return void (await supervisor.read().catch(ignoreTowowError)); // nobody may have looked at it for long
    case "withdraw":
      return withdraw(supervisor, step.by);
    case "confirm":
      return confirm(supervisor);
    case "cancel":
      return cancel(supervisor);
    case "conclude":
      return conclude(supervisor);
    case "undo":
      return undo(supervisor, step.why);
    case "abandon":
      return abandon(supervisor);
  }
}

/** The backend does not know it. Under the decision that it ends, if there is one. */
async function abandon(supervisor: StepContext): Promise<void> {
  const { decision } = supervisor.stage;
  await noteOutcome(supervisor, { kind: "not_found", ...(decision && { decision }), owed: true });
  if (decision !== undefined) supervisor.waiters.answer(decision.number, { error: supervisor.pending?.error });
}

/** The decision is taken back, and the question is open again. */
async function undo(supervisor: StepContext, why: "no_effect" | "edit_lost"): Promise<void> {
  const { decision } = supervisor.stage;
  if (decision === undefined) return;
  await supervisor.journal.note(factName.undone(decision.number), { at: supervisor.deps.clock.now(), why });
  const error =
    supervisor.pending?.error ??
    new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: supervisor.key.id });
  supervisor.waiters.answer(decision.number, { error });
  supervisor.pending = undefined;
}

/** Writes what the backend shows, after it went on. */
async function conclude(supervisor: StepContext): Promise<void> {
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

/**
 * Writes that this program would answer for it when the one that does ends, as where a client starts one for each call. Only
 * for the same account. What cannot be written is no offer.
 */
async function offer(supervisor: StepContext): Promise<void> {
  const { journal, deps, key } = supervisor;
  const { watched, standby, submitted } = journal.facts;
  const number = watched.length + 1;
  supervisor.offered = number; // before anything is awaited: a program that ends takes it back
  try {
    if ((await deps.userId()) !== submitted?.user_id) return;
    const fact = { at: deps.clock.now(), owner: deps.owner, number };
    // Several programs offer at once, each under a name of its own, for as long as nobody has taken an offer.
    for (let next = standby.length + 1; supervisor.isOffered; next++)
      if ((await journal.claim(factName.standby(next), fact)).created) return;
  } catch (error) {
    deps.log.debug("offer_unwritten", { negotiation_id: key.id, error: failureOf(error) });
  }
}
