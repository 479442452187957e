import type { Clock } from "../../src/clock.ts";

/** Seeded random numbers (mulberry32): a run is its seed. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = (seed * 2_654_435_761) >>> 0;
  }

  /** Uniform in [0, 1). */
  next = (): number => {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  chance = (p: number): boolean => this.next() < p;
  int = (from: number, to: number): number => from + Math.floor(this.next() * (to - from + 1));
  pick = <T>(list: readonly T[]): T => list[Math.floor(this.next() * list.length)]!;
}

/** Work that the event loop does outside of promises (web crypto, long work in turns): time stands still meanwhile. */
let outside = 0;
/** Clocks that advance now. What the threads behind web crypto have done is told while everything else rests, in order. */
let advancing = 0;
const done: { work: Promise<unknown>; tell: () => void }[] = [];
const patched = Symbol.for("towow.faults.patched");
const nextRound = globalThis.setImmediate;
export function countOutsideWork(): void {
  const proto = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<string | symbol, unknown>;
  if (proto[patched]) return;
  proto[patched] = true;
  for (const name of ["sign", "verify", "importKey", "digest", "encrypt", "decrypt", "deriveBits", "deriveKey"]) {
    const real = proto[name] as (...args: unknown[]) => Promise<unknown>;
    proto[name] = function (this: unknown, ...args: unknown[]) {
      const work = real.apply(this, args);
      if (advancing > 0)
        return new Promise((resolve) => {
          done.push({ work: work.catch(() => {}), tell: () => resolve(work) });
        });
      outside += 1;
      return work.finally(() => {
        outside -= 1;
      });
    };
  }
  const counted = (work: (...args: unknown[]) => void, ...args: unknown[]) => {
    outside += 1;
    return nextRound(() => {
      outside -= 1;
      work(...args);
    });
  };
  globalThis.setImmediate = Object.assign(counted, nextRound) as typeof setImmediate;
  // The library that compares texts takes its turns this way; nothing simulated waits on the real clock.
  const nextTimeout = globalThis.setTimeout;
  const soon = (work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
    ms === 0 ? counted(work, ...args) : nextTimeout(work, ms, ...args);
  globalThis.setTimeout = Object.assign(soon, nextTimeout) as unknown as typeof setTimeout;
}

interface Timer {
  at: number;
  order: number;
  fire: () => void;
}

/** Time that moves only when everything has settled; the same seed gives the same order of events. */
export class SimClock implements Clock {
  #now = Date.parse("2026-11-21T00:00:00Z");
  #order = 0;
  readonly #timers = new Set<Timer>();

  now = (): number => this.#now;
  monotonic = (): number => this.#now;

  after = (ms: number, fire: () => void): (() => void) => {
    const timer = { at: this.#now + Math.max(0, ms), order: this.#order++, fire };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  };

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const cancel = this.after(ms, resolve);
      signal?.addEventListener(
        "abort",
        () => {
          cancel();
          reject(signal.reason);
        },
        { once: true },
      );
    });

  /** Lets time go by until this has settled. */
  async while<T>(work: Promise<T>): Promise<T> {
    let settled = false;
    const done = work.finally(() => {
      settled = true;
    });
    done.catch(() => {});
    for (await settle(); !settled; ) await this.advance(100);
    return done;
  }

  async advance(ms: number): Promise<void> {
    advancing += 1;
    try {
      await this.#advanceTo(this.#now + ms);
    } finally {
      advancing -= 1;
    }
  }

  async #advanceTo(end: number): Promise<void> {
    for (;;) {
      await settle();
      let next: Timer | undefined;
      for (const t of this.#timers)
        if (t.at <= end && (!next || t.at < next.at || (t.at === next.at && t.order < next.order))) next = t;
      if (next === undefined) break;
      this.#timers.delete(next);
      this.#now = Math.max(this.#now, next.at);
      next.fire();
    }
    this.#now = end;
  }
}

async function settle(): Promise<void> {
  for (let calm = 0; calm < 5; calm++) {
    await new Promise((resolve) => nextRound(resolve));
    if (outside > 0) calm = -1;
    const next = calm === 4 ? done.shift() : undefined;
    if (next === undefined) continue;
    await next.work;
    next.tell();
    calm = -1;
  }
}
