import type { Clock } from "../../clock.ts";
import type { Store } from "../../store/store.ts";
import { HttpError } from "./http-error.ts";

export interface LimitOptions {
  /** Requests of one user in ten seconds, over all replicas. */
  requestsPer10s: number;
  /** Calls of one user at once, in this replica. */
  atOnce: number;
}

const WINDOW_MS = 10_000;

/** Per-user limits. A store that does not answer limits nobody: the calls themselves will say so. */
export class Limits {
  readonly #options: LimitOptions;
  readonly #clock: Clock;
  readonly #running = new Map<string, number>();

  constructor(options: LimitOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  /**
   * `uncounted`: what counts where the store does not answer; 0 where the call itself will say so.
   * @throws HttpError `rate_limited` with the seconds until it passes.
   */
  async countRequest(store: Store, uncounted = 0): Promise<void> {
    const now = this.#clock.now();
    const window = Math.floor(now / WINDOW_MS);
    const count = await store.increment(`rate:${window}`, 1, WINDOW_MS * 2).catch(() => uncounted);
    if (count <= this.#options.requestsPer10s) return;
    const seconds = Math.ceil(((window + 1) * WINDOW_MS - now) / 1000);
    throw new HttpError("rate_limited", { "Retry-After": String(Math.max(1, seconds)) });
  }

  /** Takes a place for one call; the returned function gives it back. @throws HttpError `too_many_at_once` */
  enter(user: string): () => void {
    const running = this.#running.get(user) ?? 0;
    if (running >= this.#options.atOnce) throw new HttpError("too_many_at_once", { "Retry-After": "1" });
    this.#running.set(user, running + 1);
    let left = false;
    return () => {
      if (left) return;
      left = true;
      const now = (this.#running.get(user) ?? 1) - 1;
      if (now === 0) this.#running.delete(user);
      else this.#running.set(user, now);
    };
  }

  /** Calls that run now, of all users. */
  get running(): number {
    let sum = 0;
    for (const count of this.#running.values()) sum += count;
    return sum;
  }
}
