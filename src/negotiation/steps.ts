import type { Negotiation } from "../backend/contract.ts";
import {
  AlreadyCompleted,
  EngineNotWaiting,
  NotFormulated,
  OutcomeUnknown,
  UnknownNegotiation,
} from "../backend/errors.ts";
import { stopwatch } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { HomeUnwritable } from "../home/errors.ts";
import { failureOf } from "../log.ts";
import { formulatedText, hasMovedOn } from "./backend-states.ts";
import { NotWaiting } from "./errors.ts";
import { type DecidedBy, factName, type Outcome } from "./facts.ts";
import { cancelBody, confirmBody, type Work } from "./pending-decision.ts";
import type { Step } from "./plan/step.ts";
import { marginMs, TIMES, withinMargin } from "./plan/times.ts";
import { confirms, type Decision, effectiveDecision, isOtherText, showsOtherText } from "./stage.ts";
import type { StepContext } from "./step-context.ts";

/** Does one step of the plan. What it throws is logged, and the plan is asked again. */
export async function runStep(it: StepContext, step: Exclude<Step, { do: "wait" | "rest" }>): Promise<void> {
  switch (step.do) {
    case "read":
      return void (await it.read().catch(onlyRefusals));
    case "adopt":
      return adopt(it);
    case "withdraw":
      return withdraw(it, step.by);
    case "confirm":
      return confirm(it);
    case "cancel":
      return cancel(it);
    case "conclude":
      return conclude(it);
    case "undo":
      return undo(it, step.why);
    case "forget":
      return forget(it);
  }
}

/** Under the decision that it ends, if there is one. */
async function forget(it: StepContext): Promise<void> {
  const { decision } = it.stage;
  await note(it, { kind: "not_found", ...(decision && { decision }), owed: true });
  if (decision !== undefined) it.waiters.answer(decision.number, { error: it.work?.error });
}

/** The text of what moves on is compared with the confirmed one; a later look may show that one again. */
export async function noteOtherText({ stage, deps, journal }: StepContext, snapshot: Negotiation): Promise<void> {
  if (stage.hasOtherText || !showsOtherText(stage, snapshot, deps.hash)) return;
  const fact = { at: deps.clock.now(), text_hash: deps.hash(formulatedText(snapshot)) };
  await journal.note(factName.otherText, fact);
}

/** A failed look is a look: the plan knows when the last one was. */
export function onlyRefusals(error: unknown): void {
  if (!(error instanceof TowowError)) throw error;
}

/** Takes over from a program that is gone; of several, one does. */
export async function adopt({ journal, deps }: StepContext): Promise<void> {
  const { watched, decided } = journal.facts;
  const fact = { at: deps.clock.now(), owner: deps.owner, decisions: decided.length };
  await journal.claim(factName.watched(watched.length + 1), fact);
  deps.log.info("negotiation_adopted", { negotiation_id: journal.key.id });
}

/**
 * Writes that nobody decided in time. While the store does not answer, nobody can tell whether somebody has, so it is
 * asked again until a third of the margin is left: then the backend alone must tell.
 */
async function withdraw(it: StepContext, by: DecidedBy): Promise<void> {
  const { journal, deps } = it;
  const { clock, owner, log } = deps;
  const number = journal.facts.decided.length + 1;
  const fact = { at: clock.now(), kind: "withdraw", by, owner };
  try {
    if (await isForgotten(it)) return;
    if (!["formulating", "asking", "confirming"].includes(it.stage.name)) return; // another program knows more
    const { created, current } = await journal.claim(factName.decided(number), fact, "open");
    if (!created && !isOwn(current, it)) await journal.refresh();
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    log.warn("withdrawal_unwritten", { negotiation_id: journal.key.id, error: failureOf(error) });
    if (error instanceof HomeUnwritable) {
      // On a full disk nobody else can decide either.
      const { decided } = await journal.refresh();
      if (decided.length >= number) return;
    } else {
      const isLast = by === "shutdown" || (it.leftMs() ?? 0) <= marginMs(deps.policy()) / 3;
      if (!isLast) return it.sleep(withinMargin(deps.policy(), TIMES.cancelRetryMs));
      if (hasMovedOn((await it.read()).state)) return;
    }
    await journal.note(factName.decided(number), fact, "open");
  }
}

