import type { BackendClient } from "../backend/client.ts";
import { OutcomeUnknown, ReadTimeout } from "../backend/errors.ts";
import type { Clock } from "../clock.ts";
import type { Platform } from "../platform.ts";
import type { FactStore, Owner } from "./facts.ts";
import type { Policy } from "./plan.ts";

/**
 * Returns the client of one particular backend, even if another backend is configured by now. A mistake in the settings
 * refuses only the requests of tool calls (`isCall`), and no profile refuses a cancel that this program sends by
 * itself. `requestId` is the id of the call that caused the request. With `account` the client acts as that account for
 * as long as the account's token is known, even if another account is configured by now.
 */
export type PinnedBackend = (asker: {
  requestId?: string | undefined;
  isCall: boolean;
  account?: string | undefined;
}) => Promise<BackendClient>;

/**
 * What the negotiation core needs from outside, such as the backend, the store, time, and what the program knows about
 * itself.
 */
export interface CoreDeps extends Platform {
  /** The origin of the backend that holds these negotiations. */
  origin: string;
  /**
   * Returns the client of the backend that is configured now. The client's requests carry `requestId`, the id of the
   * tool call that caused them.
   */
  backend: (requestId?: string) => Promise<BackendClient>;
  /** Binds the backend that is configured now, because another one may be configured later. */
  pinBackend: () => PinnedBackend;
  facts: FactStore;
  /** Returns the id of the user whose negotiations these are, by the token that is used now. */
  userId: () => Promise<string>;
  /** Returns the id of that user if it is already known. The function is absent if the id never changes. */
  knownUserId?: (() => string | undefined) | undefined;
  owner: Owner;
  /**
   * Resolves with whether a program still runs, be it a process of this machine or a replica of this endpoint. The
   * program counts as running only if it has given a sign of life within the last `silentMs`.
   */
  isAlive: (owner: Owner, silentMs?: number) => Promise<boolean>;
  /**
   * Resolves with whether another program of this home sees the negotiations that this program begins and may take them
   * over. The function is absent if no other program can.
   */
  hasPeers?: (() => Promise<boolean>) | undefined;
  policy: () => Policy;
  /** Makes the poller of a negotiation read soon, because this program has changed something at the backend. */
  nudge: (id: string) => void;
}

/** The call on whose behalf something is done. Requests carry the call's id, and waits end with its signal. */
export interface Call {
  requestId?: string | undefined;
  signal?: AbortSignal | undefined;
  /**
   * The longest that the call may wait, in milliseconds. Without a budget the call waits as long as its requests take.
   */
  budgetMs?: number | undefined;
  /**
   * Notes that the call now waits for a person or for the network's next state, until the returned function is called.
   */
  beginWait?: (() => () => void) | undefined;
}

/**
 * How much longer than its budget a call may take, in milliseconds. With the usual budget of 45 s, a call still ends
 * within a minute.
 */
const GRACE_MS = 10_000;
/**
 * The least time that a call waits, in milliseconds. Even a call whose budget is 0 waits for the answer to one request.
 */
const LEAST_MS = 30_000;

/**
 * The moment at which a call stops waiting. Each request has its own time limit, but a call may need several requests
 * and may wait behind those of other calls, while many clients give up after a minute. What the call has begun goes on
 * without it.
 */
export class CallLimit {
  readonly #clock: Clock;
  readonly #limitMs: number | undefined;
  readonly #beganAt: number;

  /** Begins to measure the limit, at the moment when the call begins. A call without a budget has no limit. */
  constructor(clock: Clock, budgetMs: number | undefined) {
    this.#clock = clock;
    this.#limitMs = budgetMs === undefined ? undefined : Math.max(LEAST_MS, budgetMs + GRACE_MS);
    this.#beganAt = clock.monotonic();
  }

  /**
   * Returns how long the call may still wait, in milliseconds. The monotonic clock measures that time, because time
   * during which the machine slept does not count.
   */
  get leftMs(): number {
    if (this.#limitMs === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#limitMs - (this.#clock.monotonic() - this.#beganAt));
  }

  /**
   * Runs `work` with a signal that aborts at the limit, with ReadTimeout as its reason, or with `signal` and its
   * reason.
   */
  async within<T>(
    operation: string,
    work: (limit: AbortSignal | undefined) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const timeout_ms = this.#limitMs;
    if (timeout_ms === undefined) return work(signal);
    const limit = new AbortController();
    const onAbort = () => limit.abort(signal?.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
    const abort = () => limit.abort(new ReadTimeout({ operation, timeout_ms }));
    const cancelTimer = this.#clock.after(this.leftMs, abort);
    try {
      return await work(limit.signal);
    } finally {
      cancelTimer();
      signal?.removeEventListener("abort", onAbort);
    }
  }
}

/**
 * Resolves with the result of a write. If the signal aborts first, the write goes on without the caller.
 * @throws OutcomeUnknown if the signal aborts first
 */
export async function orUnknown<T>(write: Promise<T>, operation: string, limit: AbortSignal | undefined): Promise<T> {
  const done = await orUndefined(
    write.then((value) => ({ value })),
    limit,
  );
  if (done === undefined) throw new OutcomeUnknown({ operation, reason: "timeout" }, { cause: limit?.reason });
  return done.value;
}

/** Resolves with the result of `work`, or with undefined if the signal aborts first. */
export async function orUndefined<T>(work: Promise<T>, limit: AbortSignal | undefined): Promise<T | undefined> {
  if (limit === undefined) return work;
  const { promise: aborted, resolve } = Promise.withResolvers<undefined>();
  const onAbort = () => resolve(undefined);
  if (limit.aborted) onAbort();
  limit.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    limit.removeEventListener("abort", onAbort);
  }
}
