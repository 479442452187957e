import type { Negotiation } from "../backend/contract.ts";
import { stopwatch } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../feed/evidence.ts";
import { failureOf } from "../log.ts";
import type { Surface } from "../question/who.ts";
import { type Call, CallLimit, orUnknown } from "./call-limit.ts";
import type { CoreDeps } from "./core-deps.ts";
import {
  alreadyDecided,
  type CancelOptions,
  cancel,
  type DecisionRequest,
  type DecisionResult,
  decide,
} from "./decide.ts";
import type { AlreadyDecided } from "./errors.ts";
import { type Facts, factName, type NegotiationKey, type Owner } from "./facts.ts";
import type { Guard } from "./guard.ts";
import { keeperNow, mayLeave } from "./keeper.ts";
import { claimQuestion, FRESH_MS, guardNow, type OpenQuestion, openQuestions } from "./open-questions.ts";
import { isLeftToBackend } from "./plan/next.ts";
import type { WaitOptions, Watcher } from "./polling/watcher.ts";
import { type ReadDeps, Reads } from "./reads.ts";
import { type Found, type Listed, type OwnWanted, ownRecords, takeOwed } from "./records.ts";
import type { AtEnd } from "./registry.ts";
import { Reviews } from "./reviews.ts";
import { type Says, type SaysInput, says } from "./says.ts";
import { effectiveDecision, isUndecided, reduce, type Stage } from "./stage.ts";
import type { Submission, SubmitInput, SubmitOptions, SubmitResult } from "./submission.ts";
import { TaskFacts } from "./task-facts.ts";

/** How often another surface's decision is looked for. */
const DECISION_POLL_MS = 250;
/** What a wait ends with whose backend gave no answer. */
const AWAY = /^tool\.backend\.(?:unavailable|timeout)\./;
/** For how long a call that ends with an open pause waits for another program to watch it, and how often it looks. */
const KEEPER_WAIT_MS = 5_000;
const KEEPER_POLL_MS = 100;

/** What all calls of one user share. */
export interface Shared extends ReadDeps {
  watcher: Watcher;
  submission: Submission;
}

/** Everything that happens to the user's negotiations, for tools of both modes, pages and commands. */
export class Negotiations {
  /** Hash by which texts are compared. */
  readonly hash: (text: string) => string;
  /** What is written down of background tasks. */
  readonly tasks: TaskFacts;
  /** Results that the person should look at a second time. */
  readonly reviews: Reviews;
  readonly #shared: Shared;
  readonly #call: Call;
  readonly #limit: CallLimit;
  readonly #reads: Reads;
  /** What one call read last, by id: what its result owes the person is found there. */
  readonly #lastRead: Map<string, Facts> | undefined;

  /** Since the call began: what was seen before it may not be true any more. */
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

  /** The same, for one call. */
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
   * Reads one negotiation and takes note of where it stands, as every read for a result does, but for the list of open
   * questions. One that is finished is not asked for again, unless it is wanted `fresh`.
   */
  get(id: string, { fresh = false } = {}): Promise<Negotiation> {
    return this.#reads.get(id, fresh);
  }

  /** As the backend has shown it once and for all. */
  finished(id: string): Negotiation | undefined {
    return this.#shared.seen.finished(id);
  }

  /** Whether every negotiation that this call has read was known already. */
  get isFromMemory(): boolean {
    return this.#reads.areFromMemory;
  }

  /** The person's own at this backend as they are written down, newest first. Asks the backend nothing. */
  async records(wanted?: OwnWanted): Promise<Listed[]> {
    return (await this.list(wanted)).records;
  }

  /** The same, and how many there are. */
  list(wanted?: OwnWanted): Promise<Found> {
    return ownRecords(this.#deps, (id) => this.finished(id) !== undefined, wanted);
  }

  /** What the feed has said of it so far, as far as it agrees with the backend's own answer. Nothing waits for it. */
  evidence(negotiation: Negotiation): FeedEvidence {
    return this.#shared.seen.evidence(negotiation);
  }

  /** The agents of a negotiation as this program last saw it. Asks the backend nothing. */
  agentsSeen(id: string): readonly string[] {
    return this.#shared.seen.agents(id);
  }

  /** What the backend showed at most `maxAgeMs` ago, else it is read again. */
  recent(id: string, maxAgeMs: number): Promise<Negotiation> {
    return this.#reads.recent(id, maxAgeMs);
  }

  /** Everything that is written down here, of every origin, what was written to last first. */
  keys(): Promise<NegotiationKey[]> {
    return this.#deps.facts.list();
  }

  /** What the backend showed this program last; undefined where it has shown nothing yet. */
  lastSeen(id: string): Negotiation | undefined {
    return this.#shared.registry.of(this.#key(id)).observation.snapshot;
  }

  /** Before anything about this id is sent. @throws `tool.negotiation.not_found.other_backend` when it is known to be another backend's. */
  refuseOtherBackend(id: string): Promise<void> {
    return this.#reads.refuseOtherBackend(id);
  }

  /** What this user's programs wrote down about one negotiation, and what this one could not write yet. */
  async facts(id: string): Promise<Facts> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    await supervisor.refresh();
    const { facts } = supervisor.journal;
    this.#lastRead?.set(id, facts);
    return facts;
  }

