import type { Negotiation } from "../backend/contract.ts";
import {
  AlreadyCompleted,
  EngineNotWaiting,
  NotFormulated,
  OutcomeUnknown,
  RateLimited,
  TokenUnavailable,
  UnknownNegotiation,
  Unreachable,
} from "../backend/errors.ts";
import { stopwatch } from "../clock.ts";
import { Failure, ignoreTowowError, TowowError } from "../errors.ts";
import { HomeUnwritable } from "../home/errors.ts";
import { failureOf } from "../log.ts";
import type { DecidedBy } from "../question/who.ts";
import { isBlank } from "../safety/invisible.ts";
import { rememberedSha256 } from "../sha256.ts";
import { formulatedText, hasMovedOn, isBroadcast, phaseOf } from "./backend-states.ts";
import { type CoreDeps, orUnknown, type PinnedBackend } from "./core.ts";
import { type Facts, factName, isSameDecision, type NegotiationKey, type Outcome } from "./facts.ts";
import type { Journal } from "./journal.ts";
import type { Observation } from "./observation.ts";
import { type Attempt, marginMs, type PlanInput, TIMES, withinMargin } from "./plan.ts";
import { confirms, type Decision, effectiveDecision, isOtherText, type Stage, showsOtherText } from "./stage.ts";

/** A decision for which a request was sent and no answer came. */
interface Loss {
  decision: Decision;
  /** When the last request for the decision was given up, on the monotonic clock. */
  at: number;
}

/** Everything that a step of the plan works with, which is the supervisor's view of one negotiation. */
export interface StepContext {
  readonly key: NegotiationKey;
  readonly deps: CoreDeps;
  readonly journal: Journal;
  readonly observation: Observation;
  readonly waiters: Waiters;
  /** Connects to the backend at which the demand was submitted, even if another backend is configured by now. */
  readonly backend: PinnedBackend;
  readonly stage: Stage;
  /** True if this program is the one that answers for the negotiation. */
  readonly isMine: boolean;
  /** The decision that this program is carrying out. */
  pending: PendingDecision | undefined;
  /**
   * The decisions, by number, for which this program sent a request that was not answered. An entry stays when another
   * decision follows, because a yes may turn out to have arrived after the program has begun to withdraw it.
   */
  readonly unanswered: Map<number, Loss>;
  /**
   * The number of the first `adopted` fact that could take up this program's last standby (facts.ts), or 0 if this
   * program has not stood by.
   */
  standbyNumber: number;
  /** True if another program could still take up this program's standby. */
  readonly isOnStandby: boolean;
  /** Starts or continues to do what the plan says. */
  start(): void;
  /** Makes this program carry out the decision with that number from now on. */
  begin(number: number): PendingDecision;
  /**
   * Reads what other programs have written since the last read.
   * @throws StoreUnreachable, HomeUnwritable, `tool.config.invalid.newer_version`
   */
  refresh(): Promise<void>;
  /**
   * Resolves with whether another program has adopted the negotiation, or undone the decision that this program is
   * about to send. This check comes last before a request is sent, because a program that was stopped and resumes knows
   * only old facts. A yes counts as overtaken if nothing can be read.
   */
  isOvertaken(decision: Decision): Promise<boolean>;
  /**
   * Reads the negotiation from the backend. The time limit leaves time to act before the deadline.
   * @throws the error that the backend answered
   */
  read(requestId?: string, limit?: AbortSignal): Promise<Negotiation>;
  /** Sleeps for `ms` milliseconds, or until something wakes the supervisor. */
  sleep(ms: number): Promise<void>;
  /**
   * Returns the least time until the backend goes on by itself, in milliseconds, or undefined if no deadline is known.
   */
  leftMs(): number | undefined;
  /** Returns the longest that this request may take now, in milliseconds. */
  timeoutMs(step: "read" | "confirm" | "cancel"): number;
}

/**
 * Sends the yes once. If the answer is lost, the loss is noted, and the plan reads whether the yes took effect before
 * it sends the yes again.
 */
