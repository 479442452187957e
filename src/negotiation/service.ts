import type { Negotiation } from "../backend/contract.ts";
import { OutcomeUnknown } from "../backend/errors.ts";
import { HomeUnwritable } from "../config/errors.ts";
import { TowowError } from "../errors.ts";
import type { NegotiationDeps } from "./deps.ts";
import { persist } from "./ending.ts";
import { SubmitOutcomeOpen } from "./errors.ts";
import { Gate } from "./gate.ts";
import { Guard, guardMarginMs } from "./guard.ts";
import type { Confirmation, Decision, NegotiationRecord, SubmitAttempt } from "./history.ts";
import { Recovery } from "./recovery.ts";
import { endingOf, formulatedText, phaseOf } from "./states.ts";

/** An identical submit is refused for this long after one whose answer was lost (contract §4). */
const REFUSE_REPEAT_MS = 600_000;

/** An identical submit within this time is a model that tries again, not a second need (agent layer §5). */
const DEDUPE_MS = 120_000;

/** How often another surface's decision is looked for; a small file or a map, so often is cheap. */
const DECISION_LOOK_MS = 250;

/** The longest that a submit of another replica is waited for before its answer counts as lost. */
const IN_FLIGHT_MS = 60_000;

export interface Submitted {
  negotiation: Negotiation;
  /** An identical one was already open, and this is it. */
  duplicate: boolean;
}

/**
 * What becomes of open pauses when a program ends: all that it watches are withdrawn, or those that it submitted itself,
 * or none, so that the person can still decide on them. `hand_over`: other replicas know them and go on, also with
 * decisions that are on their way.
 */
export type AtEnd = "withdraw" | "withdraw_own" | "leave" | "hand_over";

export interface SubmitInput {
  scene_id: string;
  user_id: string;
  intent: string;
  k_star?: number;
  min_score?: number;
}

export interface SubmitOptions {
  allowDuplicate?: boolean;
  /** Of the tool call that submits. */
  requestId?: string;
}

/** Everything that happens to the user's negotiations, for tools of both modes. */
export class Negotiations {
  readonly gate: Gate;
  readonly #deps: NegotiationDeps;
  readonly #guard: Guard;
  readonly #recovery: Recovery;
  readonly #submitting = new Set<Promise<unknown>>();
  /** By demand: the submit that is under way or was made lately. */
  readonly #recent = new Map<string, { at: number; work: Promise<Submitted> }>();
  /** When each negotiation was last seen without its text, for the earliest possible deadline. */
  readonly #lastBefore = new Map<string, number>();
  readonly #seenPhase = new Map<string, string>();
  #recovering: Promise<void> | undefined;
  /** What this program submitted itself, as against what it took over. */
  readonly #own = new Set<string>();
  #closing: AtEnd | undefined;

