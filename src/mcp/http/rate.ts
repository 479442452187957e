import type { Clock } from "../../clock.ts";
import type { Store } from "../../store/store.ts";
import { HttpError } from "./http-error.ts";

const WINDOW_MS = 10_000;

/** Limits the requests that one user may send in ten seconds, over all replicas. */
export class Rate {
  readonly #requestsPer10s: number;
  readonly #clock: Clock;

  constructor(requestsPer10s: number, clock: Clock) {
    this.#requestsPer10s = requestsPer10s;
    this.#clock = clock;
  }

  /**
   * Counts one request. If the store does not answer, `uncounted` is taken as the count. Its default lets the request
   * pass, because the call itself will report the store.
   * @throws HttpError `rate_limited`, with a Retry-After of the seconds until the limit is over
   */
  async count(store: Store, uncounted = 0): Promise<void> {
    const refusal = await this.exceeded(store, uncounted);
    if (refusal !== undefined) throw refusal;
  }

  /** Counts as {@link count} does, but returns the refusal, for a caller that must read the request before refusing it. */
  async exceeded(store: Store, uncounted = 0): Promise<HttpError | undefined> {
    const now = this.#clock.now();
    const window = Math.floor(now / WINDOW_MS);
    const count = await store.increment(`rate:${window}`, 1, WINDOW_MS * 2).catch(() => uncounted);
    if (count <= this.#requestsPer10s) return undefined;
    const seconds = Math.ceil(((window + 1) * WINDOW_MS - now) / 1000);
    return new HttpError("rate_limited", { "Retry-After": String(Math.max(1, seconds)) });
  }
}