export async function confirm(supervisor: StepContext): Promise<void> {
  const { deps, key } = supervisor;
  const { decision } = supervisor.stage;
  if (decision === undefined) return;
  const pending = beginTry(supervisor, decision);
  const text = pending.text ?? textOf(supervisor, decision);
  try {
    const client = await supervisor.backend({ requestId: pending.requestId, isCall: false });
    // After the deadline the backend may have gone on by itself, so the yes is sent only if a read shows that the text
    // still waits.
    const isLate = (supervisor.leftMs() ?? 1) <= 0;
    if (isLate && !isWaiting(await supervisor.read().catch(ignoreTowowError), decision)) return;
    if (await supervisor.isOvertaken(decision)) return;
    const answer = await client.confirm(key.id, confirmBody(text), {
      timeoutMs: supervisor.timeoutMs("confirm"),
    });
    await noteOutcome(supervisor, { kind: "confirmed", decision, ...owedIfNobodyWaits(supervisor, decision) });
    deps.log.info("negotiation_confirmed", { negotiation_id: key.id, decided_by: decision.by });
    deps.nudge(key.id);
    supervisor.waiters.answer(decision.number, {
      effect: { kind: "confirmed", negotiation: answer, decision, answerLost: false },
    });
  } catch (error) {
    pending.error = error;
    if (error instanceof EngineNotWaiting) pending.last = refused(supervisor, decision, "busy");
    else if (error instanceof NotFormulated && hasMovedOn(error.params.state))
      await supervisor.read().catch(ignoreTowowError); // The read shows which text is out, and so whether this yes took effect.
    else if (error instanceof TowowError && !(error instanceof OutcomeUnknown))
      pending.last = refused(supervisor, decision, "failed");
    else noteLoss(supervisor, pending, decision);
  }
}

/** Returns whether the backend shows the text that was decided on and still waits for an answer to it. */
function isWaiting(seen: Negotiation | undefined, { formulated_hash }: Decision): boolean {
  if (seen === undefined || phaseOf(seen.state) !== "asking") return false;
  return formulated_hash === undefined || formulated_hash === rememberedSha256(formulatedText(seen));
}

/**
 * Returns how a refused try counts. A refusal says nothing about an earlier try whose answer was lost, so after such a
 * try the result is unknown.
 */
const refused = (supervisor: StepContext, decision: Decision, how: "busy" | "failed"): PendingDecision["last"] =>
  hasTryWithoutAnswer(supervisor, decision) ? "unknown" : how;

/**
 * Returns the backend's own text.
 * @throws Error if nobody has agreed to that text
 */
function textOf({ observation: { snapshot } }: StepContext, { text_hash }: Decision): string {
  const text = snapshot && formulatedText(snapshot);
  if (text === undefined || isBlank(text) || rememberedSha256(text) !== text_hash)
    throw new Error("nobody has agreed to this text");
  return text;
}

/**
 * Sends the no once, and writes down what the backend answers or already shows. If neither shows the end, the plan
 * tries again.
 */
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
    // The backend reports the cancel as done and yet shows that the negotiation goes on. The next read shows which is
    // true.
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
    // The no is tried again, but nobody should wait for that.
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
 * Returns whether the no was certainly not sent and will be sent again automatically. If others submitted the demand,
 * the caller gets the error itself instead.
 */
const isPursued = ({ stage }: StepContext, error: unknown): boolean =>
  stage.deadlineAt !== undefined && NOT_SENT.some((kind) => error instanceof kind);
const NOT_SENT = [Unreachable, RateLimited, TokenUnavailable];

/**
 * Returns whether the negotiation goes on. A state that this version does not know does not count, because it may be a
 * newer backend's word for the end.
 */
const goesOn = ({ state }: Negotiation): boolean => ["before", "asking", "moving"].includes(phaseOf(state));

/**
 * Returns whether the text was still waiting when the cancel arrived. The clock alone does not prove that, because the
 * backend's deadline may be shorter than the configured one and somebody else may confirm. A read just before the
 * cancel that showed the same text does prove it.
 */
