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
  readonly #leftMs = new Map<string, () => number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds until the backend goes on; below zero when it has. */
  leftMs(record: DatedRecord): number {
    const { negotiation_id: id, deadline_at } = record;
    const known = this.#leftMs.get(id);
    const byClockMs = deadline_at - this.#clock.now();
    if (known !== undefined) return Math.min(known(), byClockMs);
    // Submitted in the future: the clock was set back, and nobody knows how long ago that was.
    const leftMs = record.submitted_at - this.#clock.now() > SKEW_MS ? 0 : byClockMs;
    this.#measure(id, leftMs);
    return leftMs;
  }

  /** The backend has begun to wait later than was thought. Gives the new `deadline_at`. */
  extend(id: string, leftMs: number): number {
    this.#measure(id, leftMs);
    return this.#clock.now() + leftMs;
  }

  #measure(id: string, leftMs: number): void {
    const elapsedMs = stopwatch(this.#clock);
    this.#leftMs.delete(id);
    this.#leftMs.set(id, () => leftMs - elapsedMs());
    const [oldest] = this.#leftMs.keys();
    if (this.#leftMs.size > REMEMBERED && oldest !== undefined) this.#leftMs.delete(oldest);
  }
}