  /**
   * The same for somebody who wants it stopped: a no waits for no store (contract §6), so where that does not answer, it is
   * what this program knows.
   */
  async factsForNo(id: string): Promise<Facts> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    await supervisor.inTime(() => supervisor.refresh());
    return supervisor.journal.facts;
  }

  /** The same from memory, for what is said on the way: another program may know more. */
  stageInMemory(id: string, negotiation: Negotiation): Stage {
    return reduce(this.#shared.registry.of(this.#key(id)).journal.facts, negotiation);
  }

  /** Where a negotiation stands, from what is written here and, where given, what the backend just showed. */
  async stage(id: string, negotiation?: Negotiation): Promise<Stage> {
    return reduce(await this.facts(id), negotiation);
  }

  /** The same for somebody who wants it stopped, as {@link factsForNo}. */
  async stageForNo(id: string, negotiation?: Negotiation): Promise<Stage> {
    return reduce(await this.factsForNo(id), negotiation);
  }

  /** Its background task is followed no longer. Counts here at once, whether it can be written now or not. */
  async unfollow(id: string): Promise<void> {
    await this.#shared.registry.of(this.#key(id)).journal.note(factName.unfollowed, { at: this.#deps.clock.now() });
  }

  /** What is said of it, from where it stands and what the backend showed, if anything. */
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
   * Its person declined to open the page that asks, or wants another text: no decision, and it is never left to the backend
   * from then on. Counts here at once, whether it can be written now or not. False for one that was not submitted here,
   * which has no deadline to keep.
   */
  async neverLeave(id: string): Promise<boolean> {
    if (!(await this.stageForNo(id)).isOwn) return false;
    const supervisor = this.#shared.registry.of(this.#key(id));
    await supervisor.journal.note(factName.neverLeft, { at: this.#deps.clock.now() });
    supervisor.start();
    return true;
  }

  /** That nothing is left to decide, and what came of it. */
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

  /** A backend that stays away is noted for the person. @see Watcher.wait */
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
   * Waits until somebody has decided, on whatever surface and in whatever process. False when the budget is used up.
   * Throws the signal's reason.
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

  /** Whether somebody has decided, what is being decided in this program included. */
  async isDecided(id: string): Promise<boolean> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    await this.#limit.within("getNegotiation", (limit) => supervisor.enqueue(() => supervisor.refresh(), limit));
    return effectiveDecision(supervisor.journal.facts) !== undefined;
  }

  /** Who answers for it, and what its silence comes to. Nobody here answers for what others submitted. */
  guard(id: string, stage: Stage): Promise<Guard> {
    return guardNow(this.#shared.registry.of(this.#key(id)), stage);
  }

  /** Whether an undecided one is left to the backend; else it is withdrawn before the deadline. */
  isLeftToBackend(stage: Stage): boolean {
    return isLeftToBackend(stage, this.#deps.policy());
  }

  /** Own negotiations that wait for a decision, newest first; each has been read a moment ago, or says that it was not (`unchecked`). */
  openQuestions(): Promise<OpenQuestion[]> {
    const maxAgeMs = Math.min(FRESH_MS, this.#sinceBegunMs?.() ?? FRESH_MS);
    const { requestId } = this.#call;
    return this.#limit.within("getNegotiation", (limit) => openQuestions(this.#shared, { requestId, maxAgeMs, limit }));
  }

  /** Whether this very program submitted it. */
  isFromThisProgram(id: string): boolean {
    return this.#shared.submission.isFromThisProgram(id);
  }

  /** Own negotiations that this program submitted and that still wait for a decision, newest first. */
  async leftOpen(): Promise<OpenQuestion[]> {
    return (await this.openQuestions()).filter(({ negotiationId }) =>
      this.#shared.submission.isFromThisProgram(negotiationId),
    );
  }

  /**
   * The other program that answers for it, or would if this one ended. While none has offered to and one may come, it is
   * waited for, for some seconds at most.
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

  /** Codes that no result has given the person yet; each is given once. */
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

  /** Takes up what another program has just begun: that one may end, and leave it to this one. */
  lookAround(): void {
    const { registry, deps } = this.#shared;
    registry.look().catch((error) => deps.log.warn("look_failed", { error: failureOf(error) }));
  }

  /** The same in the background, if nothing has yet: a program that stays may never be called. */
  recoverSoon(): void {
    if (!this.#shared.registry.hasBegunRecovery) void this.recover();
  }

  /** The negotiations of which something is on its way here. */
  get busyIds(): string[] {
    return this.#shared.registry.busyIds;
  }

  /** Whether a person's no is on its way from here. */
  get carriesNo(): boolean {
    return this.#shared.registry.all.some(({ carriesNo }) => carriesNo);
  }

  /** How many negotiations somebody waits for or follows now. */
  get watched(): number {
    return this.#shared.watcher.size;
  }

  /** True while a person's no is on its way and is not written down anywhere: if this program ends, it is lost. */
  get holdsNo(): boolean {
    return this.#shared.registry.all.some(({ holdsNo }) => holdsNo);
  }

  /** Whether this program must show others that it lives. */
  get isWatching(): boolean {
    return this.isBusy || this.#shared.registry.isWatching;
  }

  /** Whether anything here must not be forgotten yet: a deadline that is watched, a decision on its way. */
  get isBusy(): boolean {
    return this.#shared.registry.isBusy || this.#shared.submission.running.length > 0;
  }

  /**
   * At the first sign of the end: what is undecided is withdrawn at once (by default as the policy has it), what is on
   * its way may finish (contract §6). Gives the ids of what could not be withdrawn.
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
