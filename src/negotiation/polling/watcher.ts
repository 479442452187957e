import type { Negotiation } from "../../backend/contract.ts";
import { ReadTimeout } from "../../backend/errors.ts";
import { Failure } from "../../errors.ts";
import { phaseOf } from "../backend-states.ts";
import { fingerprint } from "../fingerprint.ts";
import { type Listener, Poller, type PollerDeps } from "./poller.ts";

export interface WaitOptions {
  /** Resolves as soon as this holds. */
  until: (snapshot: Negotiation) => boolean;
  /** The longest that this call may wait, in milliseconds. */
  budgetMs: number;
  signal?: AbortSignal | undefined;
  /** Of the call that waits; a read that serves several calls carries the id of the first of them. */
  requestId?: string | undefined;
  /** See `Call.beginWait`: called after the first read, where that does not end the wait. */
  beginWait?: (() => () => void) | undefined;
  /** Called for each change, the first snapshot included; `endsWait`: it is what the wait gives. */
  onChange?: (snapshot: Negotiation, endsWait: boolean) => void;
}

export interface WaitResult {
  snapshot: Negotiation;
  met: boolean;
}

/** A wait that has seen nothing at all goes on beyond its budget for this long: many clients give up after a minute. */
const FIRST_SNAPSHOT_MS = 5_000;

export interface WatcherDeps extends PollerDeps {
  /** Reads a negotiation with this user's own right to it, and takes note of it. */
  get: (id: string, signal?: AbortSignal, requestId?: string) => Promise<Negotiation>;
}

/** The pollers of one user: one for each negotiation, shared by all of that user's calls that wait for it (contract §5). */
export class Watcher {
  readonly #deps: WatcherDeps;
  readonly #pollers = new Map<string, Poller>();

  constructor(deps: WatcherDeps) {
    this.#deps = deps;
  }

  /** How many negotiations are watched now. */
  get size(): number {
    return this.#pollers.size;
  }

  /** Calls `next` after each read until the returned function is called. */
  subscribe(
    id: string,
    { requestId, ...rest }: Omit<Listener, "read"> & { requestId?: string | undefined },
  ): () => void {
    const listener: Listener = { ...rest, read: (signal) => this.#deps.get(id, signal, requestId) };
    const running = this.#pollers.get(id);
    running?.add(listener);
    const poller = running ?? this.#start(id, listener);
    return () => poller.drop(listener);
  }

  #start(id: string, first: Listener): Poller {
    const poller = new Poller(first, this.#deps, (stopped) => {
      if (this.#pollers.get(id) === stopped) this.#pollers.delete(id);
    });
    this.#pollers.set(id, poller);
    return poller;
  }

  /**
   * Waits until a condition holds or the budget is used up; giving up is a normal result.
   * @throws the backend's error after three bad answers in a row or at once if it is final, or the signal's reason
   */
  async wait(
    id: string,
    { until, budgetMs, signal, onChange, requestId, beginWait }: WaitOptions,
  ): Promise<WaitResult> {
    signal?.throwIfAborted();
    const { clock } = this.#deps;
    const endsAt = clock.monotonic() + budgetMs;
    let last: Negotiation | undefined;
    let lastFailure: unknown;
    let isOverBudget = false;
    let cancelTimer = () => {};
    let unsubscribe = () => {};
    let onAbort = () => {};
    let endWait: (() => void) | undefined;
    try {
      return await new Promise<WaitResult>((resolve, reject) => {
        onAbort = () => reject(signal?.reason);
        signal?.addEventListener("abort", onAbort, { once: true });
        const timeout_ms = budgetMs + FIRST_SNAPSHOT_MS;
        // What it was told instead of an answer says more than that none came.
        const nothing = () => reject(lastFailure ?? new ReadTimeout({ operation: "getNegotiation", timeout_ms }));
        const giveUp = () => {
          isOverBudget = true;
          if (last !== undefined) resolve({ snapshot: last, met: false });
          else cancelTimer = clock.after(FIRST_SNAPSHOT_MS, nothing);
        };
        cancelTimer = clock.after(budgetMs, giveUp);
        unsubscribe = this.subscribe(id, {
          next: (snapshot) => {
            const changed = last === undefined || fingerprint(last) !== fingerprint(snapshot);
            last = snapshot;
            const met = until(snapshot);
            const endsWait = met || isOverBudget || phaseOf(snapshot.state) === "over";
            if (changed) onChange?.(snapshot, endsWait);
            if (endsWait) resolve({ snapshot, met });
            else endWait ??= beginWait?.();
          },
          fail: reject,
          missed: (error) => {
            lastFailure = error;
          },
          leftMs: () => endsAt - clock.monotonic(),
          requestId,
        });
      });
    } finally {
      endWait?.();
      cancelTimer();
      unsubscribe();
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** @see Poller.nudge */
  nudge(id: string): void {
    this.#pollers.get(id)?.nudge();
  }

  /** @see Poller.hint */
  hint(id: string): void {
    this.#pollers.get(id)?.hint();
  }

  /** Ends every poller at shutdown; what still waits fails. */
  close(): void {
    for (const poller of [...this.#pollers.values()])
      poller.stop(new Failure("tool.negotiation.unavailable.shutting_down"));
  }
}
