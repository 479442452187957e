/**
 * Time as a dependency, so that tests can drive it. Below `app/`, only the time limits of requests on a real wire (`backend/`)
 * and the ages of folders (`home/file.ts`) go by the real clock. All values are milliseconds.
 */
export interface Clock {
  /** Returns the milliseconds since the epoch. */
  now(): number;
  /**
   * Returns the milliseconds since some moment in the past. Nobody can set this clock back, but it may stand still while the
   * machine sleeps.
   */
  monotonic(): number;
  /** Resolves after `ms`. Rejects with the signal's reason if the signal aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `fire` once after `ms`, without keeping the process alive. The returned function cancels the call. */
  after(ms: number, fire: () => void): () => void;
}

/** Measures how busy the event loop of this process is. */
export interface LoopUse {
  /** Returns the share of the time since the last call of `take` in which the event loop was at work, from 0 to 1. */
  take(): number;
}

/** The longest timer, about 24 days. A longer timer would fire at once, and nothing here waits so long. */
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
 * Returns a function that gives the milliseconds since now, by the clock or by the timers, whichever counted more. The clock
 * may be set back, and the timers stand still while the machine sleeps.
 */
export function stopwatch(clock: Clock): () => number {
  const at = clock.now();
  const mark = clock.monotonic();
  return () => Math.max(clock.now() - at, clock.monotonic() - mark);
}
