import { type Clock, stopwatch } from "../clock.ts";
import type { NegotiationRecord } from "./history.ts";

/** Negotiations of which the time left is measured; an older one is only measured anew. */
const REMEMBERED = 10_000;
/** Replicas of one endpoint run on machines whose clocks differ a little. */
const SKEW_MS = 10_000;

/** Of a negotiation that was submitted here: nobody else's deadline is known. */
export type DatedRecord = NegotiationRecord & { deadline_at: number };

export const isDated = (record: NegotiationRecord): record is DatedRecord => record.deadline_at !== undefined;

/**
 * How long each negotiation has until the backend goes on by itself (contract §6, "the deadline is real"). A record
 * holds a time of day, and a clock may be set; so from its first sight on it is measured here as well, and whatever
 * says less counts.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #measured = new Map<string, { deadline_at: number; leftMs: () => number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the backend goes on; below zero when it has. */
  leftMs({ negotiation_id: id, deadline_at, submitted_at }: DatedRecord): number {
    const byClockMs = deadline_at - this.#clock.now();
    const measured = this.#measured.get(id);
    // A deadline that has changed is news of the program that watches it.
    if (measured?.deadline_at === deadline_at) return Math.min(measured.leftMs(), byClockMs);
    // Submitted in the future: the clock was set back, and nobody knows how long ago that was.
    const leftMs = submitted_at - this.#clock.now() > SKEW_MS ? 0 : byClockMs;
    this.#measure(id, deadline_at, leftMs);
    return leftMs;
  }

  /** The backend has begun to wait later than was thought. Gives the new `deadline_at`. */
  extend(id: string, leftMs: number): number {
    const deadline_at = this.#clock.now() + leftMs;
    this.#measure(id, deadline_at, leftMs);
    return deadline_at;
  }

  #measure(id: string, deadline_at: number, leftMs: number): void {
    const elapsedMs = stopwatch(this.#clock);
    this.#measured.delete(id);
    this.#measured.set(id, { deadline_at, leftMs: () => leftMs - elapsedMs() });
    const [oldest] = this.#measured.keys();
    if (this.#measured.size > REMEMBERED && oldest !== undefined) this.#measured.delete(oldest);
  }
}
