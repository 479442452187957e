import type { Negotiation } from "../backend/contract.ts";
import { UnknownNegotiation } from "../backend/errors.ts";
import type { Clock } from "../clock.ts";
import { Failure, ignoreTowowError, TowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import { type CoreDeps, orUnknown, type PinnedBackend } from "./core.ts";
import { isSameDecision, type NegotiationKey } from "./facts.ts";
import { Journal } from "./journal.ts";
import { adopt, isWatchedElsewhere, leaveToKeeper, offerToKeep, stands, takeOfferBack } from "./keeper.ts";
import { MeasuredDeadline, Observation } from "./observation.ts";
import { isLeftToBackend, marginMs, next, type PlanInput, type Step, TIMES, timeoutMs, withinMargin } from "./plan.ts";
import { confirms, type Decision, isPersonsNo, isUndecided, reduce, type Stage } from "./stage.ts";
import {
  abandon,
  attemptOf,
  cancel,
  conclude,
  confirm,
  type DecisionInput,
  type Effect,
  isEditOnlyHere,
  LONG_AGO_MS,
  noteOtherText,
  noteOut,
  type PendingDecision,
  type StepContext,
  textState,
  undo,
  Waiters,
  withdrawUndecided,
} from "./steps.ts";

type ToTake = Exclude<Step, { do: "wait" | "idle" }>;

/** The reason why a sleep ends early. It is made once because every abort gives it. */
const GOES_ON = new Error("the supervisor goes on");

/**
 * Answers for one negotiation while this program runs, with one queue and one timer. It does what the plan says and
 * writes down what comes of it. Nothing else sends a confirm or a cancel, except for an id that cannot be used.
 */
export class Supervisor implements StepContext {
  readonly key: NegotiationKey;
  readonly journal: Journal;
  readonly observation: Observation;
  readonly deps: CoreDeps;
  readonly backend: PinnedBackend = (asker) =>
    this.#pinned({ ...asker, account: this.journal.facts.submitted?.account });
  readonly waiters = new Waiters();
  readonly unanswered: StepContext["unanswered"] = new Map();
  pending: PendingDecision | undefined;
  offered = 0;
  #pinned: PinnedBackend;
  readonly #onIdle: () => void;
  /** Whether what other programs wrote before has been read. */
  #isRead: boolean;
  /** The commands that wait to run alone, the oldest first. */
  readonly #commands: (() => Promise<void>)[] = [];
  /** A person's noes that have been said and are not noted yet. */
  readonly #noes = new Set<Promise<unknown>>();
  readonly #deadline: MeasuredDeadline;
  readonly #end: ProgramEnd;
  #interrupt = new AbortController();
  readonly #caughtUp = Promise.withResolvers<void>();
  hasCaughtUp = false;
  #running: Promise<void> | undefined;

  /** `isNew` says that nothing can be written about it yet. */
  constructor(key: NegotiationKey, deps: CoreDeps, { isNew, onIdle }: { isNew: boolean; onIdle: () => void }) {
    this.key = key;
    this.#isRead = isNew;
    this.deps = deps;
    this.#pinned = deps.pinBackend();
    this.#onIdle = onIdle;
    this.journal = new Journal(key, { store: deps.facts, clock: deps.clock, log: deps.log });
    this.observation = new Observation(deps.clock);
    this.#deadline = new MeasuredDeadline(deps, this.journal, this.observation);
    this.#end = new ProgramEnd(deps.clock);
  }

  get stage(): Stage {
    return reduce(this.journal.facts, this.observation.snapshot);
  }

  get isMine(): boolean {
    const { owner } = this.stage;
    return owner === undefined || owner.instance === this.deps.owner.instance;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Whether something is on its way that must not be forgotten. */
  get isBusy(): boolean {
    return this.#isAsked || (this.isRunning && this.isMine);
  }

  /** Whether it is busy, or another program may leave the negotiation to this one at any moment. */
  get isWatching(): boolean {
    return this.isBusy || (this.isRunning && this.isOffered);
  }

  get isOffered(): boolean {
    return stands(this.offered, this.deps.owner.instance, this.journal.facts.adopted);
  }

  /** Whether somebody waits for it. */
  get #isAsked(): boolean {
    return this.#commands.length > 0 || !this.waiters.isEmpty;
  }

  /** Resolves once it has nothing urgent to do, that is, once it has adopted and read what a gone program left. */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  /**
   * Whether it goes on by its own timers and needs no call, because it has caught up and knows from the facts that this
   * negotiation is its own.
   */
  get isAtWork(): boolean {
    return this.isRunning && this.#isRead && this.isMine && this.hasCaughtUp;
  }

  #markCaughtUp(): void {
    this.hasCaughtUp = true;
    this.#caughtUp.resolve();
  }

  /** Begins, or goes on, doing what the plan says. */
  start(): void {
    this.#interrupt.abort(GOES_ON);
    if (this.#end.mode === "leave" && this.#commands.length === 0) return;
    if (!this.isRunning) this.#pinned = this.deps.pinBackend();
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      this.#markCaughtUp();
      if (this.#commands.length > 0) this.start();
      else this.#onIdle();
    });
  }

  /** Takes note of what somebody has read. `sinceMs` measures the time since that read began. */
  async observe(snapshot: Negotiation, sinceMs: () => number): Promise<void> {
    if (!this.#isRead) await this.refresh().catch(ignoreTowowError); // the facts say whose it is
    const before = this.stage.name;
    this.observation.show(snapshot, sinceMs);
    await noteOut(this, snapshot);
    await noteOtherText(this, snapshot);
    if (this.stage.name === before && this.isRunning) return;
    await this.#noteDeadline();
    this.start();
  }

  async refresh(): Promise<void> {
    const number = this.pending?.number ?? 0;
    const before = this.journal.facts.decided[number - 1];
    const { decided, undone } = await this.journal.refresh().catch((error) => {
      // What no store has taken stands in memory alone, and there is nothing to learn about it.
      if (error instanceof TowowError && this.journal.holdsUnwrittenNo) return this.journal.facts;
      throw error;
    });
    this.#isRead = true;
    const isOpenAgain = undone.has(number) && undone.get(number)?.why !== "too_late";
    if (before === undefined || (isSameDecision(before, decided[number - 1]) && !isOpenAgain)) return;
    // Taken back by another program: what was tried for it says nothing about the next one.
    this.waiters.answer(number, {
      error:
        this.pending?.error ?? new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: this.key.id }),
    });
    this.pending = undefined;
  }

  async isOvertaken(decision: Decision): Promise<boolean> {
    if (confirms(decision)) {
      // A yes waits for its store: how old the facts are, no clock of a program that was stopped can tell.
      const isRead = await this.inTime(() => this.refresh().then(() => true));
      if (isRead === undefined) return true;
    } else if (this.journal.ageMs > TIMES.factsFreshMs) await this.inTime(() => this.refresh());
    return !this.isMine || this.stage.decision?.number !== decision.number;
  }

  /**
   * Gives what a store answers within a second, or undefined if it fails or takes longer, so that a store holds nothing
   * up for ever.
   */
  async inTime<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { clock, policy } = this.deps;
    const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
    const cancelTimer = clock.after(withinMargin(policy(), TIMES.storeAnswerMs), () => resolve(undefined));
    return Promise.race([work().catch(ignoreTowowError), tooLate]).finally(cancelTimer);
  }

  /**
   * Runs something while no step of the plan is taken. A call that still waits for its turn at the limit ends with the
   * limit's reason. Its `work` is run later, finds the limit past, and decides nothing.
   */
  enqueue<T>(work: () => Promise<T>, limit?: AbortSignal): Promise<T> {
    if (this.#end.mode !== "running") return Promise.reject(new Failure("tool.negotiation.unavailable.shutting_down"));
    if (limit?.aborted) return Promise.reject(limit.reason);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const leave = () => reject(limit?.reason);
    limit?.addEventListener("abort", leave, { once: true });
    this.#commands.push(() => {
      limit?.removeEventListener("abort", leave);
      return work().then(resolve, reject);
    });
    this.start();
    return promise;
  }

  /**
   * Does the same for a person's no, until it is noted. If the call that brought it leaves at its limit the noting goes
   * on, and the program's end waits for it.
   * @throws OutcomeUnknown at the limit
   */
  enqueueNo<T>(work: () => Promise<T>, limit: AbortSignal | undefined): Promise<T> {
    const noted = this.enqueue(work);
    this.#noes.add(noted);
    const forget = () => void this.#noes.delete(noted);
    noted.then(forget, forget);
    return orUnknown(noted, "action", limit);
  }

  /** Resolves once every no that has been said is noted, or refused. */
  async noesNoted(): Promise<void> {
    await Promise.allSettled(this.#noes);
  }

  /** True while a person's no is on its way from here. Another program would carry out one that is written down, but only if it runs. */
  get carriesNo(): boolean {
    const { stage } = this;
    return this.#noes.size > 0 || (stage.name === "cancelling" && this.isMine && isPersonsNo(stage.decision));
  }

  /** True while this program ends and withdraws it, and nothing shows yet that it is withdrawn. */
  get isUnwithdrawn(): boolean {
    return this.#end.mode === "withdraw" && this.isMine && this.#isOpen;
  }

  get #isOpen(): boolean {
    const { stage } = this;
    return stage.isOwn && (isUndecided(stage) || stage.name === "cancelling");
  }

  /** True while such a no is not written down anywhere, so that it is lost if this program ends. */
  get holdsNo(): boolean {
    return this.#noes.size > 0 || (this.journal.holdsUnwrittenNo && this.stage.name === "cancelling");
  }

  /**
   * Resolves with what comes of a decision that has just been written here. It may fail with the first try although a
   * later one succeeds.
   */
  effectOf(decision: Pick<Decision, "number" | "kind">, input: DecisionInput, limit?: AbortSignal): Promise<Effect> {
    this.begin(decision.number, input);
    const effect = this.waiters.wait(decision, limit);
    effect.catch(() => {}); // A call that left at its limit takes none: a later result says what came of it.
    return effect;
  }

  begin(number: number, input: DecisionInput = {}): PendingDecision {
    this.pending = { number, tries: 0, last: "none", sinceTryMs: () => LONG_AGO_MS, ...input };
    return this.pending;
  }

  async read(requestId?: string, limit?: AbortSignal): Promise<Negotiation> {
    const sinceMs = this.observation.beginRead();
    try {
      const client = await this.backend({ requestId, isCall: requestId !== undefined });
      const ended = this.#end.signal;
      const signal = limit === undefined ? ended : AbortSignal.any([ended, limit]);
      const bounds = { timeoutMs: this.timeoutMs("read"), signal };
      const snapshot = await client.getNegotiation(this.key.id, bounds);
      this.observation.show(snapshot, sinceMs);
      await noteOut(this, snapshot);
      await this.#noteDeadline();
      return snapshot;
    } catch (error) {
      if (error instanceof UnknownNegotiation) this.observation.showNotFound();
      throw error;
    } finally {
      this.observation.endRead();
    }
  }

  timeoutMs(step: "read" | "confirm" | "cancel"): number {
    return Math.min(this.#end.timeoutMs, timeoutMs(step, { leftMs: this.leftMs() }, this.deps.policy()));
  }

  leftMs(): number | undefined {
    return this.#deadline.of(this.stage)?.leftMs();
  }

  async sleep(ms: number): Promise<void> {
    const { signal } = this.#interrupt;
    await this.deps.clock.sleep(ms, signal).catch((error) => {
      if (!signal.aborted) throw error;
    });
  }

  /**
   * The program ends. `withdraw`: what is undecided, or not seen to have arrived, is withdrawn, which a server tries for
   * less than a minute and a command, which nobody kills, until the deadline; what others answer for, only if they are
   * gone. A person's no is tried until the deadline by every program, because there may be no other that finds it.
   * `to_keeper`: the same, but for what another program has offered to answer for. `leave`: what is on its way may
   * finish, and an edit whose text nobody else has is tried for some seconds.
   * Resolves when nothing is on its way, with whether all that was to be withdrawn is.
   */
  async end(how: "withdraw" | "to_keeper" | "leave"): Promise<boolean> {
    const { policy, log } = this.deps;
    await takeOfferBack(this).catch(ignoreTowowError);
    const isKept = how === "to_keeper" && !this.#isAsked && (await leaveToKeeper(this).catch(() => false));
    const isOnlyHere = this.journal.holdsUnwrittenNo;
    const isLeftOn = how === "leave" || isKept || (await isWatchedElsewhere(this));
    const withdraws = isOnlyHere || (!isLeftOn && this.isRunning);
    const untilDeadlineMs = Math.max(TIMES.lastTriesMs, this.leftMs() ?? 0);
    const isPatient = policy().isOneShot || isOnlyHere || this.carriesNo;
    const withdrawalMs = isPatient ? untilDeadlineMs : TIMES.lastWithdrawalsMs;
    await this.#end.run(withdraws ? "withdraw" : "leave", {
      lastMs: withdraws ? withdrawalMs : TIMES.lastTriesMs,
      goOn: () => this.#interrupt.abort(GOES_ON),
      running: this.#running,
    });
    await this.journal.settleLateWrites(TIMES.lastTriesMs);
    this.#markCaughtUp(); // one that never began has nothing to catch up with
    const { key, pending } = this;
    const isDone = !withdraws || !this.isMine || !this.#isOpen;
    if (!isDone) log.warn("withdrawal_unfinished", { negotiation_id: key.id, error: failureOf(pending?.error) });
    return isDone;
  }

  async #run(): Promise<void> {
    for (;;) {
      this.#interrupt = new AbortController();
      const command = this.#commands.shift();
      if (command !== undefined) {
        await command();
        if (!this.#isDue) continue;
      }
      const isLastChance = this.#end.leftMs > 0 && isEditOnlyHere(this.stage, this.journal.facts, this.pending);
      if (this.#end.isOver)
        this.waiters.answerAll({
          error: this.pending?.error ?? new Failure("tool.negotiation.unavailable.shutting_down"),
        });
      if (this.#end.mode === "leave" && this.waiters.isEmpty && !isLastChance) return;
      this.#answerLate();
      const step = await this.#next();
      // The facts have only now shown whose it is: at the end, what others answer for is left to them.
      const adopts = step.do === "adopt" && this.#end.mode === "withdraw";
      const isOthers = !this.isMine && !adopts;
      if (this.#end.mode !== "running" && isOthers && this.waiters.isEmpty && this.#commands.length === 0) return;
      if (step.do === "idle") {
        if (this.#commands.length > 0) continue; // it came while the plan was asked
        return this.#release();
      }
      if (step.do === "wait") {
        this.#markCaughtUp();
        if (this.#commands.length === 0)
          await this.sleep(this.journal.awaitsLateWrite ? Math.min(step.ms, TIMES.lateWriteCheckMs) : step.ms);
      } else await this.#take(step);
    }
  }

  /** Near the deadline the plan has its turn after each command, because many slow ones must not use up the margin. */
  get #isDue(): boolean {
    const leftMs = this.leftMs();
    return this.#end.mode === "running" && leftMs !== undefined && leftMs <= marginMs(this.deps.policy());
  }

  /** A confirm that shows no effect goes on, but nobody should wait for it. */
  #answerLate(): void {
    const { pending } = this;
    if (pending?.last === "unknown" && pending.sinceTryMs() >= TIMES.effectReadForMs)
      this.waiters.answer(pending.number, { error: pending.error });
  }

  async #next(): Promise<Step> {
    const { deps } = this;
    try {
      // Only they know what they have done since; what may come late does not hold the deadline up.
      if (!this.#isRead || !this.isMine) await this.refresh();
      else if (this.journal.awaitsLateWrite || this.#isLeft) await this.refresh().catch(ignoreTowowError);
      const { owner } = this.stage;
      const isOwnerAlive = owner === undefined || this.isMine || (await deps.isAlive(owner));
      return next(this.stage, this.#planInput(isOwnerAlive), deps.policy());
    } catch (error) {
      deps.log.warn("supervisor_cannot_tell", { negotiation_id: this.key.id, error: failureOf(error) });
      return this.#end.mode === "running" ? { do: "wait", ms: TIMES.ownerCheckMs } : { do: "idle" };
    }
  }

  /** Whether it is left to the backend, until any program notes that its person declined the page. */
  get #isLeft(): boolean {
    return isUndecided(this.stage) && isLeftToBackend(this.stage, this.deps.policy());
  }

  /** Does one step of the plan. What it throws is logged, and the plan is asked again. */
  async #take(step: ToTake): Promise<void> {
    try {
      await this.#do(step);
    } catch (error) {
      const about = { negotiation_id: this.key.id, step: step.do };
      this.deps.log.warn("supervisor_step_failed", { ...about, error: failureOf(error) });
      await this.sleep(withinMargin(this.deps.policy(), TIMES.cancelRetryMs));
    }
  }

  async #do(step: ToTake): Promise<unknown> {
    switch (step.do) {
      case "read":
        return this.read().catch(ignoreTowowError); // a failed read is one: the plan knows when the last was
      case "offer":
        return offerToKeep(this);
      case "adopt":
        await adopt(this);
        return this.read().catch(ignoreTowowError); // nobody may have looked at it for long
      case "withdraw":
        return withdrawUndecided(this, step.by);
      case "confirm":
        return confirm(this);
      case "cancel":
        return cancel(this);
      case "conclude":
        return conclude(this);
      case "undo":
        return undo(this, step.why);
      case "abandon":
        return abandon(this);
    }
  }

  #release(): void {
    this.#markCaughtUp();
    const isEnding = this.#end.mode !== "running";
    const settled = isEnding
      ? new Failure("tool.negotiation.unavailable.shutting_down")
      : new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: this.key.id }); // by another program
    this.waiters.answerAll({ error: this.pending?.error ?? settled });
    if (this.stage.owner === undefined) this.#isRead = false; // it may have been written down since
    this.observation.snapshot = undefined; // it may be large, and what matters of it is written
  }

  /** What this program has seen, as the plan asks for it. */
  #planInput(isOwnerAlive: boolean): PlanInput {
    const { stage, isMine, observation, deps } = this;
    const { decision } = stage;
    const own = this.pending?.number === decision?.number ? this.pending : undefined;
    const deadline = this.#deadline.of(stage);
    const now = deps.clock.now();
    return {
      isMine,
      isOwnerAlive,
      isOffered: this.isOffered,
      isWithdrawingAtEnd: this.#end.mode === "withdraw",
      ownerAgeMs: Math.abs(now - (stage.ownerSince ?? 0)),
      leftMs: deadline?.leftMs(),
      leftAtMostMs: deadline?.leftAtMostMs(),
      sinceReadMs: observation.sinceReadMs,
      sinceAnswerMs: observation.sinceAnswerMs,
      sinceRequestMs: observation.sinceRequestMs,
      sinceRequestEndMs: observation.sinceRequestEndMs,
      notFoundMs: observation.notFoundMs,
      decisionAgeMs: decision === undefined ? 0 : Math.abs(now - decision.at),
      attempt: attemptOf(own),
      text: textState(decision, own, observation.snapshot, deps.hash),
      isDecidedHere: own !== undefined,
    };
  }

  /** Writes the deadline down. Of another program's negotiation that program writes it. */
  async #noteDeadline(): Promise<void> {
    if (this.isMine) await this.#deadline.note(this.stage);
  }
}

