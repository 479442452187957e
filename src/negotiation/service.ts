import type { Negotiation } from "../backend/contract.ts";
import { stopwatch } from "../clock.ts";
import { consistentWith } from "../feed/consistent.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../feed/evidence.ts";
import type { Feeds } from "../feed/feeds.ts";
import { formulatedText, phaseOf } from "./backend-states.ts";
import { type Call, CallLimit, orUndefined, orUnknown } from "./call-limit.ts";
import type { CoreDeps } from "./core-deps.ts";
import { cancel, type DecisionRequest, type DecisionResult, decide } from "./decide.ts";
import { OtherBackend } from "./errors.ts";
import { type Asked, type DecidedBy, type Facts, factName, factsOf, type NegotiationKey } from "./facts.ts";
import { decideBy, FRESH_MS, type Question, waiting } from "./open-questions.ts";
import { runsOut } from "./plan/deadline-guard.ts";
import { type Pollers, type WaitOptions, Watcher } from "./polling/watcher.ts";
import { unreportedNotes } from "./records.ts";
import { type AtEnd, Registry } from "./registry.ts";
import { Reviews } from "./reviews.ts";
import { effectiveDecision, reduce, type Stage } from "./stage.ts";
import { Submission, type SubmitInput, type SubmitOptions, type Submitted } from "./submission.ts";
import { TaskFacts } from "./task-facts.ts";

/** How often another surface's decision is looked for. */
const DECISION_LOOK_MS = 250;

export interface NegotiationsDeps extends Omit<CoreDeps, "nudge"> {
  pollers: Pollers;
  /** The pollers serve other users as well, and outlive this one. */
  isShared?: boolean;
  /** What the backend's feed says, where it is listened to. */
  feeds?: Feeds | undefined;
}

/** What all calls of one user share. */
interface Shared {
  deps: CoreDeps;
  watcher: Watcher;
  registry: Registry;
  submission: Submission;
  feeds?: Feeds | undefined;
  /** Ids that are not another backend's. */
  known: Set<string>;
}

/** One user's negotiations at one backend: the only place where they are put together. */
export function createNegotiations({ pollers, isShared = false, feeds, ...rest }: NegotiationsDeps): Negotiations {
  const watcher: Watcher = new Watcher({
    pollers,
    shared: isShared,
    get: (id, signal, requestId) => negotiations.forCall({ signal, requestId }).get(id),
  });
  const deps = { ...rest, nudge: (id: string) => watcher.nudge(id) };
  const registry = new Registry(deps);
  const submission = new Submission(deps, registry);
  const negotiations = new Negotiations({ deps, watcher, registry, submission, feeds, known: new Set() });
  return negotiations;
}

/** Everything that happens to the user's negotiations, for tools of both modes, pages and commands. */
export class Negotiations {
  /** What is written down of background tasks. */
  readonly tasks: TaskFacts;
  readonly #shared: Shared;
  readonly #call: Call;
  readonly #limit: CallLimit;
  /** What one call read last, by id: what its result owes the person is found there. */
  readonly #lastRead: Map<string, Facts> | undefined;

  /** Since the call began: what was seen before it may not be true any more. */
  readonly #sinceBegunMs: (() => number) | undefined;

