import { createHash } from "node:crypto";
import type { Negotiation } from "../backend/contract.ts";
import { ReadTimeout } from "../backend/errors.ts";
import type { Clock } from "../clock.ts";
import { Failure, TowowError } from "../errors.ts";
import { formulatedText, phaseOf } from "./backend-states.ts";

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

/** Somebody who waits for news. */
export interface Listener {
  /** Reads the negotiation, in the name of the call that waits. */
  read: (signal: AbortSignal) => Promise<Negotiation>;
  next: (snapshot: Negotiation) => void;
  fail: (error: unknown) => void;
  /** Called for each read that fails, even when more reads follow. */
  missed?: ((error: unknown) => void) | undefined;
  /** How long the listener will still wait, in milliseconds; undefined if it waits without a limit. */
  leftMs?: (() => number) | undefined;
}

/** How a process polls. */
export interface Polling {
  /** Uniform in [0, 1); it spreads the polls of many processes. */
  random: () => number;
  /** Called at each repeated read, so that an endpoint can count them. */
  onPoll?: () => void;
}

export interface PollerDeps extends Polling {
  clock: Clock;
}

const FIRST_DELAY_MS = 250;
const GROWTH = 1.5;
const CALM_DELAY_MS = 3_000;
const QUIET_DELAY_MS = 10_000;
const QUIET_AFTER_MS = 120_000;
/** After news that the feed announced, the pace is that of so many reads, since the feed will announce what comes next. */
const READS_WITH_FEED = 6;
const FAILURES_ALLOWED = 2;
/** A listener without a limit is failed when the backend wants to be left alone for longer than this. */
const LONGEST_REST_MS = 60_000;
/** Asking again does not change these errors (contract §5). */
const FINAL_CODES = /^tool\.(auth\.|.*\.not_found\.|config\.(?!unavailable\.))/;

/** Whether asking again is of no use: the id is unknown, the token refused or a setting wrong. */
export const isFinal = (error: unknown): boolean => error instanceof TowowError && FINAL_CODES.test(error.code);

/**
 * The pause before the next read, in milliseconds. It grows by half from 250 ms to 3 s, and to 10 s when nothing has
 * moved for minutes, with a jitter of ±10 %.
 */
export function pollDelayMs(reads: number, sinceChangeMs: number, random: number): number {
  const cap = sinceChangeMs > QUIET_AFTER_MS ? QUIET_DELAY_MS : CALM_DELAY_MS;
  const base = Math.min(cap, FIRST_DELAY_MS * GROWTH ** Math.min(reads, 20));
  return Math.round(base * (0.9 + 0.2 * random));
}

/**
 * Reads one negotiation, with one user's right to it, for everything of that user's that waits for it. Three failures in
 * a row, or a final one, end every wait with the cause. The poller stops with its last listener.
 */
export class Poller {
  readonly #deps: PollerDeps;
  readonly #onStop: (stopped: Poller) => void;
  readonly #listeners = new Set<Listener>();
  readonly #abort = new AbortController();
  #wake = new AbortController();
  #isNudged = false;
  #isReading = false;
  #failures = 0;
  /** What the last read showed. */
  #last: Negotiation | undefined;
  /** The backend has asked to be left alone until then, by the monotonic clock, with this error. */
  #rest: { until: number; error: unknown } | undefined;

  constructor(first: Listener, deps: PollerDeps, onStop: (stopped: Poller) => void) {
    this.#deps = deps;
    this.#onStop = onStop;
    this.#listeners.add(first);
    void this.#read();
    void this.#run();
  }

