/** One call as it was logged, without its arguments and its result (agent layer §7, §9). */
export interface LoggedCall {
  /** The time at which the call ended, in milliseconds since the epoch. */
  at: number;
  tool: string;
  status: "completed" | "error" | "asked" | "task" | "cancelled";
  duration_ms: number;
  error_code: string | null;
  request_id: string;
  warnings_count: number;
  /** How many times in a row this session has made the same call, as in the rounds of a wait or of a call that asks. */
  iteration: number;
  /** The backend's host. */
  provider: string | null;
  cache_hit: boolean;
}

const MAX_CALLS = 100;

/** Keeps the last calls of one session for `towow://evidence/recent`. */
export class RecentCalls {
  readonly #calls: LoggedCall[] = [];

  /** Keeps a call, and drops the oldest of more than 100. */
  add(call: LoggedCall): void {
    this.#calls.push(call);
    if (this.#calls.length > MAX_CALLS) this.#calls.shift();
  }

  /** Lists the calls, newest first. */
  recent(): LoggedCall[] {
    return this.#calls.toReversed();
  }
}

/** Counts the rounds of one call, which a client repeats to go on waiting or to bring an answer. */
export class Rounds {
  #last: string | undefined;
  #count = 0;

  /** Returns the round of a call, from 1. `key` stands for the tool with its arguments, and another key begins anew. */
  next(key: string): number {
    this.#count = key === this.#last ? this.#count + 1 : 1;
    this.#last = key;
    return this.#count;
  }
}
