import type { Negotiation } from "../../backend/contract.ts";
import type { Clock } from "../../clock.ts";
import { TowowError } from "../../errors.ts";
import { phaseOf } from "../backend-states.ts";
import { fingerprint } from "../fingerprint.ts";

/** Somebody who waits for news. */
export interface Listener {
  /** Reads the negotiation, in the name of the call that waits. */
  read: (signal: AbortSignal) => Promise<Negotiation>;
  next: (snapshot: Negotiation) => void;
  fail: (error: unknown) => void;
  /** Called for each read that fails, even when more reads follow. */
  missed?: ((error: unknown) => void) | undefined;
  /** How long the listener will still wait, in milliseconds; undefined if it waits without a limit. */
  leftMs?: (() => number) | undefined;
}

/** How a process polls. */
export interface Polling {
  /** Uniform in [0, 1); it spreads the polls of many processes. */
  random: () => number;
  /** Called at each repeated read, so that an endpoint can count them. */
  onPoll?: () => void;
}

export interface PollerDeps extends Polling {
  clock: Clock;
}

const FIRST_DELAY_MS = 250;
const GROWTH = 1.5;
const CALM_DELAY_MS = 3_000;
const QUIET_DELAY_MS = 10_000;
const QUIET_AFTER_MS = 120_000;
/** After news that the feed announced, the pace is that of so many reads, since the feed will announce what comes next. */
const READS_WITH_FEED = 6;
const FAILURES_ALLOWED = 2;
/** A listener without a limit is failed when the backend wants to be left alone for longer than this. */
const LONGEST_REST_MS = 60_000;
/** Asking again does not change these errors (contract §5). */
const FINAL_CODES = /^tool\.(auth\.|.*\.not_found\.|config\.(?!unavailable\.))/;

/** Whether asking again is of no use: the id is unknown, the token refused or a setting wrong. */
export const isFinal = (error: unknown): boolean => error instanceof TowowError && FINAL_CODES.test(error.code);

/**
 * The pause before the next read, in milliseconds. It grows by half from 250 ms to 3 s, and to 10 s when nothing has
 * moved for minutes, with a jitter of ±10 %.
 */
export function pollDelayMs(reads: number, sinceChangeMs: number, random: number): number {
  const cap = sinceChangeMs > QUIET_AFTER_MS ? QUIET_DELAY_MS : CALM_DELAY_MS;
  const base = Math.min(cap, FIRST_DELAY_MS * GROWTH ** Math.min(reads, 20));
  return Math.round(base * (0.9 + 0.2 * random));
}

/**
 * Reads one negotiation, with one user's right to it, for everything of that user's that waits for it. Three failures in
 * a row, or a final one, end every wait with the cause. The poller stops with its last listener.
 */
export class Poller {
  readonly #deps: PollerDeps;
  readonly #onStop: (stopped: Poller) => void;
  readonly #listeners = new Set<Listener>();
  readonly #abort = new AbortController();
  #wake = new AbortController();
  #isNudged = false;
  #isReading = false;
  #failures = 0;
  /** What the last read showed. */
  #last: Negotiation | undefined;
  /** The backend has asked to be left alone until then, by the monotonic clock, with this error. */
  #rest: { until: number; error: unknown } | undefined;

  constructor(first: Listener, deps: PollerDeps, onStop: (stopped: Poller) => void) {
    this.#deps = deps;
    this.#onStop = onStop;
    this.#listeners.add(first);
    void this.#read();
    void this.#run();
  }

