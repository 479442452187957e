import type { Negotiation } from "../../backend/contract.ts";
import { TowowError } from "../../errors.ts";
import { fingerprint, phaseOf } from "../backend-states.ts";

/** Somebody who waits for news. */
export interface Listener {
  /** Whose right it is: the reads of one owner serve all that this owner waits for, and nobody else. */
  owner: object;
  /** Reads the negotiation with the owner's own right to it. */
  read: (signal: AbortSignal) => Promise<Negotiation>;
  next: (snapshot: Negotiation) => void;
  fail: (error: unknown) => void;
}

const FAILURES_ALLOWED = 2;
/** These will not get better by asking again (contract §5). */
const FINAL_CODES = /^tool\.(auth\.|.*\.not_found\.|config\.(?!unavailable\.))/;

/** Whether asking again is of no use: an unknown id, a refused token, a wrong setting. */
export const isFinal = (error: unknown): boolean => error instanceof TowowError && FINAL_CODES.test(error.code);

/** One owner's reads of one negotiation, for all that this owner waits for. What they show never leaves here. */
export class Reader {
  readonly #listeners = new Set<Listener>();
  readonly #signal: AbortSignal;
  /** What the last read showed. */
  last: Negotiation | undefined;
  /** The news that the last read answers; undefined before the first. */
  version: string | undefined;
  /** A read is under way. */
  isReading = false;
  #failures = 0;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** Nobody waits any more, or nothing can come any more. */
  get isDone(): boolean {
    return this.#listeners.size === 0 || (this.last !== undefined && phaseOf(this.last.state) === "over");
  }

  add(listener: Listener): void {
    this.#listeners.add(listener);
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
      this.#failures += 1;
      if (!this.#signal.aborted && (isFinal(error) || this.#failures > FAILURES_ALLOWED)) this.fail(error);
      return false;
    } finally {
      this.isReading = false;
    }
  }

  fail(error: unknown): void {
    const ended = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of ended) listener.fail(error);
  }
}
