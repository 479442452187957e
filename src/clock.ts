/**
 * Time as a dependency: tests drive it. Below `app/` only the bounds of a request on a real wire (`backend/`) read the
 * real one. All values are milliseconds.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some moment: nobody can set it back, but it may stand still while the machine sleeps. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `fire` once after `ms`, without keeping the process alive; the returned function cancels it. */
  after(ms: number, fire: () => void): () => void;
}

/** How busy the event loop of this process is. */
export interface LoopUse {
  /** The share of the time since this was last asked in which it was at work, from 0 to 1. */
  take(): number;
}

/** A longer one would go off at once. Nothing here waits for 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => Math.floor(performance.now()),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      }, ms);
      signal?.addEventListener("abort", onAbort, { once: true });
    }),
  after: (ms, fire) => {
    const timer = setTimeout(fire, Math.min(ms, MAX_TIMER_MS));
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Calls `work` every `ms`, as {@link Clock.after} does, until the returned function is called. */
export function every(clock: Clock, ms: number, work: () => void): () => void {
  let cancel: () => void;
  const wait = () => {
    cancel = clock.after(ms, () => {
      wait();
      work();
    });
  };
  wait();
  return () => cancel();
}

/**
 * Milliseconds since now, by the clock or by the timers, whichever has seen more: the one may be set back, the other
 * stands still while the machine sleeps.
 */
export function stopwatch(clock: Clock): () => number {
  const at = clock.now();
  const mark = clock.monotonic();
  return () => Math.max(clock.now() - at, clock.monotonic() - mark);
}
