import type { Clock } from "../src/clock.ts";

/**
 * A backend process that is stopped for a while and then goes on: no timer fires and no request is taken meanwhile,
 * while the time goes by. What fell due is done first, as an event loop does it; then the requests that came in.
 */
export class Standstill {
  readonly #world: Clock;
  #until = Number.NEGATIVE_INFINITY;
  #requestsAfterMs = 1;

  constructor(world: Clock) {
    this.#world = world;
  }

  /** Stands still for so many milliseconds from now; requests get their turn `requestsAfterMs` after that. */
  begin(ms: number, requestsAfterMs = 1): void {
    this.#until = Math.max(this.#until, this.#world.monotonic() + ms);
    this.#requestsAfterMs = requestsAfterMs;
  }

  /** Resolves when a request that came in now is taken: at once, unless the backend stands still. */
  async over(signal: AbortSignal): Promise<void> {
    while (this.#leftMs > 0) await this.#world.sleep(this.#leftMs + this.#requestsAfterMs, signal);
  }

  get #leftMs(): number {
    return this.#until - this.#world.monotonic();
  }

  /** The clock of what stands still. */
  readonly clock: Clock = {
    now: () => this.#world.now(),
    monotonic: () => this.#world.monotonic(),
    after: (ms, fire) => {
      let cancel = () => {};
      const arm = (forMs: number) => {
        cancel = this.#world.after(forMs, () => (this.#leftMs > 0 ? arm(this.#leftMs) : fire()));
      };
      arm(ms);
      return () => cancel();
    },
    sleep: async (ms, signal) => {
      await this.#world.sleep(ms, signal);
      while (this.#leftMs > 0) await this.#world.sleep(this.#leftMs, signal);
    },
  };
}
