import type { Clock } from "../../src/clock.ts";
import type { SimClock } from "./sim.ts";

export interface Span {
  from: number;
  to: number;
}

/** The computer under the processes: its clock may be set, and it may sleep while the rest of the world goes on. */
export class Machine {
  readonly slept: Span[] = [];
  /** When the clock was set, and by how much. */
  readonly set: { at: number; byMs: number }[] = [];
  readonly #world: SimClock;
  #offsetMs = 0;

  constructor(world: SimClock) {
    this.#world = world;
  }

  setClock(byMs: number): void {
    this.#offsetMs += byMs;
    this.set.push({ at: this.#world.now(), byMs });
  }

  sleep(ms: number): void {
    const now = this.#world.now();
    const from = Math.max(now, this.slept.at(-1)?.to ?? now);
    this.slept.push({ from, to: from + ms });
  }

  /** How much of this time the machine slept, in milliseconds. */
  sleptMs(span: Span): number {
    return this.slept.reduce(
      (sum, it) => sum + Math.max(0, Math.min(it.to, span.to) - Math.max(it.from, span.from)),
      0,
    );
  }

  /** How long it still sleeps, in milliseconds; 0 while it is awake. */
  get sleepsForMs(): number {
    return Math.max(0, (this.slept.at(-1)?.to ?? 0) - this.#world.now());
  }

  async awake(): Promise<void> {
    if (this.sleepsForMs > 0) await this.#world.sleep(this.sleepsForMs);
  }

  /** What a program of this machine sees: timers stand still while it sleeps, and do not care how the clock is set. */
  readonly clock: Clock = {
    now: () => this.#world.now() + this.#offsetMs,
    monotonic: () => this.#world.now() - this.sleptMs({ from: 0, to: this.#world.now() }),
    after: (ms, fire) => {
      let cancel = () => {};
      const arm = (leftMs: number) => {
        const from = this.#world.now();
        cancel = this.#world.after(leftMs, () => {
          const missedMs = this.sleptMs({ from, to: this.#world.now() });
          if (missedMs > 0) arm(missedMs);
          else if (this.sleepsForMs > 0) cancel = this.#world.after(this.sleepsForMs, fire);
          else fire();
        });
      };
      arm(Math.max(0, ms));
      return () => cancel();
    },
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const cancel = this.clock.after(ms, resolve);
        const onAbort = () => {
          cancel();
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
  };
}