function wasWaiting(supervisor: StepContext, answer: Negotiation): boolean {
  const { snapshot, sinceReadMs = Number.POSITIVE_INFINITY } = supervisor.observation;
  if (snapshot === undefined || hasMovedOn(snapshot.state)) return false;
  const isSameText = snapshot.demand_formulated === null || formulatedText(snapshot) === formulatedText(answer);
  return isSameText && sinceReadMs <= TIMES.effectReadEveryMs && (supervisor.leftMs() ?? 0) > 0;
}

/** Writes down an end if the backend cannot show how the negotiation ended. */
async function noteUnseenEnd(supervisor: StepContext, decision: Decision): Promise<void> {
  const how = hasTryWithoutAnswer(supervisor, decision)
    ? ({ kind: "cancelled", inferred: true } as const)
    : ({ kind: "ended" } as const);
  await noteOutcome(supervisor, {
    ...how,
    decision,
    ...lateBehindDeadline(supervisor),
    ...owedIfNobodyWaits(supervisor, decision),
  });
  supervisor.waiters.answer(decision.number, { error: supervisor.pending?.error });
}

/**
 * Writes down that nobody decided in time. If the store does not answer or the home cannot be read, nobody knows
 * whether a person has decided. The store is then asked again until a third of the margin is left, and after that only
 * the backend's state counts.
 */
export async function withdrawUndecided(supervisor: StepContext, by: DecidedBy): Promise<void> {
  const { journal, deps } = supervisor;
  const { clock, owner, log } = deps;
  const elapsedMs = stopwatch(clock);
  const number = journal.facts.decided.length + 1;
  const fact = { at: clock.now(), kind: "withdraw", by, owner };
  try {
    if (await isForgotten(supervisor)) return;
    if (!supervisor.isMine) return;
    // The facts that were just read have changed the stage.
    if (!["formulating", "asking", "confirming"].includes(supervisor.stage.name)) return;
    const { created, current } = await journal.claim(factName.decided(number), fact, "open");
    if (!created && !isWrittenHere(current, supervisor)) await journal.refresh();
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    log.warn("withdrawal_unwritten", { negotiation_id: journal.key.id, error: failureOf(error) });
    // If the disk is full, nobody else can decide either.
    const facts = error instanceof HomeUnwritable ? await readable(journal) : undefined;
    if (facts !== undefined) {
      if (facts.decided.length >= number) return;
    } else {
      const retryMs = withinMargin(deps.policy(), TIMES.cancelRetryMs);
      // If the store is slow to fail, one more try would use up the time that the backend needs.
      const leftAfterRetryMs = (supervisor.leftMs() ?? 0) - retryMs - elapsedMs();
      const isLast = by === "shutdown" || leftAfterRetryMs <= marginMs(deps.policy()) / 3;
      if (!isLast) return supervisor.sleep(retryMs);
      if (hasMovedOn((await supervisor.read()).state)) return;
    }
    // The withdrawal counts at once, because the cancel does not wait for a store.
    void journal.note(factName.decided(number), fact, "open");
  }
}

/**
 * Returns the facts of a home that cannot be written, or undefined if they cannot be read either. The caller then acts
 * as if the store were away.
 */
const readable = (journal: Journal): Promise<Facts | undefined> =>
  journal.refresh().catch((error) => {
    if (error instanceof HomeUnwritable) return undefined;
    throw error;
  });

/**
 * Returns whether the store has lost its facts and the backend has gone on. A store that came back empty may have lost
 * somebody's yes as well, so only the backend's state counts.
 */
async function isForgotten(supervisor: StepContext): Promise<boolean> {
  const entries = await supervisor.deps.facts.read(supervisor.key);
  supervisor.journal.learn(entries);
  return !entries.has(factName.submitted) && hasMovedOn((await supervisor.read()).state);
}

/** Returns whether this program wrote the withdrawal in an earlier try whose answer was lost. */
function isWrittenHere(current: unknown, { deps }: StepContext): boolean {
  const { kind, owner } = (current ?? {}) as Partial<Decision>;
  return kind === "withdraw" && owner?.instance === deps.owner.instance;
}

