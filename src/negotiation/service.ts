import type { Negotiation } from "../backend/contract.ts";
import { stopwatch } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../feed/evidence.ts";
import { failureOf } from "../log.ts";
import type { Platform } from "../platform.ts";
import type { Surface } from "../question/who.ts";
import { rememberedSha256 } from "../sha256.ts";
import { type Call, CallLimit, type CoreDeps, orUnknown } from "./core.ts";
import {
  alreadyDecided,
  type CancelOptions,
  cancel,
  claimQuestion,
  type DecisionRequest,
  type DecisionResult,
  decide,
  type OpenQuestion,
} from "./decide.ts";
import type { AlreadyDecided } from "./errors.ts";
import {
  type Answered,
  type Created,
  type Facts,
  factName,
  keyIn,
  type NegotiationKey,
  type Owner,
  type Shown,
} from "./facts.ts";
import type { Journal } from "./journal.ts";
import { guardNow, keeperNow, mayLeave } from "./keeper.ts";
import { type Guard, isLeftToBackend } from "./plan.ts";
import type { Pollers, WaitOptions } from "./polling.ts";
import { FRESH_MS, openQuestions, type ReadDeps, Reads } from "./reads.ts";
import { type Found, type Listed, type OwnWanted, ownRecords, takeOwed } from "./records.ts";
import type { AtEnd } from "./registry.ts";
import { Reviews } from "./risks.ts";
import { type Says, type SaysInput, says } from "./says.ts";
import { effectiveDecision, isUndecided, reduce, type Stage } from "./stage.ts";
import type { Submission, SubmitInput, SubmitOptions, SubmitResult } from "./submit.ts";

/** The pause between two checks for a decision on another surface, in milliseconds. */
const DECISION_POLL_MS = 250;
/** The codes that end a wait if the backend gave no answer. */
const AWAY = /^tool\.backend\.(?:unavailable|timeout)\./;
/**
 * A call that ends with an open question waits this long for another program to stand by, and looks for one this often,
 * both in milliseconds.
 */
const KEEPER_WAIT_MS = 5_000;
const KEEPER_POLL_MS = 100;

/** The parts that all calls of one user share. */
export interface Shared extends ReadDeps {
  pollers: Pollers;
  submission: Submission;
}

/** The operations on one user's negotiations, as the tools of both modes, the pages and the commands use them. */
export class Negotiations {
  /** The facts about background tasks. */
  readonly tasks: TaskFacts;
  /** Results that the person should look at a second time. */
  readonly reviews: Reviews;
  readonly #shared: Shared;
  readonly #call: Call;
  readonly #limit: CallLimit;
  readonly #reads: Reads;
  /** The facts that this call read last, by negotiation. They show what the call's result still owes the person. */
  readonly #lastRead: Map<string, Facts> | undefined;

  /** Measures the time since the call began, because anything seen before then may no longer be true. */
  readonly #sinceBegunMs: (() => number) | undefined;

