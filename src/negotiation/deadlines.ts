import { type Clock, stopwatch } from "../clock.ts";
import type { NegotiationRecord } from "./history.ts";

/** Negotiations of which the time left is measured; an older one is only measured anew. */
const REMEMBERED = 10_000;
/** Replicas of one endpoint run on machines whose clocks differ a little. */
const SKEW_MS = 10_000;

/** Of a negotiation that was submitted here: nobody else's deadline is known. */
export type DatedRecord = NegotiationRecord & { deadline_at: number };

export const isDated = (record: NegotiationRecord): record is DatedRecord => record.deadline_at !== undefined;

interface Measured {
  deadline_at: number;
  leftMs: () => number;
  leftAtMostMs: () => number;
}

/**
 * How long each negotiation has until the backend goes on by itself (contract §6, "the deadline is real"). A record
 * holds a time of day, and a clock may be set; so from its first sight on it is measured here as well, and whatever
 * says less counts.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #measured = new Map<string, Measured>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the backend goes on, if the worst is true of clock and timers; below zero when it has. */
  leftMs(record: DatedRecord): number {
    return Math.min(this.#of(record).leftMs(), record.deadline_at - this.#clock.now());
  }

  /** As long as that it may still wait: a clock that was set forward has not shortened its patience. */
  leftAtMostMs(record: DatedRecord): number {
    return this.#of(record).leftAtMostMs();
  }

  /** The backend has begun to wait later than was thought. Gives the new `deadline_at`. */
  extend(id: string, leftMs: number): number {
    return this.#measure(id, this.#clock.now() + leftMs, leftMs).deadline_at;
  }

  #of({ negotiation_id: id, deadline_at, submitted_at }: DatedRecord): Measured {
    const measured = this.#measured.get(id);
    if (measured?.deadline_at === deadline_at) return measured; // another one is news of the program that watches it
    const now = this.#clock.now();
    // Submitted in the future: the clock was set back, and nobody knows how long ago that was.
    return this.#measure(id, deadline_at, submitted_at - now > SKEW_MS ? 0 : deadline_at - now);
  }

  #measure(id: string, deadline_at: number, leftMs: number): Measured {
    const elapsedMs = stopwatch(this.#clock);
    const mark = this.#clock.monotonic();
    const measured: Measured = {
      deadline_at,
      leftMs: () => leftMs - elapsedMs(),
      leftAtMostMs: () => leftMs - (this.#clock.monotonic() - mark),
    };
    this.#measured.delete(id);
    this.#measured.set(id, measured);
    const [oldest] = this.#measured.keys();
    if (this.#measured.size > REMEMBERED && oldest !== undefined) this.#measured.delete(oldest);
    return measured;
  }
}