  constructor(shared: Shared, call?: Call) {
    this.tasks = new TaskFacts(shared.deps);
    this.#shared = shared;
    this.#call = call ?? {};
    this.#limit = new CallLimit(shared.deps.clock, call?.budgetMs);
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

  /** Hash under which texts are compared. */
  hash(text: string): string {
    return this.#deps.hash(text);
  }

  /** @see Submission.submit. At the call's limit it goes on, guarded, and the call ends. @throws OutcomeUnknown then */
  async submit(input: SubmitInput, options: Omit<SubmitOptions, "requestId"> = {}): Promise<Submitted> {
    const operation = "submitDemand";
    const work = this.#shared.submission.submit(input, { ...options, requestId: this.#call.requestId });
    const submitted = await this.#limit.within(operation, (limit) => orUnknown(work, operation, limit));
    this.#shared.known.add(submitted.id);
    return submitted;
  }

  /** Reads one negotiation and takes note of where it stands: every look of a call comes through here. */
  async get(id: string): Promise<Negotiation> {
    await this.refuseOthers(id);
    return this.#limit.within("getNegotiation", async (limit) => {
      const signals = [this.#call.signal, limit].filter((signal) => signal !== undefined);
      const sinceMs = stopwatch(this.#deps.clock);
      const backend = await this.#deps.backend(this.#call.requestId);
      const negotiation = await backend.getNegotiation(id, { signal: AbortSignal.any(signals) });
      const supervisor = this.#shared.registry.of(this.#key(id));
      await supervisor.observe(negotiation, sinceMs);
      await orUndefined(supervisor.caughtUp, limit);
      const phase = phaseOf(negotiation.state);
      if (phase !== "before") this.#shared.feeds?.follow(id, phase === "over");
      return negotiation;
    });
  }

  /** Results that the person should look at a second time. */
  get reviews(): Reviews {
    const { facts, clock, log, origin } = this.#deps;
    return new Reviews({ facts, clock, log, origin });
  }

  /** What the feed has said of it so far, as far as it agrees with the backend's own answer. Nothing waits for it. */
  evidence(negotiation: Negotiation): FeedEvidence {
    const { feeds, deps } = this.#shared;
    const known = feeds?.evidence(negotiation.negotiation_id) ?? NO_EVIDENCE;
    return consistentWith(negotiation, known, deps.hash);
  }

  /** What the backend showed at most `maxAgeMs` ago, else a new look at it. */
  async recent(id: string, maxAgeMs: number): Promise<Negotiation> {
    const { snapshot, sinceReadMs = Number.POSITIVE_INFINITY } = this.#shared.registry.of(this.#key(id)).observation;
    return snapshot !== undefined && sinceReadMs <= maxAgeMs ? snapshot : this.get(id);
  }

  /** Everything that is written down here, of every origin. */
  known(): Promise<NegotiationKey[]> {
    return this.#deps.facts.list();
  }

  /** What the backend showed this program last; undefined where it has shown nothing yet. */
  lastSeen(id: string): Negotiation | undefined {
    return this.#shared.registry.of(this.#key(id)).observation.snapshot;
  }

  /** Before anything about this id is sent. @throws OtherBackend when it is known to be another backend's. */
  async refuseOthers(id: string): Promise<void> {
    const { facts, origin } = this.#deps;
    const { known } = this.#shared;
    if (known.has(id)) return;
    const isOurs = (await facts.read(this.#key(id))).size > 0;
    const other = isOurs ? undefined : (await facts.list()).find((key) => key.id === id && key.origin !== origin);
    if (other !== undefined) throw new OtherBackend({ negotiation_id: id, host: new URL(other.origin).host });
    known.add(id);
  }

  /** What this user's programs wrote down about one negotiation. */
  async facts(id: string): Promise<Facts> {
    const facts = factsOf(await this.#deps.facts.read(this.#key(id)));
    this.#lastRead?.set(id, facts);
    return facts;
  }

  /** The same from memory, for what is said on the way: another program may know more. */
  stageInMemory(id: string, negotiation: Negotiation): Stage {
    return reduce(this.#shared.registry.of(this.#key(id)).journal.facts, negotiation);
  }

  /** Where a negotiation stands, from what is written here and, where given, what the backend just showed. */
  async stage(id: string, negotiation?: Negotiation): Promise<Stage> {
    return reduce(await this.facts(id), negotiation);
  }

  /**
   * Writes down the question that is about to be shown, before it is shown. The same text keeps its question, so that
   * two readers hold the same id; one about another text stays open beside it, because somebody may be reading it.
   */
  async question(negotiation: Negotiation, shownText: string): Promise<Question> {
    const { hash, newId, clock } = this.#deps;
    const id = negotiation.negotiation_id;
    const supervisor = this.#shared.registry.of(this.#key(id));
    const ask = async (): Promise<Asked> => {
      await supervisor.refresh();
      const { round, questions } = supervisor.stage;
      const shown_hash = hash(shownText);
      const formulated_hash = hash(formulatedText(negotiation));
      const current = questions.find((q) => q.shown_hash === shown_hash && q.formulated_hash === formulated_hash);
      if (current !== undefined) return current;
      const fact = { at: clock.now(), question_id: newId(), round, shown_hash, formulated_hash };
      const name = factName.asked(round, hash(shown_hash + formulated_hash).slice(0, 16));
      return (await supervisor.journal.claim(name, fact)).current as Asked;
    };
    const asked = await this.#limit.within("getNegotiation", (limit) => supervisor.alone(ask, limit));
    const { stage } = supervisor;
    const { deadlineAt } = stage;
    const due = decideBy(supervisor, stage);
    return { id: asked.question_id, negotiationId: id, decideBy: due, deadlineAt, runsOut: this.runsOut(stage) };
  }

  /** @see decide in decide.ts */
  decide(request: DecisionRequest): Promise<DecisionResult> {
    const supervisor = this.#shared.registry.of(this.#key(request.negotiationId));
    const { requestId } = this.#call;
    const operation = request.kind === "reject" ? "action" : "confirm";
    return this.#limit.within(operation, (limit) => decide(supervisor, request, { requestId, limit }));
  }

  /** Cancels a negotiation that the person no longer wants, decided or not. @throws what the backend answered */
  cancel(id: string, by: DecidedBy, payload?: Record<string, unknown>): Promise<Negotiation> {
    const supervisor = this.#shared.registry.of(this.#key(id));
    const { requestId } = this.#call;
    return this.#limit.within("action", (limit) => cancel(supervisor, by, { payload, requestId, limit }));
  }

  /** @see Watcher.wait */
  wait(id: string, options: Omit<WaitOptions, "signal" | "requestId">) {
    const { requestId, signal } = this.#call;
    return this.#shared.watcher.wait(id, { ...options, requestId, signal });
  }

  /** Calls `next` after each look of this user until the returned function is called. */
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
    while (effectiveDecision(await this.facts(id)) === undefined) {
      if (elapsedMs() >= budgetMs) return false;
      await clock.sleep(DECISION_LOOK_MS, this.#call.signal);
    }
    return true;
  }

  /** The time by which the person must decide on a negotiation, ms since the epoch; by the deadline as it is measured. */
  async decideBy(id: string): Promise<number | undefined> {
    return decideBy(this.#shared.registry.of(this.#key(id)), await this.stage(id));
  }

  /** Whether an undecided one is left to the backend; else it is withdrawn before the deadline. */
  runsOut(stage: Stage): boolean {
    return runsOut(stage, this.#deps.policy());
  }

  /** Own negotiations that wait for a decision, newest first; each has been looked at a moment ago. */
  waiting(): Promise<Question[]> {
    const maxAgeMs = Math.min(FRESH_MS, this.#sinceBegunMs?.() ?? FRESH_MS);
    const { requestId } = this.#call;
    return this.#limit.within("getNegotiation", (limit) => waiting(this.#shared, { requestId, maxAgeMs, limit }));
  }

  /** Whether this very program submitted it. */
  isFromThisProgram(id: string): boolean {
    return this.#shared.submission.isOwn(id);
  }

  /** Own negotiations that this program submitted and that still wait for a decision, newest first. */
  async leftOpen(): Promise<Question[]> {
    return (await this.waiting()).filter(({ negotiationId }) => this.#shared.submission.isOwn(negotiationId));
  }

  /** Whether a running program watches the deadline; without one, nothing withdraws the demand before it. */
  isWatched(stage: Stage): Promise<boolean> {
    return this.#shared.registry.isWatched(stage);
  }

  /** Codes that have not been reported to the person yet; each is reported once. */
  async takeNotes(id: string): Promise<string[]> {
    const { facts: store, clock } = this.#deps;
    const key = this.#key(id);
    const facts = this.#lastRead?.get(id) ?? (await this.facts(id));
    const isWatched = await this.isWatched(reduce(facts));
    const owed = unreportedNotes(facts).filter(({ code }) => code !== "pause_was_unguarded" || isWatched);
    const at = clock.now();
    await Promise.all(owed.map(({ name }) => store.create(key, factName.reported(name), { at })));
    if (owed.length > 0) this.#lastRead?.delete(id);
    return owed.map(({ code }) => code);
  }

  /** Takes up what killed programs left, and waits for it for some seconds at most. */
  recover(): Promise<void> {
    return this.#shared.registry.look();
  }

  /** The same in the background, if nothing has yet: a program that stays may never be called. */
  recoverSoon(): void {
    if (!this.#shared.registry.hasLooked) void this.recover();
  }

  /** Whether anything here must not be forgotten yet: a deadline that is watched, a decision on its way. */
  get isBusy(): boolean {
    return this.#shared.registry.isBusy || this.#shared.submission.running.length > 0;
  }

  /**
   * At the first sign of the end: what is undecided is withdrawn at once (by default as the policy has it), what is on
   * its way is let finish (contract §6). The caller bounds the time.
   */
  async shutdown(atEnd: AtEnd = this.#deps.policy().onUnconfirmed === "cancel" ? "withdraw" : "leave"): Promise<void> {
    const { registry, submission, watcher, feeds } = this.#shared;
    feeds?.close();
    if (atEnd === "withdraw" || atEnd === "withdraw_own") submission.close();
    await Promise.allSettled([registry.end(atEnd, (key) => submission.isOwn(key.id)), ...submission.running]);
    watcher.close();
  }
}