  constructor(deps: NegotiationDeps) {
    this.#deps = deps;
    this.#guard = new Guard(deps);
    this.gate = new Gate(deps, this.#guard);
    this.#recovery = new Recovery(deps, this.gate, this.#guard);
    this.#guard.onDecided = () => void this.recover();
  }

  get watcher() {
    return this.#deps.watcher;
  }

  /** Finishes what killed processes left; calls at once share one look. A failure is logged, and the next call looks again. */
  async recover(): Promise<void> {
    this.#recovering ??= this.#recovery
      .run()
      .catch((error) => this.#deps.log.warn("recovery_failed", { error: String(error) }))
      .finally(() => {
        this.#recovering = undefined;
      });
    await this.#recovering;
  }

  /**
   * Submits a demand and starts the guard. Never aborted by the caller: a submit that reached the backend must be
   * known here, or its text would go out unguarded. An identical one within two minutes gives the first one again
   * while that is still open, as does one that is under way.
   * @throws SubmitOutcomeOpen when the answer to an identical one was lost, or what the backend answered.
   */
  async submit(input: SubmitInput, { allowDuplicate = false, requestId }: SubmitOptions = {}): Promise<Submitted> {
    const key = JSON.stringify([input.user_id, input.scene_id, input.intent.trim(), input.k_star, input.min_score]);
    // Looked up before anything is awaited, so that of two calls at once the second finds the first.
    const recent = allowDuplicate ? undefined : this.#recent.get(key);
    const earlier = recent && (await this.#ifOpen(recent));
    if (earlier !== undefined) return { negotiation: earlier, duplicate: true };
    const work = this.#submit(input, allowDuplicate, requestId);
    this.#recent.set(key, { at: this.#deps.clock.now(), work });
    this.#submitting.add(work);
    try {
      return await work;
    } catch (error) {
      this.#recent.delete(key); // a failure is no first one to give again
      throw error;
    } finally {
      this.#submitting.delete(work);
    }
  }

  async #ifOpen(recent: { at: number; work: Promise<Submitted> }): Promise<Negotiation | undefined> {
    if (this.#deps.clock.now() - recent.at > DEDUPE_MS) return undefined;
    const first = (await recent.work.catch(() => undefined))?.negotiation;
    return first !== undefined && (await this.#isUnended(first.negotiation_id)) ? first : undefined;
  }

  async #isUnended(id: string): Promise<boolean> {
    const ended = (await this.#deps.history.get(id))?.ended?.as;
    return ended === undefined || ended === "confirmed";
  }

  async #submit(input: SubmitInput, allowDuplicate: boolean, requestId?: string): Promise<Submitted> {
    const { history, clock, owner, newId, policy } = this.#deps;
    const backend = await this.#deps.backend(requestId);
    const key = JSON.stringify([backend.origin, input.user_id, input.scene_id, input.intent.trim()]);
    const submittedAt = clock.now();
    const attempt = { at: submittedAt, owner };
    const earlier = allowDuplicate ? undefined : await this.#begin(key, attempt);
    if (earlier?.negotiation_id !== undefined)
      return { negotiation: await this.get(earlier.negotiation_id, undefined, requestId), duplicate: true };
    if (earlier !== undefined)
      throw new SubmitOutcomeOpen({ minutes: Math.ceil((earlier.at + REFUSE_REPEAT_MS - clock.now()) / 60_000) });
    if (allowDuplicate) await history.putAttempt(key, attempt);
    let negotiation: Negotiation;
    try {
      negotiation = await backend.submitDemand(input, { idempotencyKey: newId() });
    } catch (error) {
      if (error instanceof TowowError && !(error instanceof OutcomeUnknown)) await history.dropAttempt(key);
      throw error;
    }
    const record: NegotiationRecord = {
      negotiation_id: negotiation.negotiation_id,
      origin: backend.origin,
      user_id: input.user_id,
      scene_id: input.scene_id,
      submitted_at: submittedAt,
      deadline_at: submittedAt + policy().confirmDeadlineMs,
      owner,
    };
    this.#guard.watch(record); // before it is written: it exists, whether the history answers or not
    await history.put(record).catch(async (unwritten) => {
      if (unwritten instanceof HomeUnwritable) await this.#takeBack(record);
      else return this.#writeLater(record);
      throw unwritten;
    });
    this.#own.add(record.negotiation_id);
    const settle = () => history.settleAttempt(key, { ...attempt, negotiation_id: record.negotiation_id });
    await persist(settle, this.#deps, { negotiation_id: record.negotiation_id, what: "submitted" });
    if (this.#closing === "withdraw" || this.#closing === "withdraw_own")
      await this.#guard.withdraw(record.negotiation_id, "shutdown");
    return { negotiation, duplicate: false };
  }

  /** Nobody could guard what is not written down on a full disk: it is taken back at once, or reported as open. */
  async #takeBack({ negotiation_id: id }: NegotiationRecord): Promise<void> {
    this.#guard.drop(id);
    const backend = await this.#deps.backend();
    await backend.action(id, { action: "cancel" }).catch((error) => {
      throw new OutcomeUnknown({ operation: "submitDemand", reason: "not_written_down" }, { cause: error });
    });
  }

  /** A store that is away comes back: until then the guard here knows of it. */
  async #writeLater(record: NegotiationRecord): Promise<void> {
    const { history } = this.#deps;
    const { negotiation_id } = record;
    const write = async () => {
      if ((await history.get(negotiation_id)) === undefined) await history.put(record);
    };
    await persist(write, this.#deps, { negotiation_id, what: "record" });
  }

  /**
   * Writes the attempt down, unless an identical one stands: that one is given then, with its negotiation once another
   * replica has it. An attempt is open while its own program waits for it, and for ten minutes after its answer was lost.
   */
  async #begin(key: string, attempt: SubmitAttempt): Promise<SubmitAttempt | undefined> {
    const { history, clock, owner, isAlive } = this.#deps;
    for (let over: SubmitAttempt | undefined; ; ) {
      const standing = await history.beginAttempt(key, attempt, over);
      if (standing === undefined) return undefined;
      const age = clock.now() - standing.at;
      const { negotiation_id: id } = standing;
      if (id !== undefined && age < DEDUPE_MS && (await this.#isUnended(id))) return standing;
      if (id !== undefined || age >= REFUSE_REPEAT_MS) {
        over = standing; // this is a new need; of two replicas that find it so at once, one begins
        continue;
      }
      const underWay = standing.owner.instance !== owner.instance && age < IN_FLIGHT_MS;
      if (!underWay || !(await isAlive(standing.owner))) return standing;
      await clock.sleep(DECISION_LOOK_MS);
    }
  }

  /**
   * Reads one negotiation and takes note of where it stands: every look at the backend comes through here.
   */
  async get(id: string, signal?: AbortSignal, requestId?: string): Promise<Negotiation> {
    const seenAt = this.#deps.clock.now();
    const negotiation = await (await this.#deps.backend(requestId)).getNegotiation(id, signal ? { signal } : {});
    await this.observe(negotiation, seenAt);
    return negotiation;
  }

  /** Takes note of a look, this user's own or one that was shared. */
  async observe(negotiation: Negotiation, seenAt = this.#deps.clock.now()): Promise<void> {
    const id = negotiation.negotiation_id;
    const phase = phaseOf(negotiation.state);
    if (phase === "before") this.#lastBefore.set(id, seenAt);
    if (this.#seenPhase.get(id) === phase) return;
    this.#seenPhase.set(id, phase);
    if (phase === "asking") await this.#noteAsking(id);
    if (phase === "moving" || phase === "over") await this.#noteMoved(negotiation);
  }

  /** The backend's clock starts with `formulated`: not before the last look that did not show it. */
  async #noteAsking(id: string): Promise<void> {
    const { history, owner, policy } = this.#deps;
    const record = await history.get(id);
    if (record?.owner?.instance !== owner.instance) return; // the pause is another program's to watch, while it runs
    const since = this.#lastBefore.get(id);
    if (record?.deadline_at === undefined || record.ended !== undefined || since === undefined) return;
    const deadline = since + policy().confirmDeadlineMs;
    if (deadline <= record.deadline_at) return;
    const refined = { ...record, deadline_at: deadline };
    await history.put(refined);
    if ((await history.decision(id)) === undefined) this.#guard.watch(refined);
  }

  async #noteMoved(negotiation: Negotiation): Promise<void> {
    const { history, clock } = this.#deps;
    const id = negotiation.negotiation_id;
    const record = await history.get(id);
    if (record === undefined || record.ended !== undefined) return;
    if ((await history.decision(id)) !== undefined) return; // whoever decided writes the end
    this.#guard.drop(id);
    const as = endingOf(negotiation);
    await history.put({ ...record, ended: { at: clock.now(), as }, notes: [...(record.notes ?? []), as] });
  }

  /**
   * Writes down the question that is about to be shown, before it is shown. The same text keeps its question, so that
   * two readers hold the same id.
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
    const standing = record.confirmation;
    if (standing?.shown_hash === shown_hash && standing.formulated_hash === formulated_hash)
      return { ...record, confirmation: standing };
    const confirmation = { id: newId(), shown_hash, formulated_hash, created_at: clock.now() };
    const asked = { ...record, confirmation };
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
    const end = clock.now() + budgetMs;
    while ((await history.decision(id)) === undefined) {
      if (clock.now() >= end) return false;
      await clock.sleep(DECISION_LOOK_MS, signal);
    }
    return true;
  }

  /** Whether anything here must not be forgotten yet: a deadline that is watched, a decision on its way. */
  get isBusy(): boolean {
    return this.#guard.watched().length > 0 || this.#submitting.size > 0 || this.gate.isAtWork;
  }

  /** Hash under which texts are compared. */
  hash(text: string): string {
    return this.#deps.hash(text);
  }

  /** Own negotiations at this backend that wait for a decision, newest first. */
  async waiting(): Promise<NegotiationRecord[]> {
    const { history, clock } = this.#deps;
    const records = (await history.listOpen()).filter(
      (r) => r.deadline_at !== undefined && r.deadline_at > clock.now(),
    );
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
    if (record.deadline_at === undefined) return undefined;
    const { onUnconfirmed, confirmDeadlineMs } = this.#deps.policy();
    return record.deadline_at - (onUnconfirmed === "cancel" ? guardMarginMs(confirmDeadlineMs) : 0);
  }

  /** Own negotiations that this program submitted and that still wait for a decision, newest first. */
  async leftOpen(): Promise<NegotiationRecord[]> {
    return (await this.waiting()).filter((record) => this.#own.has(record.negotiation_id));
  }

  /**
   * At the first sign of the end: what is undecided is withdrawn at once (by default as the policy has it), what is on
   * its way is let finish (contract §6). The caller bounds the time.
   */
  async shutdown(atEnd: AtEnd = this.#deps.policy().onUnconfirmed === "cancel" ? "withdraw" : "leave"): Promise<void> {
    this.#closing = atEnd;
    this.#recovery.close();
    const undecided = this.#guard
      .watched()
      .filter((id) => atEnd === "withdraw" || (atEnd === "withdraw_own" && this.#own.has(id)));
    await Promise.allSettled([
      ...undecided.map((id) => this.#guard.withdraw(id, "shutdown")),
      ...this.#submitting,
      atEnd !== "hand_over" && this.gate.abandonPursuits(),
      this.gate.settled(),
    ]);
    for (const id of this.#guard.watched()) this.#guard.drop(id);
    this.#deps.watcher.close();
  }
}