/** A store that came back empty may have lost somebody's yes as well: then the backend alone tells. */
async function isForgotten(it: StepContext): Promise<boolean> {
  const entries = await it.deps.facts.read(it.key);
  it.journal.adopt(entries);
  return !entries.has(factName.submitted) && hasMovedOn((await it.read()).state);
}

/** The answer to an earlier try may have been lost. */
const isOwn = (current: unknown, { deps }: StepContext): boolean =>
  (current as Partial<Decision> | undefined)?.owner?.instance === deps.owner.instance;

async function confirm(it: StepContext): Promise<void> {
  const { deps, key } = it;
  const { decision } = it.stage;
  if (decision === undefined) return;
  const work = tryNow(it, decision);
  const text = work.text ?? textOf(it, decision);
  try {
    const client = await deps.backend(work.requestId);
    const answer = await client.confirm(key.id, confirmBody(text), {
      timeoutMs: it.timeoutMs("confirm"),
    });
    await note(it, { kind: "confirmed", decision, ...owedUnless(it, decision) });
    deps.log.info("negotiation_confirmed", { negotiation_id: key.id, decided_by: decision.by });
    deps.nudge(key.id);
    it.waiters.answer(decision.number, {
      effect: { kind: "confirmed", negotiation: answer, decision, answerLost: false },
    });
  } catch (error) {
    work.error = error;
    if (error instanceof EngineNotWaiting) refused(work, "busy");
    else if (error instanceof NotFormulated && hasMovedOn(error.params.state))
      await it.read(work.requestId).catch(onlyRefusals); // the text that is out tells whose word it was
    else if (error instanceof TowowError && !(error instanceof OutcomeUnknown)) refused(work, "failed");
    else lost(it, work);
  }
}

/** A refusal says nothing about an earlier try whose answer was lost. */
function refused(work: Work, how: "busy" | "failed"): void {
  work.last = work.mayHaveArrived ? "unknown" : how;
}

/** The backend's own text, if it is the one that was agreed to. */
function textOf({ observation: { snapshot }, deps }: StepContext, { text_hash }: Decision): string {
  const text = snapshot && formulatedText(snapshot);
  if (text === undefined || deps.hash(text) !== text_hash) throw new Error("nobody has agreed to this text");
  return text;
}

function lost({ deps }: StepContext, work: Work): void {
  work.last = "unknown";
  work.sinceLossMs = stopwatch(deps.clock);
  work.mayHaveArrived = true;
}

async function cancel(it: StepContext): Promise<void> {
  const { deps, key } = it;
  const { decision } = it.stage;
  if (decision === undefined) return;
  const work = tryNow(it, decision);
  const sinceMs = stopwatch(deps.clock);
  try {
    const client = await deps.backend(work.requestId);
    const answer = await client.action(key.id, cancelBody(work.payload), { timeoutMs: it.timeoutMs("cancel") });
    const inTime = wasWaiting(it, answer);
    it.observation.show(answer, sinceMs);
    await noteCancelled(it, decision, answer, inTime);
  } catch (error) {
    work.error = error;
    work.last = "unknown";
    if (error instanceof OutcomeUnknown) lost(it, work);
    if (error instanceof UnknownNegotiation) it.observation.showNotFound();
    if (error instanceof OutcomeUnknown || error instanceof AlreadyCompleted)
      await it.read(work.requestId).catch(onlyRefusals);
    if (error instanceof AlreadyCompleted && it.stage.name === "cancelling") await noteUnseenEnd(it, decision);
    if (it.stage.name === "cancelling") it.waiters.answer(decision.number, { error }); // it goes on, nobody should wait for it
    if (!(error instanceof TowowError)) throw error;
  }
}

/**
 * Whether the text had waited until then: the backend's deadline may be shorter than ours, and somebody else may confirm,
 * so the clock alone does not show it. A look a moment before does, with the same text.
 */
function wasWaiting(it: StepContext, answer: Negotiation): boolean {
  const { snapshot, sinceReadMs = Number.POSITIVE_INFINITY } = it.observation;
  if (snapshot === undefined || hasMovedOn(snapshot.state)) return false;
  const isSameText = snapshot.demand_formulated === null || formulatedText(snapshot) === formulatedText(answer);
  return isSameText && sinceReadMs <= TIMES.effectLookMs && (it.leftMs() ?? 0) > 0;
}

/** Whether the backend's own deadline may have passed by now. */
const lateness = (it: StepContext) => ((it.leftMs() ?? 1) <= 0 ? { late: true as const } : {});

