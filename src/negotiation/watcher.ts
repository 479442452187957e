import type { Negotiation } from "../backend/contract.ts";
import type { Clock } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { fingerprint, phaseOf } from "./states.ts";

export interface WatcherDeps {
  get: (id: string, signal: AbortSignal) => Promise<Negotiation>;
  clock: Clock;
  /** Uniform in [0, 1): spreads the polls of many processes. */
  random: () => number;
}

export interface WaitOptions {
  /** Resolves as soon as this holds. */
  until: (snapshot: Negotiation) => boolean;
  /** The longest that this call may wait, in milliseconds. */
  budgetMs: number;
  signal?: AbortSignal | undefined;
  /** Called for each change, the first snapshot included. */
  onChange?: (snapshot: Negotiation) => void;
}

export interface WaitResult {
  snapshot: Negotiation;
  met: boolean;
}

type Listener = { next: (n: Negotiation) => void; fail: (error: unknown) => void };

const FIRST_DELAY_MS = 250;
const GROWTH = 1.5;
const CALM_DELAY_MS = 3_000;
const QUIET_DELAY_MS = 10_000;
const QUIET_AFTER_MS = 120_000;
const FAILURES_ALLOWED = 2;
/** These will not get better by asking again (contract §5). */
const FINAL_CODES = /^tool\.(auth\.|.*\.not_found\.|config\.)/;

/** The pause before the next look: grows by half from 250 ms to 3 s, to 10 s when nothing has moved for minutes; ±10 % jitter. */
export function pollDelayMs(looks: number, sinceChangeMs: number, random: number): number {
  const cap = sinceChangeMs > QUIET_AFTER_MS ? QUIET_DELAY_MS : CALM_DELAY_MS;
  const base = Math.min(cap, FIRST_DELAY_MS * GROWTH ** Math.min(looks, 20));
  return Math.round(base * (0.9 + 0.2 * random));
}

/**
 * One poller per negotiation and process, shared by every waiter, stopped with the last (contract §5).
 * Three bad answers in a row end every wait with the cause; 401 and 404 end them at once.
 */
export class Watcher {
  readonly #deps: WatcherDeps;
  readonly #pollers = new Map<string, Poller>();

  constructor(deps: WatcherDeps) {
    this.#deps = deps;
  }

  /** Calls `listener` with each new snapshot until the returned function is called. */
  subscribe(id: string, listener: Listener): () => void {
    let poller = this.#pollers.get(id);
    if (poller === undefined) {
      poller = new Poller(id, this.#deps, () => this.#pollers.delete(id));
      this.#pollers.set(id, poller);
    }
    return poller.add(listener);
  }

  /**
   * Waits until a condition holds or the budget is used up; giving up is a normal result.
   * @throws the backend's error after three bad answers in a row, or the signal's reason.
   */
  async wait(id: string, { until, budgetMs, signal, onChange }: WaitOptions): Promise<WaitResult> {
    signal?.throwIfAborted();
    let last: Negotiation | undefined;
    let cancelTimer = () => {};
    let unsubscribe = () => {};
    let onAbort = () => {};
    try {
      return await new Promise<WaitResult>((resolve, reject) => {
        onAbort = () => reject(signal?.reason);
        signal?.addEventListener("abort", onAbort, { once: true });
        const giveUp = () => {
          if (last !== undefined) resolve({ snapshot: last, met: false });
          else cancelTimer = this.#deps.clock.after(FIRST_DELAY_MS, giveUp);
        };
        cancelTimer = this.#deps.clock.after(budgetMs, giveUp);
        unsubscribe = this.subscribe(id, {
          next: (snapshot) => {
            const changed = last === undefined || fingerprint(last) !== fingerprint(snapshot);
            last = snapshot;
            if (changed) onChange?.(snapshot);
            if (until(snapshot)) resolve({ snapshot, met: true });
            else if (phaseOf(snapshot.state) === "over") resolve({ snapshot, met: false });
          },
          fail: reject,
        });
      });
    } finally {
      cancelTimer();
      unsubscribe();
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Makes a running poller look again soon: somebody has just changed something. */
  nudge(id: string): void {
    this.#pollers.get(id)?.nudge();
  }

  /** Ends every poller, at shutdown. */
  close(): void {
    for (const poller of this.#pollers.values()) poller.stop(new DOMException("shutting down", "AbortError"));
  }
}

class Poller {
  readonly #id: string;
  readonly #deps: WatcherDeps;
  readonly #onStop: () => void;
  readonly #listeners = new Set<Listener>();
  readonly #abort = new AbortController();
  #wake = new AbortController();
  #last: Negotiation | undefined;

  constructor(id: string, deps: WatcherDeps, onStop: () => void) {
    this.#id = id;
    this.#deps = deps;
    this.#onStop = onStop;
    void this.#run();
  }

  add(listener: Listener): () => void {
    this.#listeners.add(listener);
    if (this.#last !== undefined) {
      listener.next(this.#last);
      this.nudge(); // a new waiter should not inherit a stale answer for seconds
    }
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  nudge(): void {
    this.#wake.abort();
  }

  stop(reason?: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.#onStop();
    this.#abort.abort(reason);
    if (reason !== undefined) for (const listener of this.#listeners) listener.fail(reason);
  }

  async #run(): Promise<void> {
    const { clock, get, random } = this.#deps;
    const { signal } = this.#abort;
    let looks = 0;
    let failures = 0;
    let changedAt = clock.now();
    await Promise.resolve(); // so that the first listener is there before the first answer
    while (!signal.aborted) {
      try {
        const snapshot = await get(this.#id, signal);
        failures = 0;
        if (this.#last === undefined || fingerprint(this.#last) !== fingerprint(snapshot)) {
          looks = 0;
          changedAt = clock.now();
        }
        this.#last = snapshot;
        for (const listener of [...this.#listeners]) listener.next(snapshot);
        if (phaseOf(snapshot.state) === "over") return this.stop();
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        if (failures > FAILURES_ALLOWED || (error instanceof TowowError && FINAL_CODES.test(error.code)))
          return this.stop(error);
      }
      await this.#pause(pollDelayMs(looks++, clock.now() - changedAt, random()));
      if (this.#wake.signal.aborted) {
        this.#wake = new AbortController();
        looks = 0;
      }
    }
  }

  /** Sleeps until the time is up, somebody nudges, or the poller stops. */
  async #pause(ms: number): Promise<void> {
    const signal = AbortSignal.any([this.#abort.signal, this.#wake.signal]);
    await this.#deps.clock.sleep(ms, signal).catch(() => {});
  }
}