/**
 * Writes down a text that is out and differs from the confirmed one, because a later read may show the confirmed text
 * again.
 */
export async function noteOtherText({ stage, deps, journal }: StepContext, snapshot: Negotiation): Promise<void> {
  if (stage.otherText !== undefined || !showsOtherText(stage, snapshot)) return;
  const fact = { at: deps.clock.now(), text_hash: rememberedSha256(formulatedText(snapshot)) };
  await journal.note(factName.otherText, fact);
}

/**
 * Writes down when the text was first seen to be out. One record counts for all programs, so a record that another
 * program wrote stands.
 */
export async function noteOut(supervisor: StepContext, snapshot: Negotiation): Promise<void> {
  const { journal, deps } = supervisor;
  const { submitted, decided, firstBroadcast } = journal.facts;
  const isOurs = submitted !== undefined || decided.length > 0;
  if (firstBroadcast !== undefined || !isOurs || !isBroadcast(snapshot)) return;
  const leftMs = supervisor.leftMs();
  const fact = {
    at: deps.clock.now(),
    ...(snapshot.demand_formulated !== null && { text_hash: rememberedSha256(formulatedText(snapshot)) }),
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
 * Writes down that the negotiation is cancelled, and answers the calls that wait for that. `in_time` says that its text
 * had still been waiting.
 */
async function noteCancelled(
  supervisor: StepContext,
  decision: Decision,
  answer: Negotiation,
  how: { in_time: boolean; inferred?: true },
): Promise<void> {
  const { deps, key } = supervisor;
  const participants = answer.participants.length;
  const seen = { participants, ...how, ...lateBehindDeadline(supervisor) };
  await noteOutcome(supervisor, { kind: "cancelled", decision, ...seen, ...owedIfNobodyWaits(supervisor, decision) });
  deps.log.info("negotiation_cancelled", { negotiation_id: key.id, decided_by: decision.by });
  deps.nudge(key.id);
  supervisor.waiters.answer(decision.number, { effect: { kind: "cancelled", negotiation: answer, decision } });
}

/** Marks an outcome as late if the backend's own deadline may have passed by now. */
const lateBehindDeadline = (supervisor: StepContext) =>
  (supervisor.leftMs() ?? 1) <= 0 ? { late: true as const } : {};

/** Marks an outcome as owed to the person, unless a waiting call will report it. */
const owedIfNobodyWaits = (supervisor: StepContext, { number }: Decision) =>
  supervisor.waiters.has(number) ? {} : { owed: true as const };

/** Writes down the outcome of a decision, or of a negotiation without one, together with what was seen of it. */
async function noteOutcome(
  supervisor: StepContext,
  { decision, ...rest }: Omit<Outcome, "at"> & { decision?: Decision },
): Promise<void> {
  const { journal, observation, deps } = supervisor;
  const { snapshot } = observation;
  const outcome: Outcome = {
    at: deps.clock.now(),
    ...rest,
    ...(snapshot?.demand_formulated != null && { text_hash: rememberedSha256(formulatedText(snapshot)) }),
    ...(observation.hasSeenMatching && { seen_broadcast: true }),
  };
  await journal.note(factName.outcome(decision?.number ?? 0), outcome, "close");
}

/** Begins a try, and returns what this program holds in memory about the decision. */
function beginTry(supervisor: StepContext, decision: Decision): PendingDecision {
  const pending =
    supervisor.pending?.number === decision.number ? supervisor.pending : supervisor.begin(decision.number);
  pending.tries += 1;
  pending.sinceTryMs = stopwatch(supervisor.deps.clock);
  return pending;
}

/** Notes that the answer to a try was lost, so that the request may have arrived. */
function noteLoss({ deps, unanswered }: StepContext, pending: PendingDecision, decision: Decision): void {
  pending.last = "unknown";
  pending.sinceLossMs = stopwatch(deps.clock);
  unanswered.set(decision.number, { decision, at: deps.clock.monotonic() });
}

/** Returns whether a try of this program for that decision may have reached the backend without an answer. */
const hasTryWithoutAnswer = ({ unanswered }: StepContext, decision: Decision): boolean =>
  isSameDecision(decision, unanswered.get(decision.number)?.decision);

/**
 * Returns whether the text was still seen waiting so long after the lost answer that a yes that had arrived would have
 * shown its effect.
 */
function isSeenWithoutEffect({ unanswered, observation }: StepContext, { number }: Decision): boolean {
  const lostAt = unanswered.get(number)?.at ?? Number.POSITIVE_INFINITY;
  return (observation.waitingAt ?? 0) - lostAt >= TIMES.effectReadForMs;
}

/**
 * Writes down that the backend does not know the negotiation, as the outcome of the standing decision if there is one.
 */
export async function abandon(supervisor: StepContext): Promise<void> {
  const { decision } = supervisor.stage;
  await noteOutcome(supervisor, { kind: "not_found", ...(decision && { decision }), owed: true });
  if (decision !== undefined) supervisor.waiters.answer(decision.number, { error: supervisor.pending?.error });
}

/** Undoes the decision, so that the question is open again. */
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

/** Writes down the outcome that the backend shows after the negotiation went on. */
export async function conclude(supervisor: StepContext): Promise<void> {
  const { stage, deps } = supervisor;
  const { snapshot } = supervisor.observation;
  const { decision } = stage;
  if (snapshot === undefined) return;
  const kind = stage.name === "over" && !isBroadcast(snapshot) ? "ended" : "moved";
  if (decision === undefined) {
    await supervisor.refresh(); // Another program may have decided.
    const { decision: written, isOwn } = supervisor.stage;
    // If others submitted the demand, this user's programs do not know who decided, and nobody is owed a report.
    return written === undefined ? noteOutcome(supervisor, { kind, ...(isOwn && { owed: true }) }) : undefined;
  }
  const isDecidedHere = decision.owner.instance === deps.owner.instance;
  const mayBeOurs = isDecidedHere ? hasTryWithoutAnswer(supervisor, decision) : true;
  if (!confirms(decision)) {
    const hasEnded = stage.name === "over" && snapshot.plan_output === null;
    if (mayBeOurs && hasEnded) return noteCancelled(supervisor, decision, snapshot, { in_time: false, inferred: true });
    await hadNoEffect(supervisor, decision, kind);
    return supervisor.waiters.answer(decision.number, { effect: { kind: "moved", negotiation: snapshot } });
  }
  const mayBeIts = mayBeOurs && !isSeenWithoutEffect(supervisor, decision);
  if (mayBeIts && !isOtherText(decision, snapshot)) {
    await noteOutcome(supervisor, {
      kind: "confirmed",
      decision,
      inferred: true,
      ...owedIfNobodyWaits(supervisor, decision),
    });
    const effect = { kind: "confirmed", negotiation: snapshot, decision, answerLost: true } as const;
    return supervisor.waiters.answer(decision.number, { effect });
  }
  // The backend was quicker, with its own text or with somebody else's, so this decision never took effect.
  await hadNoEffect(supervisor, decision, kind);
  supervisor.waiters.answer(decision.number, { effect: { kind: "moved", negotiation: snapshot } });
}

/** Writes down that the negotiation went on without this decision. The outcome of an earlier decision stands. */
async function hadNoEffect(supervisor: StepContext, decision: Decision, kind: "moved" | "ended"): Promise<void> {
  const { journal, deps } = supervisor;
  await journal.note(factName.undone(decision.number), { at: deps.clock.now(), why: "too_late" });
  if (effectiveDecision(journal.facts) === undefined)
    await noteOutcome(supervisor, { kind, ...owedIfNobodyWaits(supervisor, decision) });
}

/** What came of a decision that this program carries out. */
export type Effect =
  | { kind: "confirmed"; negotiation: Negotiation; decision: Decision; answerLost: boolean }
  | { kind: "cancelled"; negotiation: Negotiation; decision: Decision }
  /** The negotiation went on without the decision. */
  | { kind: "moved"; negotiation: Negotiation };

/** What a decision needs in addition to its fact, kept only in this program's memory. */
export interface DecisionInput {
  /** The text to send. The text of an edit is kept nowhere else. */
  text?: string | undefined;
  payload?: Record<string, unknown> | undefined;
  /** The id of the tool call that decided. */
  requestId?: string | undefined;
}

/** The decision that is being carried out, and how its tries went. */
export interface PendingDecision extends DecisionInput {
  number: number;
  tries: number;
  last: Attempt["last"];
  sinceTryMs: () => number;
  /** Measures the time since an answer was last lost. */
  sinceLossMs?: () => number;
  error?: unknown;
}

/** A time in milliseconds that is longer than any wait of the plan. */
export const LONG_AGO_MS = 2 ** 31;

/** Returns how the tries for a decision went, in the form that the plan takes. */
export const attemptOf = (pending: PendingDecision | undefined): Attempt => ({
  count: pending?.tries ?? 0,
  last: pending?.last ?? "none",
  sinceMs: pending?.sinceTryMs() ?? LONG_AGO_MS,
  sinceLossMs: pending?.sinceLossMs?.() ?? LONG_AGO_MS,
});

/** Returns the body of a confirm. Without a text the backend's own text goes out. */
export const confirmBody = (text: string | undefined) => (text === undefined ? {} : { confirmed_text: text });

export const cancelBody = (payload: DecisionInput["payload"]) => ({ action: "cancel", ...(payload && { payload }) });

/** What a waiting call receives, which is the effect or the error with which the call fails. */
export type EffectAnswer = { effect: Effect } | { error: unknown };

/** The calls that wait for the effect of a decision. */
export class Waiters {
  #waiting: { number: number; answer: (answer: EffectAnswer) => void }[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  has(number: number): boolean {
    return this.#waiting.some((waiter) => waiter.number === number);
  }

  /**
   * Waits for the effect of a decision. If the limit comes first, the call stops waiting, but the decision is still
   * carried out, and a later result reports its effect.
   * @throws OutcomeUnknown at the limit, or the error that `answer` or `answerAll` is given
   */
  async wait({ number, kind }: Pick<Decision, "number" | "kind">, limit?: AbortSignal): Promise<Effect> {
    const { promise, resolve } = Promise.withResolvers<EffectAnswer>();
    const waiter = { number, answer: resolve };
    this.#waiting.push(waiter);
    try {
      const answer = await orUnknown(promise, confirms({ kind }) ? "confirm" : "action", limit);
      if ("error" in answer) throw answer.error;
      return answer.effect;
    } finally {
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
    }
  }

  answer(number: number, answer: EffectAnswer): void {
    const asked = this.#waiting.filter((waiter) => waiter.number === number);
    this.#waiting = this.#waiting.filter((waiter) => waiter.number !== number);
    for (const waiter of asked) waiter.answer(answer);
  }

  answerAll(answer: EffectAnswer): void {
    for (const { number } of this.#waiting) this.answer(number, answer);
  }
}

/**
 * Returns whether this program has the text of a decision, and whether that text still belongs to the text that the
 * backend has now.
 */
export function textState(
  decision: Decision | undefined,
  pending: PendingDecision | undefined,
  snapshot: Negotiation | undefined,
): PlanInput["text"] {
  if (snapshot === undefined || phaseOf(snapshot.state) !== "asking")
    return pending?.text === undefined ? "unread" : "ready";
  const now = rememberedSha256(formulatedText(snapshot));
  if (pending?.text !== undefined)
    return decision?.formulated_hash === undefined || decision.formulated_hash === now ? "ready" : "changed";
  if (decision?.text_hash === now) return "ready";
  return decision?.kind === "edit" ? "lost" : "changed"; // Only the text of an edit is kept nowhere but in its program.
}

/** Returns whether only this program has the text of an edit that is still being carried out. */
export function isEditOnlyHere(
  { decision }: Stage,
  { outcomes }: Facts,
  pending: PendingDecision | undefined,
): boolean {
  if (decision?.kind !== "edit" || outcomes.has(decision.number)) return false;
  return pending !== undefined && pending.number === decision.number && pending.text !== undefined;
}
