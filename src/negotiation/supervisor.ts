import type { Negotiation } from "../backend/contract.ts";
import { UnknownNegotiation } from "../backend/errors.ts";
import type { Clock } from "../clock.ts";
import { Failure, ignoreTowowError, TowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import { type CoreDeps, orUnknown, type PinnedBackend } from "./core.ts";
import { isSameDecision, type NegotiationKey } from "./facts.ts";
import { Journal } from "./journal.ts";
import { adopt, beginStandby, endStandby, goesBackToEarlierOwner, isStandbyOpen, leaveToKeeper } from "./keeper.ts";
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

/** The reason with which a sleep ends early. One object serves every abort. */
const GOES_ON = new Error("the supervisor goes on");

/**
 * Looks after one negotiation while this program runs, with one queue and one timer. A supervisor does what the plan
 * says and writes down the results. Nothing else sends a confirm or a cancel, except the cancel for an id that cannot
 * be used.
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
  standbyNumber = 0;
  #pinned: PinnedBackend;
  readonly #onIdle: () => void;
  /** True if the facts that other programs wrote earlier have been read. */
  #isRead: boolean;
  /** The commands that wait to run, the oldest first. No step of the plan is taken while one runs. */
  readonly #commands: (() => Promise<void>)[] = [];
  /** The noes that a person has said and that are not noted yet. */
  readonly #noes = new Set<Promise<unknown>>();
  readonly #deadline: MeasuredDeadline;
  readonly #end: ProgramEnd;
  /** True if the negotiation was to be withdrawn at this program's end, even if the program has given up by now. */
  #withdrawsAtEnd = false;
  #interrupt = new AbortController();
  readonly #caughtUp = Promise.withResolvers<void>();
  hasCaughtUp = false;
  #running: Promise<void> | undefined;

  /** `isNew` says that no facts about the negotiation can exist yet. */
  constructor(key: NegotiationKey, deps: CoreDeps, { isNew, onIdle }: { isNew: boolean; onIdle: () => void }) {
    this.key = key;
    this.#isRead = isNew;
    this.deps = deps;
    this.#pinned = deps.pinBackend();
    this.#onIdle = onIdle;
    this.journal = new Journal(key, deps, deps.facts);
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

  /** Returns whether this supervisor still has something to finish that must not be lost. */
  get isBusy(): boolean {
    return this.#isAsked || (this.isRunning && this.isMine);
  }

  /** Returns whether the supervisor is busy, or another program may leave the negotiation to this one at any moment. */
  get needsHeartbeat(): boolean {
    return this.isBusy || (this.isRunning && this.isOnStandby);
  }

  get isOnStandby(): boolean {
    return isStandbyOpen(this.standbyNumber, this.deps.owner.instance, this.journal.facts.adopted);
  }

  /** Returns whether a call waits for this supervisor. */
  get #isAsked(): boolean {
    return this.#commands.length > 0 || !this.waiters.isEmpty;
  }

  /**
   * Resolves once nothing urgent is left to do, that is, once the supervisor has adopted and read what a program that
   * is gone left behind.
   */
  get caughtUp(): Promise<void> {
    return this.#caughtUp.promise;
  }

  /**
   * Returns whether the supervisor goes on by its own timers and needs no call, because it has caught up and knows from
   * the facts that this program answers for the negotiation.
   */
  get isAtWork(): boolean {
    return this.isRunning && this.#isRead && this.isMine && this.hasCaughtUp;
  }

  #markCaughtUp(): void {
    this.hasCaughtUp = true;
    this.#caughtUp.resolve();
  }

  /** Starts or continues to do what the plan says. */
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

  /** Records what a read showed. `sinceMs` measures the time since that read began. */
  async observe(snapshot: Negotiation, sinceMs: () => number): Promise<void> {
    if (!this.#isRead) await this.refresh().catch(ignoreTowowError); // The facts say which program answers for the negotiation.
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
      // A no that no store has taken exists in memory alone, so there is nothing to learn about it.
      if (error instanceof TowowError && this.journal.holdsUnwrittenNo) return this.journal.facts;
      throw error;
    });
    this.#isRead = true;
    const isOpenAgain = undone.has(number) && undone.get(number)?.why !== "too_late";
    if (before === undefined || (isSameDecision(before, decided[number - 1]) && !isOpenAgain)) return;
    // Another program undid the decision, so what was tried for it says nothing about the next one.
    this.waiters.answer(number, {
      error:
        this.pending?.error ?? new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: this.key.id }),
    });
    this.pending = undefined;
  }

  async isOvertaken(decision: Decision): Promise<boolean> {
    if (confirms(decision)) {
      // A yes waits for its store, because a program that was stopped and resumed cannot tell by any clock how old its
      // facts are.
      const isRead = await this.inTime(() => this.refresh().then(() => true));
      if (isRead === undefined) return true;
    } else if (this.journal.ageMs > TIMES.factsFreshMs) await this.inTime(() => this.refresh());
    return !this.isMine || this.stage.decision?.number !== decision.number;
  }

  /**
   * Returns what a store answers within a second at most, or undefined if the store fails or takes longer, so that no
   * store delays anything forever.
   */
  async inTime<T>(work: () => Promise<T>): Promise<T | undefined> {
    const { clock, policy } = this.deps;
    const { promise: tooLate, resolve } = Promise.withResolvers<undefined>();
    const cancelTimer = clock.after(withinMargin(policy(), TIMES.storeAnswerMs), () => resolve(undefined));
    return Promise.race([work().catch(ignoreTowowError), tooLate]).finally(cancelTimer);
  }

  /**
   * Runs `work` while no step of the plan is taken. If the call's turn has not come by the limit, the call ends with
   * the limit's reason. Its `work` still runs later, sees that the limit has passed, and decides nothing.
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
   * Runs `work` for a person's no, until the no is noted. If the call that brought the no leaves at its limit, the work
   * goes on, and the program's end waits for it.
   * @throws OutcomeUnknown at the limit
   */
  enqueueNo<T>(work: () => Promise<T>, limit: AbortSignal | undefined): Promise<T> {
    const noted = this.enqueue(work);
    this.#noes.add(noted);
    const forget = () => void this.#noes.delete(noted);
    noted.then(forget, forget);
    return orUnknown(noted, "action", limit);
  }

  /** Resolves once every no that has been said is noted or refused. */
  async noesNoted(): Promise<void> {
    await Promise.allSettled(this.#noes);
  }

  /**
   * Returns whether this program is still carrying out a person's no. Another program would carry out a no that is
   * written down, but only if such a program runs.
   */
  get carriesNo(): boolean {
    const { stage } = this;
    return this.#noes.size > 0 || (stage.name === "cancelling" && this.isMine && isPersonsNo(stage.decision));
  }

  /**
   * Returns whether this program's end was to withdraw the negotiation, and nothing shows yet that it is withdrawn.
   */
  get isUnwithdrawn(): boolean {
    const { stage } = this;
    return this.#withdrawsAtEnd && this.isMine && stage.isOwn && (isUndecided(stage) || stage.name === "cancelling");
  }

  /** Returns whether a person's no is not written down anywhere, so that it would be lost if this program ended. */
  get holdsNo(): boolean {
    return this.#noes.size > 0 || (this.journal.holdsUnwrittenNo && this.stage.name === "cancelling");
  }

  /**
   * Resolves with the effect of a decision that this program has just written. The promise may reject after the first
   * try although a later try succeeds.
   */
  effectOf(decision: Pick<Decision, "number" | "kind">, input: DecisionInput, limit?: AbortSignal): Promise<Effect> {
    this.begin(decision.number, input);
    const effect = this.waiters.wait(decision, limit);
    effect.catch(() => {}); // A call that left at its limit does not take the effect. A later result reports it.
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
   * Ends the supervisor with the program, and resolves, once nothing is on its way, with whether everything that was to
   * be withdrawn is withdrawn.
   * - `withdraw`: everything that is undecided, or not seen to have arrived, is withdrawn. A server tries for less than
   *   a minute, and a command, which nobody kills, until the deadline. A negotiation that another program answers for
   *   is withdrawn only if that program is gone. Every program tries a person's no until the deadline, because there
   *   may be no other program that finds it.
   * - `to_keeper`: as `withdraw`, except for what another program stands by for.
   * - `leave`: what is on its way may finish. An edit whose text no other program has is tried for some seconds.
   */
  async end(how: "withdraw" | "to_keeper" | "leave"): Promise<boolean> {
    const { policy, log } = this.deps;
    await endStandby(this).catch(ignoreTowowError);
    const isKept = how === "to_keeper" && !this.#isAsked && (await leaveToKeeper(this).catch(() => false));
    const isOnlyHere = this.journal.holdsUnwrittenNo;
    const isLeftOn = how === "leave" || isKept || (await goesBackToEarlierOwner(this));
    const withdraws = isOnlyHere || (!isLeftOn && this.isRunning);
    this.#withdrawsAtEnd = withdraws;
    const untilDeadlineMs = Math.max(TIMES.lastTriesMs, this.leftMs() ?? 0);
    const isPatient = policy().isOneShot || isOnlyHere || this.carriesNo;
    const withdrawalMs = isPatient ? untilDeadlineMs : TIMES.lastWithdrawalsMs;
    await this.#end.run(withdraws ? "withdraw" : "leave", {
      lastMs: withdraws ? withdrawalMs : TIMES.lastTriesMs,
      goOn: () => this.#interrupt.abort(GOES_ON),
      running: this.#running,
    });
    await this.journal.settleLateWrites(TIMES.lastTriesMs);
    this.#markCaughtUp(); // A supervisor that never began has nothing to catch up with.
    const { key, pending, isUnwithdrawn } = this;
    if (isUnwithdrawn) log.warn("withdrawal_unfinished", { negotiation_id: key.id, error: failureOf(pending?.error) });
    return !isUnwithdrawn;
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
      // Only now do the facts show who answers for the negotiation. At the end, a negotiation of another program is
      // left to it.
      const adopts = step.do === "adopt" && this.#end.mode === "withdraw";
      const isOthers = !this.isMine && !adopts;
      if (this.#end.mode !== "running" && isOthers && this.waiters.isEmpty && this.#commands.length === 0) return;
      if (step.do === "idle") {
        if (this.#commands.length > 0) continue; // The command came while the plan was asked.
        return this.#release();
      }
      if (step.do === "wait") {
        this.#markCaughtUp();
        if (this.#commands.length === 0)
          await this.sleep(this.journal.awaitsLateWrite ? Math.min(step.ms, TIMES.lateWriteCheckMs) : step.ms);
      } else await this.#take(step);
    }
  }

  /**
   * Returns whether the deadline is near. The plan then has its turn after each command, because many slow commands
   * must not use up the margin.
   */
  get #isDue(): boolean {
    const leftMs = this.leftMs();
    return this.#end.mode === "running" && leftMs !== undefined && leftMs <= marginMs(this.deps.policy());
  }

  /**
   * Answers the calls that wait for a confirm whose effect has not shown. The confirm goes on, but nobody should wait
   * for it.
   */
  #answerLate(): void {
    const { pending } = this;
    if (pending?.last === "unknown" && pending.sinceTryMs() >= TIMES.effectReadForMs)
      this.waiters.answer(pending.number, { error: pending.error });
  }

  async #next(): Promise<Step> {
    const { deps } = this;
    try {
      // If another program answers, only that program knows what it has done since. A yes that may still be written
      // late must not delay the deadline.
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

  /**
   * Returns whether the demand is left to the backend. That can change when any program notes that the person declined
   * the page.
   */
  get #isLeft(): boolean {
    return isUndecided(this.stage) && isLeftToBackend(this.stage, this.deps.policy());
  }

  /** Takes one step of the plan. An error is logged, and the plan is asked again. */
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
        // A failed read is a step too, because the plan takes into account when the last read was tried.
        return this.read().catch(ignoreTowowError);
      case "stand_by":
        return beginStandby(this);
      case "adopt":
        await adopt(this);
        return this.read().catch(ignoreTowowError); // The negotiation may not have been read for a long time.
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
    // If this program is not ending, another program has settled the negotiation.
    const settled = isEnding
      ? new Failure("tool.negotiation.unavailable.shutting_down")
      : new Failure("tool.negotiation.conflict.not_waiting", { negotiation_id: this.key.id });
    this.waiters.answerAll({ error: this.pending?.error ?? settled });
    if (this.stage.owner === undefined) this.#isRead = false; // The negotiation may have been written down since.
    this.observation.snapshot = undefined; // The snapshot may be large, and everything that matters in it is written down.
  }

  #planInput(isOwnerAlive: boolean): PlanInput {
    const { stage, isMine, observation, deps } = this;
    const { decision } = stage;
    const own = this.pending?.number === decision?.number ? this.pending : undefined;
    const deadline = this.#deadline.of(stage);
    const now = deps.clock.now();
    return {
      isMine,
      isOwnerAlive,
      isOnStandby: this.isOnStandby,
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
      text: textState(decision, own, observation.snapshot),
      isDecidedHere: own !== undefined,
    };
  }

  /** Writes the deadline down, unless another program answers for the negotiation and writes it. */
  async #noteDeadline(): Promise<void> {
    if (this.isMine) await this.#deadline.note(this.stage);
  }
}

/** Whether the program still runs, or ends and either withdraws or leaves undecided demands. */
type EndMode = "running" | "withdraw" | "leave";

/** The program's end, as the supervisor of one negotiation sees it. */
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

  /** Returns whether nothing is tried any more. */
  get isOver(): boolean {
    return this.#mode !== "running" && this.leftMs === 0;
  }

  /** Aborts the requests that can be given up, with the reason `tool.negotiation.unavailable.shutting_down`. */
  get signal(): AbortSignal {
    return this.#requests.signal;
  }

  /** Returns how long this program may still try what no other program can finish, in milliseconds. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - this.#clock.monotonic());
  }

  /**
   * Returns the longest that a request may take now, in milliseconds. A request that has begun gets the time to arrive.
   */
  get timeoutMs(): number {
    return Math.max(this.leftMs, TIMES.urgentCancelTimeoutMs);
  }

  /**
   * Aborts the current read, wakes the supervisor with `goOn`, and waits up to `lastMs` for `running`, then for the
   * request in flight. Whatever could not be withdrawn by then is left.
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
