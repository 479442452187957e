import { type Clock, stopwatch } from "../clock.ts";
import { TooManyNewTokens } from "./errors.ts";

export interface NewTokenLimits {
  /** The most requests at once, with all such tokens together. */
  atOnce: number;
  /** The most requests in ten seconds, with all such tokens together. */
  per10s: number;
  /** How long a request waits for its turn, in milliseconds. */
  patienceMs: number;
}

const WINDOW_MS = 10_000;
/** How often a waiting request checks again, in milliseconds. */
const POLL_MS = 100;

/**
 * Limits the requests with tokens that the backend has not accepted yet. Anybody can invent such tokens, so all of them
 * together share one small allowance.
 */
export class NewTokenLimiter {
  readonly #options: NewTokenLimits;
  readonly #clock: Clock;
  #running = 0;
  /**
   * When the latest requests ended, the oldest first. The end counts, because the backend may receive a request at any
   * time between its sending and its end.
   */
  #endedAt: number[] = [];

  constructor(options: NewTokenLimits, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * Calls `send` as soon as the limits allow another request.
   * @throws TooManyNewTokens if nothing was sent, or the error of `send`
   */
  async run<T>(operation: string, send: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const elapsedMs = stopwatch(this.#clock);
    while (!this.#take()) {
      if (elapsedMs() >= this.#options.patienceMs)
        throw new TooManyNewTokens({ operation }, { retryAfterSeconds: WINDOW_MS / 1000 });
      await this.#clock.sleep(POLL_MS, signal);
    }
    try {
      return await send();
    } finally {
      this.#running -= 1;
      this.#endedAt.push(this.#clock.monotonic());
    }
  }

  #take(): boolean {
    const { atOnce, per10s } = this.#options;
    const now = this.#clock.monotonic();
    while (now - (this.#endedAt[0] ?? now) >= WINDOW_MS) this.#endedAt.shift();
    if (this.#running >= atOnce || this.#running + this.#endedAt.length >= per10s) return false;
    this.#running += 1;
    return true;
  }
}
