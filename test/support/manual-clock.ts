import type { Clock } from "../../src/clock.ts";
import { isCryptoPending } from "./pending-crypto.ts";
import { isFileAtWork, isModuleLoading, isRealAtWork } from "./real-work.ts";

interface Timer {
  at: number;
  fire: () => void;
}

/** For what hangs, not for what is slow. */
const REAL_PATIENCE_MS = 60_000;

/** A clock that stands still until a test advances it. Due timers fire in order, each at its own time. */
export class ManualClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(now = Date.parse("2026-11-21T00:00:00Z")) {
    this.#now = now;
  }

  now = (): number => this.#now;
  monotonic = (): number => this.#now;

  after = (ms: number, fire: () => void): (() => void) => {
    const timer = { at: this.#now + Math.max(0, ms), fire };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cancel = this.after(ms, resolve);
      const onAbort = () => {
        cancel();
        reject(signal?.reason);
      };
      signal?.addEventListener("abort", onAbort, { once: true });
    });

  /** When the next timer is due; undefined where nothing waits. */
  get nextAt(): number | undefined {
    return this.#timers.size === 0 ? undefined : Math.min(...[...this.#timers].map(({ at }) => at));
  }

  /** Moves time on by `ms`, letting promises and real I/O settle after every timer. @throws RangeError where `ms` is no number */
  async advance(ms: number): Promise<void> {
    if (Number.isNaN(ms)) throw new RangeError("time is advanced by what is no number");
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const next = [...this.#timers].filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.fire();
    }
    this.#now = end;
    await settle();
  }

  /** Advances in steps of `stepMs` until `done()` holds; fails when it does not within `limitMs` of this clock. */
  async until(done: () => boolean, { stepMs = 50, limitMs = 600_000 } = {}): Promise<void> {
    const end = this.#now + limitMs;
    while (!done() && this.#now < end) {
      await this.advance(stepMs);
      const idle = done() ? 0 : this.#idleSteps(stepMs, end);
      if (idle > 0 && !isRealAtWork()) this.#now += idle * stepMs;
    }
    // What real files and sockets bring takes real time, and on a busy machine much of it.
    const patience = performance.now() + REAL_PATIENCE_MS;
    while (!done()) {
      if (performance.now() > patience) throw new Error(`nothing happened within ${limitMs} ms of the manual clock`);
      await settle();
    }
  }

  /** How many steps from now no timer is due in: nothing can happen in them that this clock drives. */
  #idleSteps(stepMs: number, end: number): number {
    const next = this.nextAt;
    return next === undefined ? 0 : Math.max(0, Math.ceil((Math.min(end, next) - this.#now) / stepMs) - 1);
  }

  /** Runs a promise to its end while time passes. */
  async run<T>(work: Promise<T>, options?: { stepMs?: number; limitMs?: number }): Promise<T> {
    let settled = false;
    const done = work.finally(() => {
      settled = true;
    });
    done.catch(() => {});
    await this.until(() => settled, options);
    return done;
  }
}

/** A few real turns of the event loop, so that in-process requests finish before time moves. */
async function settle(): Promise<void> {
  for (let i = 0; i < 6; i++) {
    do await new Promise((resolve) => setImmediate(resolve));
    while (isCryptoPending() || isModuleLoading() || isFileAtWork());
  }
}