  /** The listener is given what the last read showed, if there was one, and from then on every read. */
  add(listener: Listener): void {
    this.#listeners.add(listener);
    if (this.#restMs > 0) this.#failImpatient();
    if (this.#last === undefined) return;
    listener.next(this.#last);
    this.nudge(); // A new listener should not have to live with a stale answer for seconds.
  }

  drop(listener: Listener): void {
    this.#listeners.delete(listener);
    this.#stopIfDone();
  }

  /** Somebody has changed something, so the poller reads soon, and often for a while. */
  nudge(): void {
    this.#isNudged = true;
    this.#wake.abort();
  }

  /** The feed announces news, so the poller reads once. However many hints come, reads are `FIRST_DELAY_MS` apart. */
  hint(): void {
    this.#wake.abort();
  }

  /** Ends the polling; with a reason, the waits fail with it. */
  stop(reason?: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.#onStop(this);
    this.#abort.abort(reason);
    if (reason !== undefined) this.#fail(reason);
  }

  get #restMs(): number {
    return Math.max(0, (this.#rest?.until ?? 0) - this.#deps.clock.monotonic());
  }

  #stopIfDone(): void {
    const isOver = this.#last !== undefined && phaseOf(this.#last.state) === "over";
    if (isOver || this.#listeners.size === 0) this.stop();
  }

  /** Reads once, and resolves with whether the answer differs from the one before; the first differs from none. */
  async #read(): Promise<boolean> {
    const [listener] = this.#listeners;
    if (listener === undefined) return false;
    const { signal } = this.#abort;
    this.#isReading = true;
    try {
      const snapshot = await listener.read(signal);
      return !signal.aborted && this.#show(snapshot);
    } catch (error) {
      if (!signal.aborted) this.#miss(error);
      return false;
    } finally {
      this.#isReading = false;
      this.#stopIfDone();
    }
  }

  #show(snapshot: Negotiation): boolean {
    const isNew = this.#last !== undefined && fingerprint(this.#last) !== fingerprint(snapshot);
    this.#failures = 0;
    this.#last = snapshot;
    for (const each of [...this.#listeners]) each.next(snapshot);
    return isNew;
  }

  #miss(error: unknown): void {
    this.#failures += 1;
    for (const each of [...this.#listeners]) each.missed?.(error);
    if (isFinal(error) || this.#failures > FAILURES_ALLOWED) this.#fail(error);
    else if (error instanceof TowowError && error.retryAfterSeconds !== undefined) {
      this.#rest = { until: this.#deps.clock.monotonic() + error.retryAfterSeconds * 1000, error };
      this.#failImpatient();
    }
  }

  /** Ends the waits that would be over before the backend wants to be asked again. */
  #failImpatient(): void {
    for (const listener of [...this.#listeners]) {
      if ((listener.leftMs?.() ?? LONGEST_REST_MS) >= this.#restMs) continue;
      this.#listeners.delete(listener);
      listener.fail(this.#rest?.error);
    }
  }

  #fail(error: unknown): void {
    const ended = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of ended) listener.fail(error);
  }

  async #run(): Promise<void> {
    const { clock, random, onPoll } = this.#deps;
    const { signal } = this.#abort;
    let reads = 0;
    let changedAt = clock.monotonic();
    while (!signal.aborted) {
      const isHinted = await this.#pause(pollDelayMs(reads++, clock.monotonic() - changedAt, random()));
      if (this.#isNudged) reads = 0;
      this.#isNudged = false;
      if (signal.aborted || this.#isReading || this.#restMs > 0) continue;
      onPoll?.();
      if (!(await this.#read())) continue;
      reads = isHinted ? READS_WITH_FEED : 0;
      changedAt = clock.monotonic();
    }
  }

  /** Sleeps until the time is up, somebody nudges, or the poller stops. Resolves with true when only the feed ended it. */
  async #pause(ms: number): Promise<boolean> {
    const { clock } = this.#deps;
    const from = clock.monotonic();
    const stopped = this.#abort.signal;
    await clock.sleep(ms, AbortSignal.any([stopped, this.#wake.signal])).catch(() => {});
    const isHinted = this.#wake.signal.aborted && !this.#isNudged;
    const restMs = Math.min(ms, FIRST_DELAY_MS) - (clock.monotonic() - from);
    if (isHinted && restMs > 0) await clock.sleep(restMs, stopped).catch(() => {});
    this.#wake = new AbortController();
    return isHinted;
  }
}

/** Fingerprints are kept by object, because a negotiation that is read again unchanged is the same object. */
const fingerprints = new WeakMap<Negotiation, string>();

/** Gives what a watcher compares. It changes exactly when there is something new to tell. */
export function fingerprint(n: Negotiation): string {
  const print = fingerprints.get(n) ?? fingerprintOf(n);
  fingerprints.set(n, print);
  return print;
}

function fingerprintOf(n: Negotiation): string {
  const texts = [
    n.state,
    formulatedText(n),
    n.plan_output,
    String(n.center_rounds),
    ...n.sub_session_ids,
    ...n.participants.flatMap((p) => [p.agent_id, p.state, String(p.offer_content !== null)]),
  ];
  // The lengths keep two texts apart that read the same in a row. A digest, since a plan may be a megabyte.
  const lengths = JSON.stringify([n.sub_session_ids.length, ...texts.map((text) => text?.length ?? null)]);
  return createHash("sha256").update(lengths).update(texts.join(""), "utf16le").digest("base64url");
}
