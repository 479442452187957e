import type { Negotiation } from "../backend/contract.ts";
import { stopwatch } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../feed/evidence.ts";
import { failureOf } from "../log.ts";
import type { Surface } from "../question/who.ts";
import { type Call, CallLimit, type CoreDeps, orUnknown } from "./core.ts";
import {
  alreadyDecided,
  type CancelOptions,
  cancel,
  claimQuestion,
  type DecisionRequest,
  type DecisionResult,
  decide,
  guardNow,
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
import { keeperNow, mayLeave } from "./keeper.ts";
import { type Guard, isLeftToBackend } from "./plan.ts";
import type { WaitOptions, Watcher } from "./polling.ts";
import { FRESH_MS, openQuestions, type ReadDeps, Reads } from "./reads.ts";
import { type Found, type Listed, type OwnWanted, ownRecords, takeOwed } from "./records.ts";
import type { AtEnd } from "./registry.ts";
import { Reviews } from "./risks.ts";
import { type Says, type SaysInput, says } from "./says.ts";
import { effectiveDecision, isUndecided, reduce, type Stage } from "./stage.ts";
import type { Submission, SubmitInput, SubmitOptions, SubmitResult } from "./submit.ts";

/** The pause between two looks for a decision on another surface, in milliseconds. */
const DECISION_POLL_MS = 250;
/** The codes with which a wait ends if the backend gave no answer. */
const AWAY = /^tool\.backend\.(?:unavailable|timeout)\./;
/** A call that ends with an open pause waits this long for another program to watch it, and looks this often. */
const KEEPER_WAIT_MS = 5_000;
const KEEPER_POLL_MS = 100;

/** What all calls of one user share. */
export interface Shared extends ReadDeps {
  watcher: Watcher;
  submission: Submission;
}

/** Everything that happens to the user's negotiations, for tools of both modes, pages and commands. */
export class Negotiations {
  /** Hashes a text; texts are compared by their hashes. */
  readonly hash: (text: string) => string;
  /** What is written down of background tasks. */
  readonly tasks: TaskFacts;
  /** Results that the person should look at a second time. */
  readonly reviews: Reviews;
  readonly #shared: Shared;
  readonly #call: Call;
  readonly #limit: CallLimit;
  readonly #reads: Reads;
  /** What one call read last, by id. What its result owes the person is found there. */
  readonly #lastRead: Map<string, Facts> | undefined;

  /** Measures the time since the call began, because what was seen before may no longer be true. */
  readonly #sinceBegunMs: (() => number) | undefined;

  constructor(shared: Shared, call?: Call) {
    this.hash = shared.deps.hash;
    this.tasks = new TaskFacts(shared.deps, (id) => shared.registry.of(this.#key(id)).journal);
    this.reviews = new Reviews(shared.deps);
    this.#shared = shared;
    this.#call = call ?? {};
    this.#limit = new CallLimit(shared.deps.clock, call?.budgetMs);
    this.#reads = new Reads(shared, this.#call, this.#limit);
    this.#lastRead = call && new Map();
    this.#sinceBegunMs = call && stopwatch(shared.deps.clock);
  }

  /** Gives the same negotiations for one call. */
  forCall(call: Call): Negotiations {
    return new Negotiations(this.#shared, call);
  }

  get #deps(): CoreDeps {
    return this.#shared.deps;
  }

  #key(id: string): NegotiationKey {
    return { origin: this.#deps.origin, id };
  }

  /** @see Submission.submit. It goes on when the call's time limit passes. @throws OutcomeUnknown then */
  async submit(input: SubmitInput, options: Omit<SubmitOptions, "requestId"> = {}): Promise<SubmitResult> {
    const operation = "submitDemand";
    const work = this.#shared.submission.submit(input, { ...options, requestId: this.#call.requestId });
    const submitted = await this.#limit.within(operation, (limit) => orUnknown(work, operation, limit));
    this.#shared.known.add(submitted.id);
    return submitted;
  }

  /**
   * Reads one negotiation and takes note of where it stands, as every read for a result does except the list of open
   * questions. A finished one is not read again unless it is wanted `fresh`.
   */
  get(id: string, { fresh = false } = {}): Promise<Negotiation> {
    return this.#reads.get(id, fresh);
  }

  /** Gives a finished negotiation as the backend has shown it once and for all. */
  finished(id: string): Negotiation | undefined {
    return this.#shared.seen.finished(id);
  }

  /** Whether every negotiation that this call has read was known already. */
  get isFromMemory(): boolean {
    return this.#reads.areFromMemory;
  }

  /**
   * Gives the person's own negotiations at this backend as they are written down, newest first. It does not ask the
   * backend.
   */
  async records(wanted?: OwnWanted): Promise<Listed[]> {
    return (await this.list(wanted)).records;
  }

  /** Gives the same, and how many there are. */
  list(wanted?: OwnWanted): Promise<Found> {
    return ownRecords(this.#deps, (id) => this.finished(id) !== undefined, wanted);
  }

  /**
   * Gives what the feed has said of it so far, as far as that agrees with the backend's own answer. It waits for
   * nothing.
   */
  evidence(negotiation: Negotiation): FeedEvidence {
    return this.#shared.seen.evidence(negotiation);
  }

  /** Gives the agents of a negotiation as this program last saw it. It does not ask the backend. */
  agentsSeen(id: string): readonly string[] {
    return this.#shared.seen.agents(id);
  }

  /** Gives what the backend showed at most `maxAgeMs` ago, or reads it again. */
  recent(id: string, maxAgeMs: number): Promise<Negotiation> {
    return this.#reads.recent(id, maxAgeMs);
  }

  /** Gives everything that is written down here, of every origin. What was written to last comes first. */
  keys(): Promise<NegotiationKey[]> {
    return this.#deps.facts.list();
  }

  /** Gives what the backend showed this program last, or undefined if it has shown nothing yet. */
  lastSeen(id: string): Negotiation | undefined {
    return this.#shared.registry.of(this.#key(id)).observation.snapshot;
  }

  /**
   * Is called before anything about this id is sent.
   * @throws `tool.negotiation.not_found.other_backend` if it is known to be another backend's
   */
  refuseOtherBackend(id: string): Promise<void> {
    return this.#reads.refuseOtherBackend(id);
  }

  /** Gives what this user's programs wrote down about one negotiation, and what this one could not write yet. */
  async facts(id: string): Promise<Facts> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    await supervisor.refresh();
    const { facts } = supervisor.journal;
    this.#lastRead?.set(id, facts);
    return facts;
  }

  /**
   * Gives the same to somebody who wants it stopped. A no waits for no store (contract §6), so if the store does not
   * answer this gives what this program knows.
   */
  async factsForNo(id: string): Promise<Facts> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    await supervisor.inTime(() => supervisor.refresh());
    return supervisor.journal.facts;
  }

  /** Gives the same from memory, for what is said on the way. Another program may know more. */
  stageInMemory(id: string, negotiation: Negotiation): Stage {
    return reduce(this.#shared.registry.of(this.#key(id)).journal.facts, negotiation);
  }

  /** Says where a negotiation stands, from what is written here and, if given, what the backend just showed. */
  async stage(id: string, negotiation?: Negotiation): Promise<Stage> {
    return reduce(await this.facts(id), negotiation);
  }

  /** Says the same to somebody who wants it stopped, as {@link factsForNo} does. */
  async stageForNo(id: string, negotiation?: Negotiation): Promise<Stage> {
    return reduce(await this.factsForNo(id), negotiation);
  }

  /**
   * Notes that its background task is followed no longer. That counts here at once, whether it can be written now or
   * not.
   */
  async unfollow(id: string): Promise<void> {
    await this.#shared.registry.of(this.#key(id)).journal.note(factName.unfollowed, { at: this.#deps.clock.now() });
  }

  /** Gives what is said of it, from where it stands and what the backend showed, if anything. */
  says<N extends Negotiation | undefined>(
    stage: Stage,
    negotiation: N,
    seen: Pick<SaysInput, "isLate" | "isGone" | "isWatched"> = {},
  ): Says<N> {
    const evidence = negotiation === undefined ? NO_EVIDENCE : this.evidence(negotiation);
    return says({ negotiation, stage, hash: this.hash, evidence, ...seen });
  }

  /**
   * Writes down the question that is about to be shown, before it is shown. The same text keeps its question, so that
   * two readers hold the same id; one about another text stays open beside it, because somebody may be reading it.
   */
  async claimQuestion(negotiation: Negotiation, shownText: string): Promise<OpenQuestion> {
    const id = negotiation.negotiation_id;
    const supervisor = this.#shared.registry.of(this.#key(id));
    const ask = (limit?: AbortSignal) => claimQuestion(supervisor, negotiation, shownText, this.#deps, limit);
    const asked = await this.#limit.within("getNegotiation", ask);
    const { silence } = await guardNow(supervisor, supervisor.stage);
    return { id: asked.question_id, negotiationId: id, silence };
  }

  /** @see decide in decide.ts */
  decide(request: DecisionRequest): Promise<DecisionResult> {
    const supervisor = this.#shared.registry.of(this.#key(request.negotiationId));
    const { requestId } = this.#call;
    const operation = request.kind === "reject" ? "action" : "confirm";
    return this.#limit.within(operation, (limit) => decide(supervisor, request, { requestId, limit }));
  }

  /**
   * Notes that its person declined to open the page that asks, or wants another text. That is no decision, and the
   * demand is never left to the backend from then on. It counts here at once, whether it can be written now or not.
   * Resolves with false for a demand that was not submitted here and so has no deadline to keep.
   */
  async neverLeave(id: string): Promise<boolean> {
    if (!(await this.stageForNo(id)).isOwn) return false;
    const supervisor = this.#shared.registry.of(this.#key(id));
    await supervisor.journal.note(factName.neverLeft, { at: this.#deps.clock.now() });
    supervisor.start();
    return true;
  }

  /** Gives the error which says that nothing is left to decide, and what came of it. */
  alreadyDecided(id: string): Promise<AlreadyDecided> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    const { requestId } = this.#call;
    return this.#limit.within("getNegotiation", (limit) => alreadyDecided(supervisor, { requestId, limit }));
  }

  /** Cancels a negotiation that the person no longer wants, decided or not. @throws what the backend answered */
  cancel(
    id: string,
    by: Surface | "client",
    options: Pick<CancelOptions, "payload" | "onlyUndecided"> = {},
  ): Promise<Negotiation> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    const { requestId } = this.#call;
    return this.#limit.within("action", (limit) => cancel(supervisor, by, { ...options, requestId, limit }));
  }

  /** Waits as {@link Watcher.wait} does, and notes for the person that the backend stayed away. */
  async wait(id: string, options: Omit<WaitOptions, "signal" | "requestId" | "beginWait">) {
    try {
      const { requestId, signal, beginWait } = this.#call;
      return await this.#shared.watcher.wait(id, { ...options, requestId, signal, beginWait });
    } catch (error) {
      if (error instanceof TowowError && AWAY.test(error.code)) await this.reviews.noteAway(id);
      throw error;
    }
  }

  /** Calls `next` after each read of this user until the returned function is called. */
  subscribe(id: string, listener: { next: (snapshot: Negotiation) => void; fail: (error: unknown) => void }) {
    return this.#shared.watcher.subscribe(id, { ...listener, requestId: this.#call.requestId });
  }

  /**
   * Waits until somebody has decided, on whatever surface and in whatever process. Resolves with false when the budget
   * is used up.
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

  /** Whether somebody has decided, including what this program is deciding now. */
  async isDecided(id: string): Promise<boolean> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    await this.#limit.within("getNegotiation", (limit) => supervisor.enqueue(() => supervisor.refresh(), limit));
    return effectiveDecision(supervisor.journal.facts) !== undefined;
  }

  /** Says who answers for it and what its silence comes to. Nobody here answers for what others submitted. */
  guard(id: string, stage: Stage): Promise<Guard> {
    return guardNow(this.#shared.registry.of(this.#key(id)), stage);
  }

  /** Whether an undecided one is left to the backend. Otherwise it is withdrawn before the deadline. */
  isLeftToBackend(stage: Stage): boolean {
    return isLeftToBackend(stage, this.#deps.policy());
  }

  /**
   * Gives own negotiations that wait for a decision, newest first. Each has been read a moment ago, or says that it was
   * not (`unchecked`).
   */
  openQuestions(): Promise<OpenQuestion[]> {
    const maxAgeMs = Math.min(FRESH_MS, this.#sinceBegunMs?.() ?? FRESH_MS);
    const { requestId } = this.#call;
    return this.#limit.within("getNegotiation", (limit) => openQuestions(this.#shared, { requestId, maxAgeMs, limit }));
  }

  /** Whether this very program submitted it. */
  isFromThisProgram(id: string): boolean {
    return this.#shared.submission.isFromThisProgram(id);
  }

  /** Gives own negotiations that this program submitted and that still wait for a decision, newest first. */
  async leftOpen(): Promise<OpenQuestion[]> {
    return (await this.openQuestions()).filter(({ negotiationId }) =>
      this.#shared.submission.isFromThisProgram(negotiationId),
    );
  }

  /**
   * Gives the other program that answers for it, or would if this one ended. If none has offered yet and one may come,
   * it waits for an offer for some seconds at most.
   */
  async keeper(id: string): Promise<Owner | undefined> {
    const { clock, hasCompany } = this.#deps;
    const elapsedMs = stopwatch(clock);
    const waitMs = Math.min(KEEPER_WAIT_MS, this.#limit.leftMs);
    const supervisor = this.#shared.registry.of(this.#key(id));
    for (;;) {
      await supervisor.refresh();
      const keeper = await keeperNow(supervisor);
      const mayCome = mayLeave(supervisor) && elapsedMs() < waitMs && (await hasCompany?.()) === true;
      if (keeper !== undefined || !mayCome) return keeper;
      await clock.sleep(KEEPER_POLL_MS, this.#call.signal);
    }
  }

  /** Gives codes that no result has given the person yet. Each is given once. */
  async takeOwed(id: string): Promise<string[]> {
    const { facts: store, clock } = this.#deps;
    const key = this.#key(id);
    const facts = this.#lastRead?.get(id) ?? (await this.facts(id));
    const stage = reduce(facts);
    const isWatched = isUndecided(stage) && (await this.#shared.registry.isWatched(stage));
    const taken = await takeOwed({ store, key, facts, isWatched, at: clock.now() });
    if (taken.length > 0) this.#lastRead?.delete(id);
    return taken;
  }

  /** Takes up what killed programs left, and waits for it for some seconds at most. */
  recover(): Promise<void> {
    return this.#shared.registry.recover();
  }

  /** Takes up what another program has just begun, because that one may end and leave it to this one. */
  lookAround(): void {
    const { registry, deps } = this.#shared;
    registry.look().catch((error) => deps.log.warn("look_failed", { error: failureOf(error) }));
  }

  /** Does the same in the background if nothing has yet, because a program that stays may never be called. */
  recoverSoon(): void {
    if (!this.#shared.registry.hasBegunRecovery) void this.recover();
  }

  /** The ids of negotiations of which something is on its way here. */
  get busyIds(): string[] {
    return this.#shared.registry.busyIds;
  }

  /** The ids of negotiations that are to be withdrawn at this program's end, and are not yet. */
  get unwithdrawn(): string[] {
    return this.#shared.registry.all.filter(({ isUnwithdrawn }) => isUnwithdrawn).map(({ key }) => key.id);
  }

  /** Whether a person's no is on its way from here. */
  get carriesNo(): boolean {
    return this.#shared.registry.all.some(({ carriesNo }) => carriesNo);
  }

  /** How many negotiations somebody waits for or follows now. */
  get watched(): number {
    return this.#shared.watcher.size;
  }

  /**
   * True while a person's no is on its way and is not written down anywhere, so that it is lost if this program ends.
   */
  get holdsNo(): boolean {
    return this.#shared.registry.all.some(({ holdsNo }) => holdsNo);
  }

  /** Whether this program must show others that it lives. */
  get isWatching(): boolean {
    return this.isBusy || this.#shared.registry.isWatching;
  }

  /** Whether anything here must not be forgotten yet, such as a deadline that is watched or a decision on its way. */
  get isBusy(): boolean {
    return this.#shared.registry.isBusy || this.#shared.submission.running.length > 0;
  }

  /**
   * Ends everything at the first sign of the program's end. What is undecided is withdrawn at once (by default as the
   * policy says), and what is on its way may finish (contract §6). Resolves with the ids of what could not be
   * withdrawn.
   */
  async shutdown(
    wanted: AtEnd = this.#deps.policy().onUnconfirmed === "cancel" ? "withdraw" : "leave",
  ): Promise<string[]> {
    const atEnd = wanted === "to_keeper" && this.#deps.policy().onUnconfirmed === "leave" ? "leave" : wanted;
    const { registry, submission, watcher, seen } = this.#shared;
    seen.close();
    submission.close(atEnd);
    const running = Promise.allSettled(submission.running);
    const undone = await registry.end(atEnd, (key) => submission.isFromThisProgram(key.id));
    await running;
    watcher.close();
    return undone;
  }
}

/** Identifies a question by the way in which it is put, after so many answers to it. */
type Showing = Pick<Shown, "taken" | "attempt" | "shape"> & { questionId: string };

type Deps = Pick<CoreDeps, "clock" | "hash" | "newId">;

/** Writes down the background tasks, beside the negotiations that they are about. */
export class TaskFacts {
  readonly #deps: Deps;
  readonly #journalOf: (id: string) => Journal;

  constructor(deps: Deps, journalOf: (id: string) => Journal) {
    this.#deps = deps;
    this.#journalOf = journalOf;
  }

  /**
   * Returns the key under which a question goes out. It is written down before it is shown, is new after each answer
   * and each `attempt`, and is the same in every program of the user.
   */
  async show(id: string, { questionId, ...way }: Showing, facts: Facts): Promise<string> {
    const question = this.#hashOf(questionId);
    // An unreadable file holds its name for ever.
    for (let { attempt } = way; ; attempt++) {
      const name = factName.shown({ ...way, attempt, question });
      const known = facts.shown.find((one) => factName.shown(one) === name);
      const key = known?.key ?? keyIn((await this.#create(id, name, { key: this.#deps.newId() })).current);
      if (key !== undefined) return key;
    }
  }

  /** Returns what was shown under one of these keys, if it still waits for its answer. */
  shownUnder(keys: readonly string[], questionId: string, facts: Facts): Shown | undefined {
    const question = this.#hashOf(questionId);
    const taken = this.answersTaken(facts, questionId);
    return facts.shown.find((one) => one.question === question && one.taken === taken && keys.includes(one.key));
  }

  /**
   * Takes the next answer to a question of which `taken` have been taken before. Returns false where another program
   * takes it. `follow`: what comes of it.
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
    return this.#journalOf(id).claim(name, { at: this.#deps.clock.now(), ...value });
  }

  #hashOf(questionId: string): string {
    return this.#deps.hash(questionId).slice(0, 16);
  }
}
