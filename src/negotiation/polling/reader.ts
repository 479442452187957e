import type { Negotiation } from "../../backend/contract.ts";
import type { Clock } from "../../clock.ts";
import { TowowError } from "../../errors.ts";
import { phaseOf } from "../backend-states.ts";
import { fingerprint } from "../fingerprint.ts";

/** Somebody who waits for news. */
export interface Listener {
  /** Whose right it is: the reads of one owner serve all that this owner waits for, and nobody else. */
  owner: object;
  /** Reads the negotiation with the owner's own right to it. */
  read: (signal: AbortSignal) => Promise<Negotiation>;
  next: (snapshot: Negotiation) => void;
  fail: (error: unknown) => void;
  /** Called for each read that fails, also where more follow. */
  missed?: ((error: unknown) => void) | undefined;
  /** How long it waits yet, in milliseconds; undefined for as long as it takes. */
  leftMs?: (() => number) | undefined;
}

const FAILURES_ALLOWED = 2;
/** Whoever waits without an end hears of it when the backend wants to be left alone for longer than this. */
const LONGEST_REST_MS = 60_000;
/** These will not get better by asking again (contract §5). */
const FINAL_CODES = /^tool\.(auth\.|.*\.not_found\.|config\.(?!unavailable\.))/;

/** Whether asking again is of no use: an unknown id, a refused token, a wrong setting. */
export const isFinal = (error: unknown): boolean => error instanceof TowowError && FINAL_CODES.test(error.code);

/** One owner's reads of one negotiation, for all that this owner waits for. What they show never leaves here. */
export class Reader {
  readonly #listeners = new Set<Listener>();
  readonly #signal: AbortSignal;
  readonly #clock: Clock;
  /** Until when the backend wants no read, by the monotonic clock, and how it said so. */
  #rest: { until: number; error: unknown } | undefined;
  /** What the last read showed. */
  last: Negotiation | undefined;
  /** The news that the last read answers; undefined before the first. */
  version: string | undefined;
  /** A read is under way. */
  isReading = false;
  #failures = 0;

  constructor(signal: AbortSignal, clock: Clock) {
    this.#signal = signal;
    this.#clock = clock;
  }

  get #restMs(): number {
    return Math.max(0, (this.#rest?.until ?? 0) - this.#clock.monotonic());
  }

  /** The backend has asked for no read yet. */
  get isResting(): boolean {
    return this.#restMs > 0;
  }

  /** Nobody waits any more, or nothing can come any more. */
  get isDone(): boolean {
    return this.#listeners.size === 0 || (this.last !== undefined && phaseOf(this.last.state) === "over");
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
    if (this.isResting) this.#failImpatient();
  }

  drop(listener: Listener): void {
    this.#listeners.delete(listener);
  }

  /**
   * Reads once, and tells whether it showed something new. Three failures in a row, or a final one, end every wait of
   * this owner with the cause; the others have their own right.
   */
  async read(version: string): Promise<boolean> {
    const [listener] = this.#listeners;
    if (listener === undefined) return false;
    this.isReading = true;
    try {
      const snapshot = await listener.read(this.#signal);
      if (this.#signal.aborted) return false;
      const isNew = this.last === undefined || fingerprint(this.last) !== fingerprint(snapshot);
      this.#failures = 0;
      this.version = version;
      this.last = snapshot;
      for (const each of [...this.#listeners]) each.next(snapshot);
      return isNew;
    } catch (error) {
      if (this.#signal.aborted) return false;
      this.#failures += 1;
      for (const each of [...this.#listeners]) each.missed?.(error);
      if (isFinal(error) || this.#failures > FAILURES_ALLOWED) this.fail(error);
      else if (error instanceof TowowError && error.retryAfterSeconds !== undefined) {
        this.#rest = { until: this.#clock.monotonic() + error.retryAfterSeconds * 1000, error };
        this.#failImpatient();
      }
      return false;
    } finally {
      this.isReading = false;
    }
  }

  /** Ends the waits that would be over before the backend wants to be asked again. */
  #failImpatient(): void {
    for (const listener of [...this.#listeners]) {
      if ((listener.leftMs?.() ?? LONGEST_REST_MS) >= this.#restMs) continue;
      this.#listeners.delete(listener);
      listener.fail(this.#rest?.error);
    }
  }

  fail(error: unknown): void {
    const ended = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of ended) listener.fail(error);
  }
}
