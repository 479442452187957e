import type { Clock } from "../clock.ts";
import { ShuttingDown } from "./errors.ts";
import { TIMES } from "./plan/times.ts";

/** The program's end, as the supervisor of one negotiation meets it. */
export class ProgramEnd {
  readonly #clock: Clock;
  #how: "no" | "withdraw" | "leave" = "no";
  #requests = new AbortController();
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get how(): "no" | "withdraw" | "leave" {
    return this.#how;
  }

  /** Nothing is tried any more. */
  get isOver(): boolean {
    return this.#how !== "no" && this.leftMs === 0;
  }

  /** Ends a request that can be given up; its reason is `ShuttingDown`. */
  get signal(): AbortSignal {
    return this.#requests.signal;
  }

  /** How long what only this program can finish may still take, in milliseconds. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - this.#clock.monotonic());
  }

  /** The longest that a request may take now; one that is begun gets the time to arrive. */
  get timeoutMs(): number {
    return Math.max(this.leftMs, TIMES.urgentCancelTimeoutMs);
  }

  /**
   * Aborts the read that is running. Waits up to `lastMs` for `work`, and then for the request in flight; what could not
   * be withdrawn by then is left. `goOn` wakes it.
   */
  async run(
    how: "withdraw" | "leave",
    { lastMs, goOn, work }: { lastMs: number; goOn: () => void; work: Promise<void> | undefined },
  ): Promise<void> {
    this.#how = how;
    this.#requests.abort(new ShuttingDown());
    this.#endsAt = this.#clock.monotonic() + lastMs;
    this.#requests = new AbortController();
    const cancelTimer = this.#clock.after(lastMs, () => {
      this.#how = "leave";
      this.#requests.abort(new ShuttingDown());
      goOn();
    });
    goOn();
    await work;
    cancelTimer();
  }
}
