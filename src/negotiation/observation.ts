import type { Negotiation } from "../backend/contract.ts";
import { type Clock, stopwatch } from "../clock.ts";
import { phaseOf, showsMatching } from "./backend-states.ts";

/** What this program has seen of the backend about one negotiation, and how long ago. */
export class Observation {
  readonly #clock: Clock;
  snapshot: Negotiation | undefined;
  /** Whether agents were ever seen to be asked, or looked for and not found. */
  hasSeenMatching = false;
  /** When the last read began that showed the text waiting for its decision, on the monotonic clock. */
  waitingAt: number | undefined;
  #sinceReadMs: (() => number) | undefined;
  #sinceAnswerMs: (() => number) | undefined;
  #sinceRequestMs: (() => number) | undefined;
  #sinceRequestEndMs: (() => number) | undefined;
  #sinceWithoutTextMs: (() => number) | undefined;
  #notFoundSince: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Notes that a read begins, and gives a function that measures the time since then. */
  beginRead(): () => number {
    this.#sinceRequestMs = stopwatch(this.#clock);
    return this.#sinceRequestMs;
  }

  /** Notes that the read that began last is over, answered or not. */
  endRead(): void {
    this.#sinceRequestEndMs = stopwatch(this.#clock);
  }

  /** Takes note of what a read showed. `sinceMs` measures the time since that read began. */
  show(snapshot: Negotiation, sinceMs: () => number): void {
    const phase = phaseOf(snapshot.state);
    this.snapshot = snapshot;
    this.#sinceReadMs = sinceMs;
    this.#sinceAnswerMs = stopwatch(this.#clock);
    this.#notFoundSince = undefined;
    if (phase === "before") this.#sinceWithoutTextMs = sinceMs;
    if (phase === "asking") this.waitingAt = this.#clock.monotonic() - sinceMs();
    if (showsMatching(snapshot)) this.hasSeenMatching = true;
  }

  /** Takes note that the backend does not know the negotiation. */
  showNotFound(): void {
    this.#notFoundSince ??= this.#clock.monotonic();
    this.snapshot = undefined;
  }

  get sinceReadMs(): number | undefined {
    return this.#sinceReadMs?.();
  }

  get sinceAnswerMs(): number | undefined {
    return this.#sinceAnswerMs?.();
  }

  get sinceRequestMs(): number | undefined {
    return this.#sinceRequestMs?.();
  }

  get sinceRequestEndMs(): number | undefined {
    return this.#sinceRequestEndMs?.();
  }

  /**
   * The time since the last read that did not show the text yet, in milliseconds. The backend's clock has not run for
   * longer.
   */
  get sinceWithoutTextMs(): number | undefined {
    return this.#sinceWithoutTextMs?.();
  }

  get notFoundMs(): number | undefined {
    return this.#notFoundSince === undefined ? undefined : this.#clock.monotonic() - this.#notFoundSince;
  }
}