/** Whether the program runs on or ends, and what becomes of what is undecided then. */
type EndMode = "running" | "withdraw" | "leave";

/** The program's end, as the supervisor of one negotiation meets it. */
export class ProgramEnd {
  readonly #clock: Clock;
  #mode: EndMode = "running";
  #requests = new AbortController();
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get mode(): EndMode {
    return this.#mode;
  }

  /** Whether nothing is tried any more. */
  get isOver(): boolean {
    return this.#mode !== "running" && this.leftMs === 0;
  }

  /** Ends a request that can be given up; its reason is `tool.negotiation.unavailable.shutting_down`. */
  get signal(): AbortSignal {
    return this.#requests.signal;
  }

  /** How long this program may still try what no other can finish, in milliseconds. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - this.#clock.monotonic());
  }

  /** The longest that a request may take now, in milliseconds. A request that is begun gets the time to arrive. */
  get timeoutMs(): number {
    return Math.max(this.leftMs, TIMES.urgentCancelTimeoutMs);
  }

  /**
   * Aborts the read that is under way, wakes the supervisor with `goOn`, and waits up to `lastMs` for `running` and
   * then for the request in flight. What could not be withdrawn by then is left.
   */
  async run(
    mode: Exclude<EndMode, "running">,
    { lastMs, goOn, running }: { lastMs: number; goOn: () => void; running: Promise<void> | undefined },
  ): Promise<void> {
    this.#mode = mode;
    this.#requests.abort(new Failure("tool.negotiation.unavailable.shutting_down"));
    this.#endsAt = this.#clock.monotonic() + lastMs;
    this.#requests = new AbortController();
    const cancelTimer = this.#clock.after(lastMs, () => {
      this.#mode = "leave";
      this.#requests.abort(new Failure("tool.negotiation.unavailable.shutting_down"));
      goOn();
    });
    goOn();
    await running;
    cancelTimer();
  }
}
