import type { Negotiation } from "../../backend/contract.ts";
import { ReadTimeout } from "../../backend/errors.ts";
import { Failure } from "../../errors.ts";
import { phaseOf } from "../backend-states.ts";
import { fingerprint } from "../fingerprint.ts";
import { Poller, type PollerDeps } from "./poller.ts";
import type { Listener } from "./reader.ts";

export interface WaitOptions {
  /** Resolves as soon as this holds. */
  until: (snapshot: Negotiation) => boolean;
  /** The longest that this call may wait, in milliseconds. */
  budgetMs: number;
  signal?: AbortSignal | undefined;
  /** Of the call that waits; shared reads carry the id of the one whose turn it is. */
  requestId?: string | undefined;
  /** Called for each change, the first snapshot included; `endsWait`: it is what the wait gives. */
  onChange?: (snapshot: Negotiation, endsWait: boolean) => void;
}

export interface WaitResult {
  snapshot: Negotiation;
  met: boolean;
}

/** A wait that has seen nothing at all goes on beyond its budget for this long: many clients give up after a minute. */
const FIRST_SNAPSHOT_MS = 5_000;

/** The pollers of one process: one per negotiation, shared by all that wait for it (contract §5). */
export class Pollers {
  readonly #deps: PollerDeps;
  readonly #running = new Map<string, Poller>();

  constructor(deps: PollerDeps) {
    this.#deps = deps;
  }

  /** Negotiations that are watched now. */
  get size(): number {
    return this.#running.size;
  }

  get clock() {
    return this.#deps.clock;
  }

  /** Calls `listener` after each read of its owner until the returned function is called. */
  subscribe(id: string, listener: Listener): () => void {
    let poller = this.#running.get(id);
    if (poller === undefined) {
      const made = new Poller(id, this.#deps, () => {
        if (this.#running.get(id) === made) this.#running.delete(id);
      });
      poller = made;
      this.#running.set(id, made);
    }
    return poller.add(listener);
  }

  nudge(id: string): void {
    this.#running.get(id)?.nudge();
  }

  /** @see Poller.hint */
  hint(id: string): void {
    this.#running.get(id)?.hint();
  }

  /** Ends every poller, at shutdown. */
  close(): void {
    for (const poller of [...this.#running.values()])
      poller.stop(new Failure("tool.negotiation.unavailable.shutting_down"));
  }
}

export interface WatcherDeps {
  pollers: Pollers;
  /** Reads a negotiation with this user's own right to it, and takes note of it. */
  get: (id: string, signal?: AbortSignal, requestId?: string) => Promise<Negotiation>;
  /** True where the pollers serve other users as well, and outlive this one. */
  shared?: boolean;
}

/**
 * One user's way to the pollers. Three bad answers in a row end every wait with the cause; 401 and 404 end it at once.
 */
export class Watcher {
  readonly #deps: WatcherDeps;

  constructor(deps: WatcherDeps) {
    this.#deps = deps;
  }

  /** Calls `next` after each read of this user until the returned function is called. */
  subscribe(
    id: string,
    { requestId, ...listener }: Omit<Listener, "owner" | "read"> & { requestId?: string | undefined },
  ): () => void {
    const { pollers, get } = this.#deps;
    return pollers.subscribe(id, { owner: this, read: (signal) => get(id, signal, requestId), ...listener });
  }

  /**
   * Waits until a condition holds or the budget is used up; giving up is a normal result.
   * @throws the backend's error after three bad answers in a row, or the signal's reason.
   */
  async wait(id: string, { until, budgetMs, signal, onChange, requestId }: WaitOptions): Promise<WaitResult> {
    signal?.throwIfAborted();
    const { clock } = this.#deps.pollers;
    const endsAt = clock.monotonic() + budgetMs;
    let last: Negotiation | undefined;
    let lastFailure: unknown;
    let isOverBudget = false;
    let cancelTimer = () => {};
    let unsubscribe = () => {};
    let onAbort = () => {};
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
      cancelTimer();
      unsubscribe();
      signal?.removeEventListener("abort", onAbort);
    }
  }

  /** Makes a running poller read again soon: somebody has just changed something. */
  nudge(id: string): void {
    this.#deps.pollers.nudge(id);
  }

  /** At shutdown. Pollers that serve others go on. */
  close(): void {
    if (!this.#deps.shared) this.#deps.pollers.close();
  }
}
