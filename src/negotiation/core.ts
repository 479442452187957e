import type { BackendClient } from "../backend/client.ts";
import { OutcomeUnknown, ReadTimeout } from "../backend/errors.ts";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { FactStore, Owner } from "./facts.ts";
import type { Policy } from "./plan.ts";

/**
 * Gives the client of one backend, whatever is configured by now. A mistake in the settings, and most profiles, stop
 * what a tool call asks for (`isCall`) but not what this program must do for a negotiation by itself. `requestId` is
 * the id of the call that caused the request. With `account` the client asks as that account for as long as its token
 * is known, whoever is configured by now.
 */
export type PinnedBackend = (asker: {
  requestId?: string | undefined;
  isCall: boolean;
  account?: string | undefined;
}) => Promise<BackendClient>;

/** What the core needs from outside. Everything that touches the world is handed in. */
export interface CoreDeps {
  /** The backend's origin, whose negotiations these are. */
  origin: string;
  /**
   * Gives the client of the backend that is configured now. Its requests carry the id of the tool call, if one is
   * given.
   */
  backend: (requestId?: string) => Promise<BackendClient>;
  /** Holds on to the backend that is configured now, because another one may be configured later. */
  pinBackend: () => PinnedBackend;
  facts: FactStore;
  clock: Clock;
  log: Log;
  /** Makes a new id that nobody can guess. */
  newId: () => string;
  /** Gives the SHA-256 of a text, in hex. */
  hash: (text: string) => string;
  /** Whose negotiations these are, by the token that is used now. */
  userId: () => Promise<string>;
  /** Gives the same id if it is already known. It is absent where the id never changes. */
  knownUserId?: (() => string | undefined) | undefined;
  /** Names this running program. */
  owner: Owner;
  /**
   * Whether that program still runs, be it a process of this machine or a replica of this endpoint. It counts as
   * running only if it has given a sign of life within the last `silentMs`.
   */
  isAlive: (owner: Owner, silentMs?: number) => Promise<boolean>;
  /** Whether another program of this home watches what this one begins. It is absent where no other program can. */
  hasCompany?: (() => Promise<boolean>) | undefined;
  policy: () => Policy;
  /** Tells the pollers to read soon, because something was changed at the backend. */
  nudge: (id: string) => void;
}

/** The call on whose behalf something is done. Requests carry the call's id, and waits end with its signal. */
export interface Call {
  requestId?: string | undefined;
  signal?: AbortSignal | undefined;
  /** The longest that the call may wait, in milliseconds; without one, it waits as long as its requests take. */
  budgetMs?: number | undefined;
  /** It waits from now on, until the returned function is called: for a person, or for the network's next state. */
  beginWait?: (() => () => void) | undefined;
}

/** A call may need this much longer than its budget. With the usual budget of 45 s it still ends within a minute. */
const GRACE_MS = 10_000;
/** Even a call whose budget is 0 waits for the answer to one request. */
const LEAST_MS = 30_000;

/**
 * The moment at which a call stops waiting. Each request has a bound of its own, but a call may need several and may
 * wait behind those of others, while many clients give up after a minute. What the call has begun goes on without it.
 */
export class CallLimit {
  readonly #clock: Clock;
  readonly #limitMs: number | undefined;
  readonly #beganAt: number;

  /** The limit is measured from this moment, when the call begins. A call without a budget has no limit. */
  constructor(clock: Clock, budgetMs: number | undefined) {
    this.#clock = clock;
    this.#limitMs = budgetMs === undefined ? undefined : Math.max(LEAST_MS, budgetMs + GRACE_MS);
    this.#beganAt = clock.monotonic();
  }

  /**
   * How long the call may still wait, in ms. It is measured by timers alone, as the client does, because the machine
   * may have slept.
   */
  get leftMs(): number {
    if (this.#limitMs === undefined) return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#limitMs - (this.#clock.monotonic() - this.#beganAt));
  }

  /** Hands `work` a signal that aborts at the limit, with ReadTimeout as its reason, or with `signal` and its reason. */
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
 * Resolves with what came of a write. If the signal aborts first, the write goes on without the caller.
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

/** Does the same as {@link orUnknown} where giving up is a normal result. */
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