/** It is over, and the backend cannot show how. */
async function noteUnseenEnd(it: StepContext, decision: Decision): Promise<void> {
  const kind = it.work?.mayHaveArrived ? "cancelled" : "ended";
  await note(it, { kind, decision, ...lateness(it), ...owedUnless(it, decision) });
  it.waiters.answer(decision.number, { error: it.work?.error });
}

async function noteCancelled(it: StepContext, decision: Decision, answer: Negotiation, inTime: boolean): Promise<void> {
  const { deps, key } = it;
  const participants = answer.participants.length;
  const seen = { participants, in_time: inTime, ...lateness(it) };
  await note(it, { kind: "cancelled", decision, ...seen, ...owedUnless(it, decision) });
  deps.log.info("negotiation_cancelled", { negotiation_id: key.id, decided_by: decision.by });
  deps.nudge(key.id);
  it.waiters.answer(decision.number, { effect: { kind: "cancelled", negotiation: answer, decision } });
}

/** Begins a try, and gives what is in memory about this decision. */
function tryNow(it: StepContext, decision: Decision): Work {
  const work = it.work?.number === decision.number ? it.work : it.begin(decision.number);
  work.tries += 1;
  work.sinceTryMs = stopwatch(it.deps.clock);
  return work;
}

/** Writes what the backend shows, after it went on. */
async function conclude(it: StepContext): Promise<void> {
  const { stage, deps, work } = it;
  const { snapshot } = it.observation;
  const { decision } = stage;
  if (snapshot === undefined) return;
  const kind = stage.name === "over" && snapshot.plan_output === null ? "ended" : "moved";
  if (decision === undefined) {
    await it.refresh(); // somebody may have decided in another program
    return it.stage.decision === undefined ? note(it, { kind, owed: true }) : undefined;
  }
  const isOwn = decision.owner.instance === deps.owner.instance;
  const mayBeOurs = isOwn ? work?.number === decision.number && work.mayHaveArrived : true;
  if (!confirms(decision)) {
    if (mayBeOurs && kind === "ended") return noteCancelled(it, decision, snapshot, false);
    await hadNoEffect(it, decision, kind);
    return it.waiters.answer(decision.number, { effect: { kind: "moved", negotiation: snapshot } });
  }
  if (mayBeOurs && !isOtherText(decision, snapshot, deps.hash)) {
    await note(it, { kind: "confirmed", decision, ...owedUnless(it, decision) });
    const effect = { kind: "confirmed", negotiation: snapshot, decision, answerLost: true } as const;
    return it.waiters.answer(decision.number, { effect });
  }
  // The backend was quicker, with a text of its own or of somebody else: this decision never took effect.
  await hadNoEffect(it, decision, kind);
  it.waiters.answer(decision.number, { effect: { kind: "moved", negotiation: snapshot } });
}

/** The negotiation went on without this decision; what came of an earlier one stands. */
async function hadNoEffect(it: StepContext, decision: Decision, kind: "moved" | "ended"): Promise<void> {
  const { journal, deps } = it;
  await journal.note(factName.undone(decision.number), { at: deps.clock.now(), why: "too_late" });
  if (effectiveDecision(journal.facts) === undefined) await note(it, { kind, ...owedUnless(it, decision) });
}

async function undo(it: StepContext, why: "no_effect" | "edit_lost"): Promise<void> {
  const { decision } = it.stage;
  if (decision === undefined) return;
  await it.journal.note(factName.undone(decision.number), { at: it.deps.clock.now(), why });
  const error = it.work?.error ?? new NotWaiting({ negotiation_id: it.key.id });
  it.waiters.answer(decision.number, { error });
  it.work = undefined;
}

/** A result tells it, if somebody waits for it; else the next status owes it to the person. */
const owedUnless = (it: StepContext, { number }: Decision) => (it.waiters.has(number) ? {} : { owed: true as const });

async function note(
  it: StepContext,
  { decision, ...rest }: Omit<Outcome, "at"> & { decision?: Decision },
): Promise<void> {
  const { journal, observation, deps } = it;
  const { snapshot } = observation;
  const outcome: Outcome = {
    at: deps.clock.now(),
    ...rest,
    ...(snapshot?.demand_formulated != null && { text_hash: deps.hash(formulatedText(snapshot)) }),
    ...(observation.hasSeenBroadcast && { seen_broadcast: true }),
  };
  await journal.note(factName.outcome(decision?.number ?? 0), outcome, "close");
}
