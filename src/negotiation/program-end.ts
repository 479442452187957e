import type { Clock } from "../clock.ts";
import { Failure } from "../errors.ts";
import { TIMES } from "./plan.ts";

/** Whether the program runs on or ends, and what becomes of what is undecided then. */
type EndMode = "running" | "withdraw" | "leave";

/** The program's end, as the supervisor of one negotiation meets it. */
export class ProgramEnd {
  readonly #clock: Clock;
  #mode: EndMode = "running";
  #requests = new AbortController();
  #endsAt = Number.POSITIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get mode(): EndMode {
    return this.#mode;
  }

  /** Whether nothing is tried any more. */
  get isOver(): boolean {
    return this.#mode !== "running" && this.leftMs === 0;
  }

  /** Ends a request that can be given up; its reason is `tool.negotiation.unavailable.shutting_down`. */
  get signal(): AbortSignal {
    return this.#requests.signal;
  }

  /** How long this program may still try what no other can finish, in milliseconds. */
  get leftMs(): number {
    return Math.max(0, this.#endsAt - this.#clock.monotonic());
  }

  /** The longest that a request may take now, in milliseconds. A request that is begun gets the time to arrive. */
  get timeoutMs(): number {
    return Math.max(this.leftMs, TIMES.urgentCancelTimeoutMs);
  }

  /**
   * Aborts the read that is under way, wakes the supervisor with `goOn`, and waits up to `lastMs` for `running` and
   * then for the request in flight. What could not be withdrawn by then is left.
   */
  async run(
    mode: Exclude<EndMode, "running">,
    { lastMs, goOn, running }: { lastMs: number; goOn: () => void; running: Promise<void> | undefined },
  ): Promise<void> {
    this.#mode = mode;
    this.#requests.abort(new Failure("tool.negotiation.unavailable.shutting_down"));
    this.#endsAt = this.#clock.monotonic() + lastMs;
    this.#requests = new AbortController();
    const cancelTimer = this.#clock.after(lastMs, () => {
      this.#mode = "leave";
      this.#requests.abort(new Failure("tool.negotiation.unavailable.shutting_down"));
      goOn();
    });
    goOn();
    await running;
    cancelTimer();
  }
}