  /** The listener is given what the last read showed, if there was one, and from then on every read. */
  add(listener: Listener): void {
    this.#listeners.add(listener);
    if (this.#restMs > 0) this.#failImpatient();
    if (this.#last === undefined) return;
    listener.next(this.#last);
    this.nudge(); // A new listener should not have to live with a stale answer for seconds.
  }

  drop(listener: Listener): void {
    this.#listeners.delete(listener);
    this.#stopIfDone();
  }

  /** Somebody has changed something, so the poller reads soon, and often for a while. */
  nudge(): void {
    this.#isNudged = true;
    this.#wake.abort();
  }

  /** The feed announces news, so the poller reads once. However many hints come, reads are `FIRST_DELAY_MS` apart. */
  hint(): void {
    this.#wake.abort();
  }

  /** Ends the polling; with a reason, the waits fail with it. */
  stop(reason?: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.#onStop(this);
    this.#abort.abort(reason);
    if (reason !== undefined) this.#fail(reason);
  }

  get #restMs(): number {
    return Math.max(0, (this.#rest?.until ?? 0) - this.#deps.clock.monotonic());
  }

  #stopIfDone(): void {
    const isOver = this.#last !== undefined && phaseOf(this.#last.state) === "over";
    if (isOver || this.#listeners.size === 0) this.stop();
  }

  /** Reads once, and resolves with whether the answer differs from the one before; the first differs from none. */
  async #read(): Promise<boolean> {
    const [listener] = this.#listeners;
    if (listener === undefined) return false;
    const { signal } = this.#abort;
    this.#isReading = true;
    try {
      const snapshot = await listener.read(signal);
      return !signal.aborted && this.#show(snapshot);
    } catch (error) {
      if (!signal.aborted) this.#miss(error);
      return false;
    } finally {
      this.#isReading = false;
      this.#stopIfDone();
    }
  }

  #show(snapshot: Negotiation): boolean {
    const isNew = this.#last !== undefined && fingerprint(this.#last) !== fingerprint(snapshot);
    this.#failures = 0;
    this.#last = snapshot;
    for (const each of [...this.#listeners]) each.next(snapshot);
    return isNew;
  }

  #miss(error: unknown): void {
    this.#failures += 1;
    for (const each of [...this.#listeners]) each.missed?.(error);
    if (isFinal(error) || this.#failures > FAILURES_ALLOWED) this.#fail(error);
    else if (error instanceof TowowError && error.retryAfterSeconds !== undefined) {
      this.#rest = { until: this.#deps.clock.monotonic() + error.retryAfterSeconds * 1000, error };
      this.#failImpatient();
    }
  }

  /** Ends the waits that would be over before the backend wants to be asked again. */
  #failImpatient(): void {
    for (const listener of [...this.#listeners]) {
      if ((listener.leftMs?.() ?? LONGEST_REST_MS) >= this.#restMs) continue;
      this.#listeners.delete(listener);
      listener.fail(this.#rest?.error);
    }
  }

  #fail(error: unknown): void {
    const ended = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of ended) listener.fail(error);
  }

  async #run(): Promise<void> {
    const { clock, random, onPoll } = this.#deps;
    const { signal } = this.#abort;
    let reads = 0;
    let changedAt = clock.monotonic();
    while (!signal.aborted) {
      const isHinted = await this.#pause(pollDelayMs(reads++, clock.monotonic() - changedAt, random()));
      if (this.#isNudged) reads = 0;
      this.#isNudged = false;
      if (signal.aborted || this.#isReading || this.#restMs > 0) continue;
      onPoll?.();
      if (!(await this.#read())) continue;
      reads = isHinted ? READS_WITH_FEED : 0;
      changedAt = clock.monotonic();
    }
  }

  /** Sleeps until the time is up, somebody nudges, or the poller stops. Resolves with true when only the feed ended it. */
  async #pause(ms: number): Promise<boolean> {
    const { clock } = this.#deps;
    const from = clock.monotonic();
    const stopped = this.#abort.signal;
    await clock.sleep(ms, AbortSignal.any([stopped, this.#wake.signal])).catch(() => {});
    const isHinted = this.#wake.signal.aborted && !this.#isNudged;
    const restMs = Math.min(ms, FIRST_DELAY_MS) - (clock.monotonic() - from);
    if (isHinted && restMs > 0) await clock.sleep(restMs, stopped).catch(() => {});
    this.#wake = new AbortController();
    return isHinted;
  }
}
