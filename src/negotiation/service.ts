import type { Negotiation } from "../backend/contract.ts";
import { stopwatch } from "../clock.ts";
import { failureOf } from "../log.ts";
import { Cancellations } from "./cancellations.ts";
import { Deadlines, isDated } from "./deadlines.ts";
import type { NegotiationDeps } from "./deps.ts";
import { OtherBackend } from "./errors.ts";
import { Gate } from "./gate.ts";
import { Guard } from "./guard.ts";
import type { Confirmation, Decision, NegotiationRecord } from "./history.ts";
import { guardMarginMs } from "./margin.ts";
import { Missing } from "./missing.ts";
import { Observer } from "./observer.ts";
import { Recovery } from "./recovery.ts";
import { formulatedText } from "./states.ts";
import { type SubmitInput, type SubmitOptions, Submits, type Submitted } from "./submits.ts";

/** How often another surface's decision is looked for; a small file or a map, so often is cheap. */
const DECISION_LOOK_MS = 250;
/** Of each negotiation; whoever answers an older one is asked again. */
const MOST_EARLIER_QUESTIONS = 3;

/**
 * What becomes of open pauses when a program ends: all that it watches are withdrawn, or those that it submitted itself,
 * or none, so that the person can still decide on them. `hand_over`: other replicas know them and go on, also with
 * decisions that are on their way.
 */
export type AtEnd = "withdraw" | "withdraw_own" | "leave" | "hand_over";

/** Everything that happens to the user's negotiations, for tools of both modes. */
export class Negotiations {
  readonly gate: Gate;
  readonly #deps: NegotiationDeps;
  readonly #deadlines: Deadlines;
  readonly #guard: Guard;
  readonly #recovery: Recovery;
  readonly #observer: Observer;
  readonly #submits: Submits;

