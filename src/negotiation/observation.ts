import type { Negotiation } from "../backend/contract.ts";
import { type Clock, stopwatch } from "../clock.ts";
import { phaseOf, showsMatching } from "./backend-states.ts";

/** What this program has seen of the backend about one negotiation, and how long ago. */
export class Observation {
  readonly #clock: Clock;
  snapshot: Negotiation | undefined;
  /** Whether agents were ever seen to be asked, or looked for and not found. */
  hasSeenMatching = false;
  /** When the last read began that showed the text waiting for its decision; monotonic. */
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

  /** A read begins. Gives the time since then. */
  beginRead(): () => number {
    this.#sinceRequestMs = stopwatch(this.#clock);
    return this.#sinceRequestMs;
  }

  /** The read that began last is over, answered or not. */
  endRead(): void {
    this.#sinceRequestEndMs = stopwatch(this.#clock);
  }

  /** `sinceMs`: since the read began that showed it. */
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

  /** The backend says that it does not know it. */
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

  /** Since the last read that did not show the text yet: the backend's clock has not run for longer. */
  get sinceWithoutTextMs(): number | undefined {
    return this.#sinceWithoutTextMs?.();
  }

  get notFoundMs(): number | undefined {
    return this.#notFoundSince === undefined ? undefined : this.#clock.monotonic() - this.#notFoundSince;
  }
}
