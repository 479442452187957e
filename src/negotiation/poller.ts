import type { Negotiation } from "../backend/contract.ts";
import type { Clock } from "../clock.ts";
import { TowowError } from "../errors.ts";
import type { PollSharing, Share } from "./poll-sharing.ts";
import { fingerprint, phaseOf } from "./states.ts";

export interface PollerDeps {
  clock: Clock;
  /** Uniform in [0, 1): spreads the polls of many processes. */
  random: () => number;
  /** Absent where this process is the only one that polls. */
  sharing?: PollSharing | undefined;
  /** Told of each look, for counting. */
  onPoll?: () => void;
}

/** Somebody who waits for news. */
export interface Listener {
  /** Reads the negotiation with this listener's own right to it. */
  read: (signal: AbortSignal) => Promise<Negotiation>;
  next: (snapshot: Negotiation) => void;
  fail: (error: unknown) => void;
}

const FIRST_DELAY_MS = 250;
const GROWTH = 1.5;
const CALM_DELAY_MS = 3_000;
const QUIET_DELAY_MS = 10_000;
const QUIET_AFTER_MS = 120_000;
const FAILURES_ALLOWED = 2;
/** How often a process that does not poll looks whether it should. */
const LEASE_LOOK_MS = 1_500;
/** These will not get better by asking again (contract §5). */
const FINAL_CODES = /^tool\.(auth\.|.*\.not_found\.|config\.(?!unavailable\.))/;

/** Whether asking again is of no use: an unknown id, a refused token, a wrong setting. */
export const isFinal = (error: unknown): boolean => error instanceof TowowError && FINAL_CODES.test(error.code);

/** The pause before the next look: grows by half from 250 ms to 3 s, to 10 s when nothing has moved for minutes; ±10 % jitter. */
export function pollDelayMs(looks: number, sinceChangeMs: number, random: number): number {
  const cap = sinceChangeMs > QUIET_AFTER_MS ? QUIET_DELAY_MS : CALM_DELAY_MS;
  const base = Math.min(cap, FIRST_DELAY_MS * GROWTH ** Math.min(looks, 20));
  return Math.round(base * (0.9 + 0.2 * random));
}

/**
 * Looks at one negotiation for all who wait for it here. Where several processes share the looking, one of them asks
 * the backend and tells the others; when that one is gone another takes over.
 */
export class Poller {
  readonly #deps: PollerDeps;
  readonly #onStop: () => void;
  readonly #listeners = new Set<Listener>();
  readonly #abort = new AbortController();
  readonly #share: Share | undefined;
  #wake = new AbortController();
  #last: Negotiation | undefined;
  #catchingUp = false;

  constructor(id: string, deps: PollerDeps, onStop: () => void) {
    this.#deps = deps;
    this.#onStop = onStop;
    this.#share = deps.sharing?.join(id, {
      snapshot: (snapshot) => this.#tell(snapshot),
      seen: (fingerprinted) => {
        if (this.#last !== undefined && fingerprint(this.#last) !== fingerprinted) void this.#catchUp();
      },
      nudge: () => this.#wake.abort(),
    });
    void this.#run();
  }

  /** `seen` is what the listener has just read for itself; without it, it is told the last snapshot. */
  add(listener: Listener, seen?: Negotiation): () => void {
    this.#listeners.add(listener);
    if (seen !== undefined) {
      if (this.#last === undefined) this.#last = seen;
      else if (fingerprint(this.#last) !== fingerprint(seen)) this.nudge();
    } else if (this.#last !== undefined) {
      listener.next(this.#last);
      this.nudge(); // a new waiter should not inherit a stale answer for seconds
    }
    return () => this.#drop(listener);
  }

  nudge(): void {
    this.#wake.abort();
    this.#share?.nudge();
  }

  stop(reason?: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.#onStop();
    this.#share?.leave();
    this.#abort.abort(reason);
    if (reason !== undefined) for (const listener of this.#listeners) listener.fail(reason);
  }

  #drop(listener: Listener): void {
    this.#listeners.delete(listener);
    if (this.#listeners.size === 0) this.stop();
  }

  /** This listener's right has ended; the others have their own. */
  #dismiss(listener: Listener, error: unknown): void {
    this.#drop(listener);
    listener.fail(error);
  }

  /** A snapshot was missed, for a channel keeps nothing: read once, without becoming the one that polls. */
  async #catchUp(): Promise<void> {
    if (this.#catchingUp) return;
    this.#catchingUp = true;
    const { signal } = this.#abort;
    for (const reader of [...this.#listeners]) {
      try {
        const snapshot = await reader.read(signal);
        if (!signal.aborted) this.#tell(snapshot);
        break;
      } catch (error) {
        if (signal.aborted || !isFinal(error)) break; // the next message tells again what was missed
        this.#dismiss(reader, error);
      }
    }
    this.#catchingUp = false;
  }

  #tell(snapshot: Negotiation): void {
    this.#last = snapshot;
    for (const listener of [...this.#listeners]) listener.next(snapshot);
    if (phaseOf(snapshot.state) === "over") this.stop();
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#deps;
    const share = this.#share;
    const { signal } = this.#abort;
    let looks = 0;
    let failures = 0;
    let changedAt = clock.monotonic();
    await Promise.resolve(); // so that the first listener is there before the first answer
    while (!signal.aborted) {
      if (share !== undefined && !(await share.mayPoll())) {
        await this.#pause(LEASE_LOOK_MS);
        this.#wake = new AbortController();
        continue;
      }
      const [reader] = this.#listeners;
      if (reader === undefined || signal.aborted) return;
      try {
        this.#deps.onPoll?.();
        const snapshot = await reader.read(signal);
        failures = 0;
        const mark = fingerprint(snapshot);
        const changed = this.#last === undefined || fingerprint(this.#last) !== mark;
        if (changed) {
          looks = 0;
          changedAt = clock.monotonic();
        }
        share?.publish(mark, changed ? snapshot : undefined);
        this.#tell(snapshot);
      } catch (error) {
        if (signal.aborted) return;
        if (isFinal(error)) {
          this.#dismiss(reader, error);
          failures = 0;
          continue;
        }
        failures += 1;
        if (failures > FAILURES_ALLOWED) return this.stop(error);
      }
      await this.#pause(pollDelayMs(looks++, clock.monotonic() - changedAt, random()));
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