  constructor(deps: NegotiationDeps) {
    this.#deps = deps;
    const deadlines = new Deadlines(deps.clock);
    const missing = new Missing(deps.clock, deadlines);
    const cancellations = new Cancellations(deps, deadlines, missing);
    this.#deadlines = deadlines;
    this.#guard = new Guard(deps, cancellations, deadlines);
    this.gate = new Gate(deps, this.#guard, cancellations, deadlines);
    this.#observer = new Observer(deps, this.#guard, deadlines);
    this.#submits = new Submits(deps, this.#guard, (id, requestId) => this.get(id, undefined, requestId));
    this.#recovery = new Recovery(deps, { gate: this.gate, guard: this.#guard, cancellations, deadlines, missing });
    this.#guard.onDecided = () => void this.recover();
  }

  get watcher() {
    return this.#deps.watcher;
  }

  /** Finishes what killed processes left. A failure is logged, and the next call looks again. */
  async recover(): Promise<void> {
    await this.#recovery.run().catch((error) => this.#deps.log.warn("recovery_failed", { error: failureOf(error) }));
  }

  /**
   * The same in the background, if nothing has yet: shortly after the start of a program that stays, which may never be
   * called, and at a first call that is refused or needs no backend.
   */
  lookAfterOthers(): void {
    if (!this.#recovery.hasLooked) void this.recover();
  }

  /** @see Submits.submit */
  submit(input: SubmitInput, options?: SubmitOptions): Promise<Submitted> {
    return this.#submits.submit(input, options);
  }

  /**
   * Reads one negotiation and takes note of where it stands: every look at the backend comes through here.
   */
  async get(id: string, signal?: AbortSignal, requestId?: string): Promise<Negotiation> {
    await this.refuseOthers(id);
    const sinceMs = stopwatch(this.#deps.clock);
    const negotiation = await (await this.#deps.backend(requestId)).getNegotiation(id, signal ? { signal } : {});
    await this.#observer.observe(negotiation, sinceMs);
    return negotiation;
  }

  /** Before anything about this id is sent. @throws OtherBackend when it is known to be another backend's. */
  async refuseOthers(id: string): Promise<void> {
    const { history, elsewhere } = this.#deps;
    if (elsewhere === undefined || (await history.get(id)) !== undefined) return;
    const origin = await elsewhere(id);
    if (origin !== undefined) throw new OtherBackend({ negotiation_id: id, host: new URL(origin).host });
  }

  /**
   * Writes down the question that is about to be shown, before it is shown. The same text keeps its question, so that
   * two readers hold the same id; one about another text stays open beside it, because somebody may be reading it.
   */
  async question(
    negotiation: Negotiation,
    shownText: string,
  ): Promise<NegotiationRecord & { confirmation: Confirmation }> {
    const { history, hash, newId, clock } = this.#deps;
    const id = negotiation.negotiation_id;
    const record = (await history.get(id)) ?? (await this.#foreign(id));
    const shown_hash = hash(shownText);
    const formulated_hash = hash(formulatedText(negotiation));
    const open = [record.confirmation, ...(record.earlier_questions ?? [])].filter((it) => it !== undefined);
    const standing = open.find((it) => it.shown_hash === shown_hash && it.formulated_hash === formulated_hash);
    if (standing !== undefined && standing === record.confirmation) return { ...record, confirmation: standing };
    const confirmation = standing ?? { id: newId(), shown_hash, formulated_hash, created_at: clock.now() };
    const earlier_questions = open.filter((it) => it !== standing).slice(0, MOST_EARLIER_QUESTIONS);
    const asked = { ...record, confirmation, ...(earlier_questions.length > 0 && { earlier_questions }) };
    await history.put(asked);
    return asked;
  }

  /** A negotiation that was not submitted from this machine: it may be confirmed, but has no deadline known here. */
  async #foreign(id: string): Promise<NegotiationRecord> {
    const { origin } = await this.#deps.backend();
    const user_id = await this.#deps.userId();
    return { negotiation_id: id, origin, user_id, submitted_at: this.#deps.clock.now() };
  }

  record(id: string): Promise<NegotiationRecord | undefined> {
    return this.#deps.history.get(id);
  }

  decision(id: string): Promise<Decision | undefined> {
    return this.#deps.history.decision(id);
  }

  /**
   * Waits until somebody has decided, on whatever surface and in whatever process. False when the budget is used up.
   * Throws the signal's reason.
   */
  async untilDecided(id: string, budgetMs: number, signal?: AbortSignal): Promise<boolean> {
    const { clock, history } = this.#deps;
    const elapsedMs = stopwatch(clock);
    while ((await history.decision(id)) === undefined) {
      if (elapsedMs() >= budgetMs) return false;
      await clock.sleep(DECISION_LOOK_MS, signal);
    }
    return true;
  }

  /** Whether anything here must not be forgotten yet: a deadline that is watched, a decision on its way. */
  get isBusy(): boolean {
    return this.#guard.watched().length > 0 || this.#submits.running.length > 0 || this.gate.isAtWork;
  }

  /** Hash under which texts are compared. */
  hash(text: string): string {
    return this.#deps.hash(text);
  }

  /** Own negotiations at this backend that wait for a decision, newest first. */
  async waiting(): Promise<NegotiationRecord[]> {
    const { history, clock } = this.#deps;
    const records = (await history.listOpen()).filter((r) => isDated(r) && r.deadline_at > clock.now());
    if (records.length === 0) return [];
    const { origin } = await this.#deps.backend();
    const open = await Promise.all(
      records.map(async (r) => r.origin === origin && (await history.decision(r.negotiation_id)) === undefined),
    );
    return records.filter((_, i) => open[i]);
  }

  /** Codes that the person has not been told yet; telling them once is enough. */
  async takeNotes(id: string): Promise<string[]> {
    const { history } = this.#deps;
    const record = await history.get(id);
    if (record?.notes === undefined || record.notes.length === 0) return [];
    await history.put({ ...record, notes: [] });
    return record.notes;
  }

  /** When the guard would withdraw it: the time by which the person must have decided, ms since the epoch. */
  decideBy(record: NegotiationRecord): number | undefined {
    if (!isDated(record)) return undefined;
    const { onUnconfirmed, confirmDeadlineMs } = this.#deps.policy();
    const deadline = this.#deps.clock.now() + this.#deadlines.leftMs(record);
    return deadline - (onUnconfirmed === "cancel" ? guardMarginMs(confirmDeadlineMs) : 0);
  }

  /** Own negotiations that this program submitted and that still wait for a decision, newest first. */
  async leftOpen(): Promise<NegotiationRecord[]> {
    return (await this.waiting()).filter((record) => this.#submits.isOwn(record.negotiation_id));
  }

  /**
   * At the first sign of the end: what is undecided is withdrawn at once (by default as the policy has it), what is on
   * its way is let finish (contract §6). The caller bounds the time.
   */
  async shutdown(atEnd: AtEnd = this.#deps.policy().onUnconfirmed === "cancel" ? "withdraw" : "leave"): Promise<void> {
    if (atEnd === "withdraw" || atEnd === "withdraw_own") this.#submits.close();
    this.#recovery.close();
    const undecided = this.#guard
      .watched()
      .filter((id) => atEnd === "withdraw" || (atEnd === "withdraw_own" && this.#submits.isOwn(id)));
    await Promise.allSettled([
      ...undecided.map((id) => this.#guard.withdraw(id, "shutdown")),
      ...this.#submits.running,
      atEnd !== "hand_over" && this.gate.abandonPursuits(),
      this.gate.settled(),
    ]);
    for (const id of this.#guard.watched()) this.#guard.drop(id);
    this.#deps.watcher.close();
  }
}
