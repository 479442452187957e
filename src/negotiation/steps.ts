import type { Negotiation } from "../backend/contract.ts";
import {
  AlreadyCompleted,
  EngineNotWaiting,
  NotFormulated,
  OutcomeUnknown,
  UnknownNegotiation,
} from "../backend/errors.ts";
import { stopwatch } from "../clock.ts";
import { ignoreTowowError, TowowError } from "../errors.ts";
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
export async function runStep(supervisor: StepContext, step: Exclude<Step, { do: "wait" | "rest" }>): Promise<void> {
  switch (step.do) {
    case "read":
      return void (await supervisor.read().catch(ignoreTowowError)); // a failed read is one: the plan knows when the last was
    case "adopt":
      return adopt(supervisor);
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
    case "forget":
      return forget(supervisor);
  }
}

/** Under the decision that it ends, if there is one. */
async function forget(supervisor: StepContext): Promise<void> {
  const { decision } = supervisor.stage;
  await note(supervisor, { kind: "not_found", ...(decision && { decision }), owed: true });
  if (decision !== undefined) supervisor.waiters.answer(decision.number, { error: supervisor.work?.error });
}

/** The text of what moves on is compared with the confirmed one; a later read may show that one again. */
export async function noteOtherText({ stage, deps, journal }: StepContext, snapshot: Negotiation): Promise<void> {
  if (stage.hasOtherText || !showsOtherText(stage, snapshot, deps.hash)) return;
  const fact = { at: deps.clock.now(), text_hash: deps.hash(formulatedText(snapshot)) };
  await journal.note(factName.otherText, fact);
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
async function withdraw(supervisor: StepContext, by: DecidedBy): Promise<void> {
  const { journal, deps } = supervisor;
  const { clock, owner, log } = deps;
  const number = journal.facts.decided.length + 1;
  const fact = { at: clock.now(), kind: "withdraw", by, owner };
  try {
    if (await isForgotten(supervisor)) return;
    if (!["formulating", "asking", "confirming"].includes(supervisor.stage.name)) return; // another program knows more
    const { created, current } = await journal.claim(factName.decided(number), fact, "open");
    if (!created && !isOwn(current, supervisor)) await journal.refresh();
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    log.warn("withdrawal_unwritten", { negotiation_id: journal.key.id, error: failureOf(error) });
    if (error instanceof HomeUnwritable) {
      // On a full disk nobody else can decide either.
      const { decided } = await journal.refresh();
      if (decided.length >= number) return;
    } else {
      const isLast = by === "shutdown" || (supervisor.leftMs() ?? 0) <= marginMs(deps.policy()) / 3;
      if (!isLast) return supervisor.sleep(withinMargin(deps.policy(), TIMES.cancelRetryMs));
      if (hasMovedOn((await supervisor.read()).state)) return;
    }
    await journal.note(factName.decided(number), fact, "open");
  }
}

/** A store that came back empty may have lost somebody's yes as well: then the backend alone tells. */
async function isForgotten(supervisor: StepContext): Promise<boolean> {
  const entries = await supervisor.deps.facts.read(supervisor.key);
  supervisor.journal.learn(entries);
  return !entries.has(factName.submitted) && hasMovedOn((await supervisor.read()).state);
}

/** The answer to an earlier try may have been lost. */
const isOwn = (current: unknown, { deps }: StepContext): boolean =>
  (current as Partial<Decision> | undefined)?.owner?.instance === deps.owner.instance;

async function confirm(supervisor: StepContext): Promise<void> {
  const { deps, key } = supervisor;
  const { decision } = supervisor.stage;
  if (decision === undefined) return;
  const work = tryNow(supervisor, decision);
  const text = work.text ?? textOf(supervisor, decision);
  try {
    const client = await deps.backend(work.requestId);
    const answer = await client.confirm(key.id, confirmBody(text), {
      timeoutMs: supervisor.timeoutMs("confirm"),
    });
    await note(supervisor, { kind: "confirmed", decision, ...owedUnless(supervisor, decision) });
    deps.log.info("negotiation_confirmed", { negotiation_id: key.id, decided_by: decision.by });
    deps.nudge(key.id);
    supervisor.waiters.answer(decision.number, {
      effect: { kind: "confirmed", negotiation: answer, decision, answerLost: false },
    });
  } catch (error) {
    work.error = error;
    if (error instanceof EngineNotWaiting) refused(work, "busy");
    else if (error instanceof NotFormulated && hasMovedOn(error.params.state))
      await supervisor.read(work.requestId).catch(ignoreTowowError); // the text that is out tells whose word it was
    else if (error instanceof TowowError && !(error instanceof OutcomeUnknown)) refused(work, "failed");
    else lost(supervisor, work);
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

async function cancel(supervisor: StepContext): Promise<void> {
  const { deps, key } = supervisor;
  const { decision } = supervisor.stage;
  if (decision === undefined) return;
  const work = tryNow(supervisor, decision);
  const sinceMs = stopwatch(deps.clock);
  try {
    const client = await deps.backend(work.requestId);
    const answer = await client.action(key.id, cancelBody(work.payload), { timeoutMs: supervisor.timeoutMs("cancel") });
    const inTime = wasWaiting(supervisor, answer);
    supervisor.observation.show(answer, sinceMs);
    await noteCancelled(supervisor, decision, answer, inTime);
  } catch (error) {
    work.error = error;
    work.last = "unknown";
    if (error instanceof OutcomeUnknown) lost(supervisor, work);
    if (error instanceof UnknownNegotiation) supervisor.observation.showNotFound();
    if (error instanceof OutcomeUnknown || error instanceof AlreadyCompleted)
      await supervisor.read(work.requestId).catch(ignoreTowowError);
    if (error instanceof AlreadyCompleted && supervisor.stage.name === "cancelling")
      await noteUnseenEnd(supervisor, decision);
    if (supervisor.stage.name === "cancelling") supervisor.waiters.answer(decision.number, { error }); // it goes on, nobody should wait for it
    if (!(error instanceof TowowError)) throw error;
  }
}

/**
 * Whether the text had waited until then: the backend's deadline may be shorter than ours, and somebody else may confirm,
 * so the clock alone does not show it. A read a moment before does, with the same text.
 */
function wasWaiting(supervisor: StepContext, answer: Negotiation): boolean {
  const { snapshot, sinceReadMs = Number.POSITIVE_INFINITY } = supervisor.observation;
  if (snapshot === undefined || hasMovedOn(snapshot.state)) return false;
  const isSameText = snapshot.demand_formulated === null || formulatedText(snapshot) === formulatedText(answer);
  return isSameText && sinceReadMs <= TIMES.effectReadEveryMs && (supervisor.leftMs() ?? 0) > 0;
}

/** Whether the backend's own deadline may have passed by now. */
const lateness = (supervisor: StepContext) => ((supervisor.leftMs() ?? 1) <= 0 ? { late: true as const } : {});

/** It is over, and the backend cannot show how. */
async function noteUnseenEnd(supervisor: StepContext, decision: Decision): Promise<void> {
  const kind = supervisor.work?.mayHaveArrived ? "cancelled" : "ended";
  await note(supervisor, { kind, decision, ...lateness(supervisor), ...owedUnless(supervisor, decision) });
  supervisor.waiters.answer(decision.number, { error: supervisor.work?.error });
}

async function noteCancelled(
  supervisor: StepContext,
  decision: Decision,
  answer: Negotiation,
  inTime: boolean,
): Promise<void> {
  const { deps, key } = supervisor;
  const participants = answer.participants.length;
  const seen = { participants, in_time: inTime, ...lateness(supervisor) };
  await note(supervisor, { kind: "cancelled", decision, ...seen, ...owedUnless(supervisor, decision) });
  deps.log.info("negotiation_cancelled", { negotiation_id: key.id, decided_by: decision.by });
  deps.nudge(key.id);
  supervisor.waiters.answer(decision.number, { effect: { kind: "cancelled", negotiation: answer, decision } });
}

/** Begins a try, and gives what is in memory about this decision. */
function tryNow(supervisor: StepContext, decision: Decision): Work {
  const work = supervisor.work?.number === decision.number ? supervisor.work : supervisor.begin(decision.number);
  work.tries += 1;
  work.sinceTryMs = stopwatch(supervisor.deps.clock);
  return work;
}

/** Writes what the backend shows, after it went on. */
async function conclude(supervisor: StepContext): Promise<void> {
  const { stage, deps, work } = supervisor;
  const { snapshot } = supervisor.observation;
  const { decision } = stage;
  if (snapshot === undefined) return;
  const kind = stage.name === "over" && snapshot.plan_output === null ? "ended" : "moved";
  if (decision === undefined) {
    await supervisor.refresh(); // somebody may have decided in another program
    return supervisor.stage.decision === undefined ? note(supervisor, { kind, owed: true }) : undefined;
  }
  const isOwn = decision.owner.instance === deps.owner.instance;
  const mayBeOurs = isOwn ? work?.number === decision.number && work.mayHaveArrived : true;
  if (!confirms(decision)) {
    if (mayBeOurs && kind === "ended") return noteCancelled(supervisor, decision, snapshot, false);
    await hadNoEffect(supervisor, decision, kind);
    return supervisor.waiters.answer(decision.number, { effect: { kind: "moved", negotiation: snapshot } });
  }
  if (mayBeOurs && !isOtherText(decision, snapshot, deps.hash)) {
    await note(supervisor, { kind: "confirmed", decision, ...owedUnless(supervisor, decision) });
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
    await note(supervisor, { kind, ...owedUnless(supervisor, decision) });
}

async function undo(supervisor: StepContext, why: "no_effect" | "edit_lost"): Promise<void> {
  const { decision } = supervisor.stage;
  if (decision === undefined) return;
  await supervisor.journal.note(factName.undone(decision.number), { at: supervisor.deps.clock.now(), why });
  const error = supervisor.work?.error ?? new NotWaiting({ negotiation_id: supervisor.key.id });
  supervisor.waiters.answer(decision.number, { error });
  supervisor.work = undefined;
}

/** A result tells it, if somebody waits for it; else the next status owes it to the person. */
const owedUnless = (supervisor: StepContext, { number }: Decision) =>
  supervisor.waiters.has(number) ? {} : { owed: true as const };

async function note(
  supervisor: StepContext,
  { decision, ...rest }: Omit<Outcome, "at"> & { decision?: Decision },
): Promise<void> {
  const { journal, observation, deps } = supervisor;
  const { snapshot } = observation;
  const outcome: Outcome = {
    at: deps.clock.now(),
    ...rest,
    ...(snapshot?.demand_formulated != null && { text_hash: deps.hash(formulatedText(snapshot)) }),
    ...(observation.hasSeenBroadcast && { seen_broadcast: true }),
  };
  await journal.note(factName.outcome(decision?.number ?? 0), outcome, "close");
}