  constructor(shared: Shared, call?: Call) {
    this.tasks = new TaskFacts(shared.deps, (id) => shared.registry.of(this.#key(id)).journal);
    this.reviews = new Reviews(shared.deps);
    this.#shared = shared;
    this.#call = call ?? {};
    this.#limit = new CallLimit(shared.deps.clock, call?.budgetMs);
    this.#reads = new Reads(shared, this.#call, this.#limit);
    this.#lastRead = call && new Map();
    this.#sinceBegunMs = call && stopwatch(shared.deps.clock);
  }

  /** Returns the same negotiations, bound to one call. */
  forCall(call: Call): Negotiations {
    return new Negotiations(this.#shared, call);
  }

  get #deps(): CoreDeps {
    return this.#shared.deps;
  }

  #key(id: string): NegotiationKey {
    return { origin: this.#deps.origin, id };
  }

  /**
   * Submits a demand as {@link Submission.submit} does. The submit goes on after the call's time limit.
   * @throws OutcomeUnknown at the call's time limit
   */
  async submit(input: SubmitInput, options: Omit<SubmitOptions, "requestId"> = {}): Promise<SubmitResult> {
    const operation = "submitDemand";
    const work = this.#shared.submission.submit(input, { ...options, requestId: this.#call.requestId });
    const submitted = await this.#limit.within(operation, (limit) => orUnknown(work, operation, limit));
    this.#shared.known.add(submitted.id);
    return submitted;
  }

  /**
   * Reads one negotiation from the backend and records what the read showed. A finished negotiation comes from memory
   * unless `fresh` is set.
   */
  get(id: string, { fresh = false } = {}): Promise<Negotiation> {
    return this.#reads.get(id, fresh);
  }

  /** Returns the final state of a finished negotiation, or undefined if this program has not seen it finished. */
  finished(id: string): Negotiation | undefined {
    return this.#shared.seen.finished(id);
  }

  /** Returns whether everything that this call has read came from memory. */
  get isFromMemory(): boolean {
    return this.#reads.areFromMemory;
  }

  /**
   * Returns the person's own negotiations at this backend as they are written down, newest first, without asking the
   * backend.
   */
  async records(wanted?: OwnWanted): Promise<Listed[]> {
    return (await this.list(wanted)).records;
  }

  /** Returns the person's own negotiations and how many there are. */
  list(wanted?: OwnWanted): Promise<Found> {
    return ownRecords(this.#deps, (id) => this.finished(id) !== undefined, wanted);
  }

  /**
   * Returns, without waiting, what the feed has said about a negotiation so far, as far as it agrees with the backend's
   * own answer.
   */
  evidence(negotiation: Negotiation): FeedEvidence {
    return this.#shared.seen.evidence(negotiation);
  }

  /** Returns the ids of a negotiation's agents as this program last saw them, without asking the backend. */
  agentsSeen(id: string): readonly string[] {
    return this.#shared.seen.agents(id);
  }

  /** Returns what the backend showed at most `maxAgeMs` ago, or reads the negotiation again. */
  recent(id: string, maxAgeMs: number): Promise<Negotiation> {
    return this.#reads.recent(id, maxAgeMs);
  }

  /**
   * Lists every negotiation that this user's programs have written down, for every origin, the most recently written
   * first.
   */
  keys(): Promise<NegotiationKey[]> {
    return this.#deps.facts.list();
  }

  /** Returns what the backend showed this program last, or undefined if it has shown nothing yet. */
  lastSeen(id: string): Negotiation | undefined {
    return this.#shared.registry.of(this.#key(id)).observation.snapshot;
  }

  /**
   * Refuses an id that is known to belong to another backend. Call this before anything about the id is sent.
   * @throws `tool.negotiation.not_found.other_backend`
   */
  refuseOtherBackend(id: string): Promise<void> {
    return this.#reads.refuseOtherBackend(id);
  }

  /** Returns what this user's programs wrote down about one negotiation, and what this program could not write yet. */
  async facts(id: string): Promise<Facts> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    await supervisor.refresh();
    const { facts } = supervisor.journal;
    this.#lastRead?.set(id, facts);
    return facts;
  }

  /**
   * Returns the facts for a person who wants the negotiation stopped. A no does not wait for the store (contract §6),
   * so a store that does not answer leaves what this program knows.
   */
  async factsForNo(id: string): Promise<Facts> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    await supervisor.inTime(() => supervisor.refresh());
    return supervisor.journal.facts;
  }

  /** Returns the stage from memory, for progress reports. Another program may know more. */
  stageInMemory(id: string, negotiation: Negotiation): Stage {
    return reduce(this.#shared.registry.of(this.#key(id)).journal.facts, negotiation);
  }

  /** Returns where a negotiation stands, from the facts and, if given, from what the backend just showed. */
  async stage(id: string, negotiation?: Negotiation): Promise<Stage> {
    return reduce(await this.facts(id), negotiation);
  }

  /** Returns the stage for a person who wants the negotiation stopped, from the same facts as {@link factsForNo}. */
  async stageForNo(id: string, negotiation?: Negotiation): Promise<Stage> {
    return reduce(await this.factsForNo(id), negotiation);
  }

  /**
   * Notes that the client no longer follows the background task. The note counts in this program at once, even if it
   * cannot be written now.
   */
  async unfollow(id: string): Promise<void> {
    await this.#shared.registry.of(this.#key(id)).journal.note(factName.unfollowed, { at: this.#deps.clock.now() });
  }

  /** Returns what surfaces say about a negotiation, from its stage and from what the backend showed, if anything. */
  says<N extends Negotiation | undefined>(
    stage: Stage,
    negotiation: N,
    seen: Pick<SaysInput, "isLate" | "isGone" | "isGuarded"> = {},
  ): Says<N> {
    const evidence = negotiation === undefined ? NO_EVIDENCE : this.evidence(negotiation);
    return says({ negotiation, stage, evidence, ...seen });
  }

  /**
   * Writes down a question before it is shown. The same text keeps its question, so that two readers hold the same id.
   * A question about another text stays open beside it, because somebody may be reading it.
   */
  async claimQuestion(negotiation: Negotiation, shownText: string): Promise<OpenQuestion> {
    const id = negotiation.negotiation_id;
    const supervisor = this.#shared.registry.of(this.#key(id));
    const ask = (limit?: AbortSignal) => claimQuestion(supervisor, negotiation, shownText, this.#deps, limit);
    const asked = await this.#limit.within("getNegotiation", ask);
    const { silence } = await guardNow(supervisor, supervisor.stage);
    return { id: asked.question_id, negotiationId: id, silence };
  }

  /** Decides on a negotiation as {@link decide} in decide.ts does. */
  decide(request: DecisionRequest): Promise<DecisionResult> {
    const supervisor = this.#shared.registry.of(this.#key(request.negotiationId));
    const { requestId } = this.#call;
    const operation = request.kind === "reject" ? "action" : "confirm";
    return this.#limit.within(operation, (limit) => decide(supervisor, request, { requestId, limit }));
  }

  /**
   * Notes that the person declined to open the page that asks, or wants another text. That is no decision, but from
   * then on the demand is withdrawn unless somebody decides. The note counts in this program at once, even if it cannot
   * be written now. Resolves with false if others submitted the demand, so that there is no deadline to keep.
   */
  async neverLeave(id: string): Promise<boolean> {
    if (!(await this.stageForNo(id)).isOwn) return false;
    const supervisor = this.#shared.registry.of(this.#key(id));
    await supervisor.journal.note(factName.neverLeft, { at: this.#deps.clock.now() });
    supervisor.start();
    return true;
  }

  /** Returns the error that says that nothing is left to decide and what came of the decision. */
  alreadyDecided(id: string): Promise<AlreadyDecided> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    const { requestId } = this.#call;
    return this.#limit.within("getNegotiation", (limit) => alreadyDecided(supervisor, { requestId, limit }));
  }

  /**
   * Cancels a negotiation that the person no longer wants, decided or not.
   * @throws what the backend answered
   */
  cancel(
    id: string,
    by: Surface | "client",
    options: Pick<CancelOptions, "payload" | "onlyUndecided"> = {},
  ): Promise<Negotiation> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    const { requestId } = this.#call;
    return this.#limit.within("action", (limit) => cancel(supervisor, by, { ...options, requestId, limit }));
  }

  /**
   * Waits as {@link Pollers.wait} does. If the backend gave no answer, the failure is noted for the person's review.
   */
  async wait(id: string, options: Omit<WaitOptions, "signal" | "requestId" | "beginWait">) {
    try {
      const { requestId, signal, beginWait } = this.#call;
      return await this.#shared.pollers.wait(id, { ...options, requestId, signal, beginWait });
    } catch (error) {
      if (error instanceof TowowError && AWAY.test(error.code)) await this.reviews.noteAway(id);
      throw error;
    }
  }

  /** Calls `next` after each read of this user, until the returned function is called. */
  subscribe(id: string, listener: { next: (snapshot: Negotiation) => void; fail: (error: unknown) => void }) {
    return this.#shared.pollers.subscribe(id, { ...listener, requestId: this.#call.requestId });
  }

  /**
   * Waits until somebody has decided, on any surface and in any process. Resolves with false when the budget is used
   * up.
   * @throws the signal's reason
   */
  async untilDecided(id: string, budgetMs: number): Promise<boolean> {
    const { clock } = this.#deps;
    const elapsedMs = stopwatch(clock);
    const endWait = this.#call.beginWait?.();
    try {
      while (effectiveDecision(await this.facts(id)) === undefined) {
        if (elapsedMs() >= budgetMs) return false;
        await clock.sleep(DECISION_POLL_MS, this.#call.signal);
      }
      return true;
    } finally {
      endWait?.();
    }
  }

  /** Resolves with whether somebody has decided, including a decision that this program is making now. */
  async isDecided(id: string): Promise<boolean> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    await this.#limit.within("getNegotiation", (limit) => supervisor.enqueue(() => supervisor.refresh(), limit));
    return effectiveDecision(supervisor.journal.facts) !== undefined;
  }

  /**
   * Returns who answers for the negotiation and what happens if nobody decides. No program of this user answers for a
   * demand that others submitted.
   */
  guard(id: string, stage: Stage): Promise<Guard> {
    return guardNow(this.#shared.registry.of(this.#key(id)), stage);
  }

  /**
   * Returns whether an undecided demand is left to the backend. Any other undecided demand is withdrawn before the
   * deadline.
   */
  isLeftToBackend(stage: Stage): boolean {
    return isLeftToBackend(stage, this.#deps.policy());
  }

  /**
   * Returns the person's own negotiations that wait for a decision, newest first. Each negotiation was read a moment
   * ago, or its question is marked `unchecked`.
   */
  openQuestions(): Promise<OpenQuestion[]> {
    const maxAgeMs = Math.min(FRESH_MS, this.#sinceBegunMs?.() ?? FRESH_MS);
    const { requestId } = this.#call;
    return this.#limit.within("getNegotiation", (limit) => openQuestions(this.#shared, { requestId, maxAgeMs, limit }));
  }

  /** Returns whether this very program submitted the negotiation. */
  isFromThisProgram(id: string): boolean {
    return this.#shared.submission.isFromThisProgram(id);
  }

  /** Returns the open questions about negotiations that this program submitted, newest first. */
  async leftOpen(): Promise<OpenQuestion[]> {
    return (await this.openQuestions()).filter(({ negotiationId }) =>
      this.#shared.submission.isFromThisProgram(negotiationId),
    );
  }

  /**
   * Returns the other program that answers for the negotiation, or would do so if this program ended. If no program
   * stands by yet but one may, the call waits for some seconds at most.
   */
  async keeper(id: string): Promise<Owner | undefined> {
    const { clock, hasPeers } = this.#deps;
    const elapsedMs = stopwatch(clock);
    const waitMs = Math.min(KEEPER_WAIT_MS, this.#limit.leftMs);
    const supervisor = this.#shared.registry.of(this.#key(id));
    for (;;) {
      await supervisor.refresh();
      const keeper = await keeperNow(supervisor);
      const mayCome = mayLeave(supervisor) && elapsedMs() < waitMs && (await hasPeers?.()) === true;
      if (keeper !== undefined || !mayCome) return keeper;
      await clock.sleep(KEEPER_POLL_MS, this.#call.signal);
    }
  }

  /** Returns codes that no result has given the person yet. Each code is returned once. */
  async takeOwed(id: string): Promise<string[]> {
    const { facts: store, clock } = this.#deps;
    const key = this.#key(id);
    const facts = this.#lastRead?.get(id) ?? (await this.facts(id));
    const stage = reduce(facts);
    const isGuarded = isUndecided(stage) && (await this.#shared.registry.isGuarded(stage));
    const taken = await takeOwed({ store, key, facts, isGuarded, at: clock.now() });
    if (taken.length > 0) this.#lastRead?.delete(id);
    return taken;
  }

  /**
   * Takes up the negotiations that killed programs left behind, and waits for some seconds at most until that is done.
   */
  recover(): Promise<void> {
    return this.#shared.registry.recover();
  }

  /**
   * Takes up the negotiations that another program has just begun, because that program may end and leave them to this
   * one.
   */
  lookAround(): void {
    const { registry, deps } = this.#shared;
    registry.look().catch((error) => deps.log.warn("look_failed", { error: failureOf(error) }));
  }

  /**
   * Begins the recovery in the background unless it has already begun, because a program that stays on may never be
   * called.
   */
  recoverSoon(): void {
    if (!this.#shared.registry.hasBegunRecovery) void this.recover();
  }

  /** Returns the ids of the negotiations for which this program still has something to finish. */
  get busyIds(): string[] {
    return this.#shared.registry.busyIds;
  }

  /** Returns the ids of negotiations that are to be withdrawn when this program ends, and are not withdrawn yet. */
  get unwithdrawn(): string[] {
    return this.#shared.registry.all.filter(({ isUnwithdrawn }) => isUnwithdrawn).map(({ key }) => key.id);
  }

  /** Returns whether this program is still carrying out a person's no. */
  get carriesNo(): boolean {
    return this.#shared.registry.all.some(({ carriesNo }) => carriesNo);
  }

  /** Returns how many negotiations somebody waits for or follows now. */
  get polled(): number {
    return this.#shared.pollers.size;
  }

  /**
   * Returns whether a person's no is on its way without being written down anywhere, so that it would be lost if this
   * program ended.
   */
  get holdsNo(): boolean {
    return this.#shared.registry.all.some(({ holdsNo }) => holdsNo);
  }

  /** Returns whether this program must show other programs that it lives. */
  get needsHeartbeat(): boolean {
    return this.isBusy || this.#shared.registry.needsHeartbeat;
  }

  /**
   * Returns whether this program still has something to finish, such as a deadline that it looks after or a decision on
   * its way.
   */
  get isBusy(): boolean {
    return this.#shared.registry.isBusy || this.#shared.submission.running.length > 0;
  }

  /**
   * Ends all work at the first sign of the program's end. `wanted` says whether undecided demands are withdrawn or
   * left, and by default the policy decides. What is on its way may finish (contract §6). Resolves with the ids of the
   * negotiations that could not be withdrawn.
   */
  async shutdown(
    wanted: AtEnd = this.#deps.policy().onUnconfirmed === "cancel" ? "withdraw" : "leave",
  ): Promise<string[]> {
    const atEnd = wanted === "to_keeper" && this.#deps.policy().onUnconfirmed === "leave" ? "leave" : wanted;
    const { registry, submission, pollers, seen } = this.#shared;
    seen.close();
    submission.close(atEnd);
    const running = Promise.allSettled(submission.running);
    const undone = await registry.end(atEnd, (key) => submission.isFromThisProgram(key.id));
    await running;
    pollers.close();
    return undone;
  }
}

/** Identifies one showing of a question by its shape, the number of answers before it, and the attempt. */
type Showing = Pick<Shown, "taken" | "attempt" | "shape"> & { questionId: string };

/** Writes down facts about background tasks, beside the facts of their negotiations. */
export class TaskFacts {
  readonly #platform: Platform;
  readonly #journalOf: (id: string) => Journal;

  constructor(platform: Platform, journalOf: (id: string) => Journal) {
    this.#platform = platform;
    this.#journalOf = journalOf;
  }

  /**
   * Returns the key under which a question goes out. The key is written down before the question is shown. The key is
   * new after each answer and for each `attempt`, and the same in every program of the user.
   */
  async show(id: string, { questionId, ...way }: Showing, facts: Facts): Promise<string> {
    const question = this.#hashOf(questionId);
    // A file that cannot be read occupies its name forever, so the next attempt's name is tried.
    for (let { attempt } = way; ; attempt++) {
      const name = factName.shown({ ...way, attempt, question });
      const known = facts.shown.find((one) => factName.shown(one) === name);
      const key = known?.key ?? keyIn((await this.#create(id, name, { key: this.#platform.newId() })).current);
      if (key !== undefined) return key;
    }
  }

  /** Returns the question that was shown under one of these keys, if it still waits for its answer. */
  shownUnder(keys: readonly string[], questionId: string, facts: Facts): Shown | undefined {
    const question = this.#hashOf(questionId);
    const taken = this.answersTaken(facts, questionId);
    return facts.shown.find((one) => one.question === question && one.taken === taken && keys.includes(one.key));
  }

  /**
   * Takes the next answer to a question, after `taken` earlier ones, and writes down what follows from it. Returns
   * false if another program took that answer.
   */
  async takeAnswer(
    id: string,
    { questionId, taken }: { questionId: string; taken: number },
    follow: Pick<Answered, "quiet_ms" | "next">,
  ): Promise<boolean> {
    return (await this.#create(id, factName.answered(this.#hashOf(questionId), taken + 1), follow)).created;
  }

  /** Returns how many answers to a question have been taken. */
  answersTaken({ answers }: Facts, questionId: string): number {
    const question = this.#hashOf(questionId);
    return answers.filter((answer) => answer.question === question).length;
  }

  lastAnswer({ answers }: Facts, questionIds: readonly string[]): Answered | undefined {
    const questions = new Set(questionIds.map((id) => this.#hashOf(id)));
    return answers.findLast(({ question }) => questions.has(question));
  }

  async #create(id: string, name: string, value: object): Promise<Created> {
    return this.#journalOf(id).claim(name, { at: this.#platform.clock.now(), ...value });
  }

  #hashOf(questionId: string): string {
    return rememberedSha256(questionId).slice(0, 16);
  }
}
