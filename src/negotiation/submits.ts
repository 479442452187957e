import type { Negotiation } from "../backend/contract.ts";
import { OutcomeUnknown } from "../backend/errors.ts";
import { stopwatch } from "../clock.ts";
import { HomeUnwritable } from "../config/errors.ts";
import { TowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import type { NegotiationDeps } from "./deps.ts";
import { persist } from "./ending.ts";
import { SubmitOutcomeOpen } from "./errors.ts";
import type { Guard } from "./guard.ts";
import type { NegotiationRecord, SubmitAttempt } from "./history.ts";

/** An identical submit is refused for this long after one whose answer was lost (contract §4). */
const REFUSE_REPEAT_MS = 600_000;

/** An identical submit within this time is a model that tries again, not a second need (agent layer §5). */
const DEDUPE_MS = 120_000;

/** The longest that a submit of another program is waited for: many clients give a call up after 60 s. */
const IN_FLIGHT_MS = 40_000;

export interface Submitted {
  negotiation: Negotiation;
  /** An identical one was already open, and this is it. */
  duplicate: boolean;
}

/** How often it is looked whether that one has its answer. */
const LOOK_MS = 250;

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

/** How demands are submitted: once, written down, and guarded from the first moment. */
export class Submits {
  readonly #deps: NegotiationDeps;
  readonly #guard: Guard;
  readonly #read: (id: string, requestId?: string) => Promise<Negotiation>;
  readonly #running = new Set<Promise<unknown>>();
  /** By demand: the submit that is under way or was made lately. */
  readonly #recent = new Map<string, { ageMs: () => number; work: Promise<Submitted> }>();
  /** What this program submitted itself, as against what it took over. */
  readonly #own = new Set<string>();
  #closing = false;

  /** `read` looks at a negotiation and takes note of it. */
  constructor(deps: NegotiationDeps, guard: Guard, read: (id: string, requestId?: string) => Promise<Negotiation>) {
    this.#deps = deps;
    this.#guard = guard;
    this.#read = read;
  }

  /** Submits that are on their way. */
  get running(): Promise<unknown>[] {
    return [...this.#running];
  }

  isOwn(id: string): boolean {
    return this.#own.has(id);
  }

  /** The program ends: what is still answered now is withdrawn at once. */
  close(): void {
    this.#closing = true;
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
    this.#forgetOld();
    this.#recent.set(key, { ageMs: stopwatch(this.#deps.clock), work });
    this.#running.add(work);
    try {
      return await work;
    } catch (error) {
      this.#recent.delete(key); // a failure is no first one to give again
      throw error;
    } finally {
      this.#running.delete(work);
    }
  }

  async #ifOpen(recent: { ageMs: () => number; work: Promise<Submitted> }): Promise<Negotiation | undefined> {
    if (recent.ageMs() > DEDUPE_MS) return undefined;
    const first = (await recent.work.catch(() => undefined))?.negotiation;
    return first !== undefined && (await this.#isUnended(first.negotiation_id)) ? first : undefined;
  }

  #forgetOld(): void {
    for (const [key, { ageMs }] of this.#recent) if (ageMs() > DEDUPE_MS) this.#recent.delete(key);
  }

  async #isUnended(id: string): Promise<boolean> {
    const ended = (await this.#deps.history.get(id))?.ended?.as;
    return ended === undefined || ended === "confirmed";
  }

  async #submit(input: SubmitInput, allowDuplicate: boolean, requestId?: string): Promise<Submitted> {
    const { history, clock, owner, newId, policy } = this.#deps;
    const backend = await this.#deps.backend(requestId);
    const key = JSON.stringify([backend.origin, input.user_id, input.scene_id, input.intent.trim()]);
    const attempt = { at: clock.now(), owner };
    const earlier = allowDuplicate ? undefined : await this.#begin(key, attempt);
    if (earlier?.negotiation_id !== undefined)
      return { negotiation: await this.#read(earlier.negotiation_id, requestId), duplicate: true };
    if (earlier !== undefined)
      throw new SubmitOutcomeOpen({ minutes: Math.ceil((earlier.at + REFUSE_REPEAT_MS - clock.now()) / 60_000) });
    if (allowDuplicate) await history.putAttempt(key, attempt);
    let negotiation: Negotiation;
    const elapsedMs = stopwatch(clock);
    try {
      negotiation = await backend.submitDemand(input, { idempotencyKey: newId() });
    } catch (error) {
      if (error instanceof OutcomeUnknown) await this.#noteLost(key, attempt);
      else if (error instanceof TowowError) await history.dropAttempt(key);
      throw error;
    }
    const submittedAt = clock.now() - elapsedMs();
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
    if (this.#closing) await this.#guard.withdraw(record.negotiation_id, "shutdown");
    return { negotiation, duplicate: false };
  }

  /** Whoever waits for this answer need not any longer. It stays the attempt that it was where that cannot be written. */
  async #noteLost(key: string, attempt: SubmitAttempt): Promise<void> {
    const { history, log } = this.#deps;
    await history
      .putAttempt(key, { ...attempt, lost: true })
      .catch((error) => log.warn("attempt_not_noted", { error: failureOf(error) }));
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
    let over: SubmitAttempt | undefined;
    // Counted, and not by the clock alone, which may be set back.
    for (let waitedMs = 0; ; ) {
      const standing = await history.beginAttempt(key, attempt, over);
      if (standing === undefined) return undefined;
      const age = clock.now() - standing.at;
      const { negotiation_id: id } = standing;
      if (id !== undefined && age < DEDUPE_MS && (await this.#isUnended(id))) return standing;
      if (id !== undefined || age >= REFUSE_REPEAT_MS) {
        over = standing; // this is a new need; of two replicas that find it so at once, one begins
        continue;
      }
      const isOthers = standing.owner.instance !== owner.instance && standing.lost !== true;
      if (!isOthers || Math.max(age, waitedMs) >= IN_FLIGHT_MS || !(await isAlive(standing.owner))) return standing;
      await clock.sleep(LOOK_MS);
      waitedMs += LOOK_MS;
    }
  }
}
