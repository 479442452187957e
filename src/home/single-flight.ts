/**
 * Work that several callers ask for at once is done once. A caller that aborts leaves alone; the work itself is
 * aborted with the last of them.
 */
export class SingleFlight<T> {
  readonly #running = new Map<string, { result: Promise<T>; waiting: number; stop: AbortController }>();

  /** The result of the running work of that name, else of `start`. Throws what it throws, or the signal's reason. */
  async join(name: string, start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    let flight = this.#running.get(name);
    if (flight === undefined) {
      const stop = new AbortController();
      const result = start(stop.signal).finally(() => this.#land(name, stop));
      // Everybody may have left by the time it fails.
      result.catch(() => {});
      flight = { result, waiting: 0, stop };
      this.#running.set(name, flight);
    }
    flight.waiting++;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([flight.result, left.promise]);
    } finally {
      signal?.removeEventListener("abort", leave);
      if (--flight.waiting === 0 && signal?.aborted) {
        this.#land(name, flight.stop);
        flight.stop.abort(signal.reason);
      }
    }
  }

  #land(name: string, stop: AbortController): void {
    if (this.#running.get(name)?.stop === stop) this.#running.delete(name);
  }
}
