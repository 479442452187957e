/** One call as it was logged: never its arguments, never what it returned (agent layer §7, §9). */
export interface LoggedCall {
  /** When it ended, ms since the epoch. */
  at: number;
  tool: string;
  status: "completed" | "error" | "asked" | "task" | "cancelled";
  duration_ms: number;
  error_code: string | null;
  request_id: string;
  warnings_count: number;
  /** How often this session has made the same call in a row: rounds of a wait, or of a call that asked. */
  iteration: number;
  /** The backend's host. */
  provider: string | null;
  cache_hit: boolean;
}

const MAX_CALLS = 100;

/** The last calls of one session, for `towow://evidence/recent`. */
export class RecentCalls {
  readonly #calls: LoggedCall[] = [];

  /** Keeps a call; the oldest of more than 100 is dropped. */
  add(call: LoggedCall): void {
    this.#calls.push(call);
    if (this.#calls.length > MAX_CALLS) this.#calls.shift();
  }

  /** Newest first. */
  recent(): LoggedCall[] {
    return this.#calls.toReversed();
  }
}

/** Counts the rounds of one call: a wait that is called again, or a call that comes back with an answer. */
export class Rounds {
  #last: string | undefined;
  #count = 0;

  /** `key`: of the tool with its arguments. From 1; another call begins anew. */
  next(key: string): number {
    this.#count = key === this.#last ? this.#count + 1 : 1;
    this.#last = key;
    return this.#count;
  }
}
