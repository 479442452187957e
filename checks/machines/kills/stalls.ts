const STEP_MS = 20;

/**
 * When this process did not get its turn. The mock backend lives in it: a request that arrived in time is seen only
 * after such a stall, and the deadline's timer comes first.
 */
export class Stalls {
  readonly #seen: { at: number; ms: number }[] = [];
  readonly #timer: NodeJS.Timeout;
  #last = Date.now();

  constructor() {
    this.#timer = setInterval(() => {
      const now = Date.now();
      const ms = now - this.#last - STEP_MS;
      if (ms > 100) this.#seen.push({ at: now, ms });
      this.#last = now;
    }, STEP_MS);
    this.#timer.unref();
  }

  /** The stalls that ended since then, milliseconds since the epoch. */
  since(at: number): { at: number; ms: number }[] {
    return this.#seen.filter((stall) => stall.at >= at);
  }
}
