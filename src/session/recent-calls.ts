/** Records one call as it was logged, without its arguments and what it returned (agent layer §7, §9). */
export interface LoggedCall {
  /** The call ended at this time, ms since the epoch. */
  at: number;
  tool: string;
  status: "completed" | "error" | "asked" | "task" | "cancelled";
  duration_ms: number;
  error_code: string | null;
  request_id: string;
  warnings_count: number;
  /** This session has made the same call this many times in a row: rounds of a wait, or of a call that asked. */
  iteration: number;
  /** The backend's host. */
  provider: string | null;
  cache_hit: boolean;
}

const MAX_CALLS = 100;

/** Keeps the last calls of one session for `towow://evidence/recent`. */
export class RecentCalls {
  readonly #calls: LoggedCall[] = [];

  /** Keeps a call. Beyond 100 the oldest is dropped. */
  add(call: LoggedCall): void {
    this.#calls.push(call);
    if (this.#calls.length > MAX_CALLS) this.#calls.shift();
  }

  /** Lists the calls, newest first. */
  recent(): LoggedCall[] {
    return this.#calls.toReversed();
  }
}

/** Counts the rounds of one call: a repeated wait, or a call that comes back with an answer. */
export class Rounds {
  #last: string | undefined;
  #count = 0;

  /** Returns the round, from 1, of a call. `key` is of the tool with its arguments; another call begins anew. */
  next(key: string): number {
    this.#count = key === this.#last ? this.#count + 1 : 1;
    this.#last = key;
    return this.#count;
  }
}
