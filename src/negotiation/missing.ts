import type { Clock } from "../clock.ts";
import { type Deadlines, isDated } from "./deadlines.ts";
import type { NegotiationRecord } from "./history.ts";

/** A deployment, or a gateway that has lost its way, is over by then. */
const PASSES_MS = 60_000;

/**
 * Negotiations that the backend says it does not know. One of several workers may not know what another one is about to
 * broadcast: it is believed when it has been said for a minute, and nothing can go out any more.
 */
export class Missing {
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  readonly #since = new Map<string, number>();

  constructor(clock: Clock, deadlines: Deadlines) {
    this.#clock = clock;
    this.#deadlines = deadlines;
  }

  /** Notes that it was not found just now; whether that is believed. */
  isGone(record: NegotiationRecord): boolean {
    const { negotiation_id: id } = record;
    const since = this.#since.get(id) ?? this.#clock.monotonic();
    this.#since.set(id, since);
    if (this.#clock.monotonic() - since < PASSES_MS) return false;
    if (isDated(record) && this.#deadlines.leftAtMostMs(record) > 0) return false;
    this.#since.delete(id);
    return true;
  }

  /** It is there after all. */
  found(id: string): void {
    this.#since.delete(id);
  }
}
