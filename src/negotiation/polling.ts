import { createHash } from "node:crypto";
import type { Negotiation } from "../backend/contract.ts";
import { ReadTimeout } from "../backend/errors.ts";
import { Failure, TowowError } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { formulatedText, phaseOf } from "./backend-states.ts";

export interface WaitOptions {
  /** Returns whether a snapshot ends the wait. */
  until: (snapshot: Negotiation) => boolean;
  /** The longest that this call may wait, in milliseconds. */
  budgetMs: number;
  signal?: AbortSignal | undefined;
  /** The id of the call that waits. A read that serves several calls carries the id of the first of them. */
  requestId?: string | undefined;
  /** Notes that the call begins to wait, after a first read that did not end the wait. See `Call.beginWait`. */
  beginWait?: (() => () => void) | undefined;
  /** Receives the first snapshot and each changed one. `endsWait` says that the wait returns this snapshot. */
  onChange?: (snapshot: Negotiation, endsWait: boolean) => void;
}

export interface WaitResult {
  snapshot: Negotiation;
  met: boolean;
}

/**
 * How much longer than its budget a wait goes on if it has seen nothing at all, in milliseconds. Many clients give up
 * after a minute.
 */
const FIRST_SNAPSHOT_MS = 5_000;

interface PollersDeps {
  /** Reads a negotiation as this user, and records what the read showed. */
  get: (id: string, signal?: AbortSignal, requestId?: string) => Promise<Negotiation>;
  /** Counts a repeated read, for an endpoint's metrics. */
  onPoll?: (() => void) | undefined;
}

/**
 * The pollers of one user. There is one for each negotiation, shared by all of that user's calls that wait for it
 * (contract §5).
 */
export class Pollers {
  readonly #platform: Platform;
  readonly #deps: PollersDeps;
  readonly #pollers = new Map<string, Poller>();

  constructor(platform: Platform, deps: PollersDeps) {
    this.#platform = platform;
    this.#deps = deps;
  }

  /** Returns how many negotiations are polled now. */
  get size(): number {
    return this.#pollers.size;
  }

  /** Calls `next` after each read, until the returned function is called. */
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
    const poller = new Poller(first, this.#platform, {
      onPoll: this.#deps.onPoll,
      onStop: (stopped) => {
        if (this.#pollers.get(id) === stopped) this.#pollers.delete(id);
      },
    });
    this.#pollers.set(id, poller);
    return poller;
  }

  /**
   * Waits until a condition holds or the budget is used up, which is a normal result.
   * @throws the backend's error after three failures in a row or at once if the error is final, or the signal's reason
   */
  async wait(
    id: string,
    { until, budgetMs, signal, onChange, requestId, beginWait }: WaitOptions,
  ): Promise<WaitResult> {
    signal?.throwIfAborted();
    const { clock } = this.#platform;
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
        // The error of a failed read says more than a timeout does.
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

  /** Makes the poller of a negotiation read soon, as {@link Poller.nudge} does. */
  nudge(id: string): void {
    this.#pollers.get(id)?.nudge();
  }

  /** Makes the poller of a negotiation read once, as {@link Poller.hint} does. */
  hint(id: string): void {
    this.#pollers.get(id)?.hint();
  }

  /** Ends every poller at shutdown. Calls that still wait fail. */
  close(): void {
    for (const poller of [...this.#pollers.values()])
      poller.stop(new Failure("tool.negotiation.unavailable.shutting_down"));
  }
}

/** A call or a follower that waits for news about a negotiation. */
export interface Listener {
  /** Reads the negotiation on behalf of the call that waits. */
  read: (signal: AbortSignal) => Promise<Negotiation>;
  next: (snapshot: Negotiation) => void;
  fail: (error: unknown) => void;
  /** Receives the error of each read that fails, even if more reads follow. */
  missed?: ((error: unknown) => void) | undefined;
  /**
   * Returns how long the listener will still wait, in milliseconds. The result is undefined if the listener waits
   * without a limit.
   */
  leftMs?: (() => number) | undefined;
}

const FIRST_DELAY_MS = 250;
const GROWTH = 1.5;
const CALM_DELAY_MS = 3_000;
const QUIET_DELAY_MS = 10_000;
const QUIET_AFTER_MS = 120_000;
/**
 * How many reads count as made after a change that the feed announced. Polling then stays slow, because the feed will
 * announce the next change as well.
 */
const READS_WITH_FEED = 6;
const FAILURES_ALLOWED = 2;
/** A listener without a limit fails if the backend wants to be left alone for longer than this, in milliseconds. */
const LONGEST_REST_MS = 60_000;
/** The codes of errors that another read would not change (contract §5). */
const FINAL_CODES = /^tool\.(auth\.|.*\.not_found\.|config\.(?!unavailable\.))/;

/**
 * Returns whether asking again is of no use, because the id is unknown, the token is refused, or a setting is wrong.
 */
export const isFinal = (error: unknown): boolean => error instanceof TowowError && FINAL_CODES.test(error.code);

/**
 * Returns the pause before the next read, in milliseconds. The pause grows by half from 250 ms to 3 s, and to 10 s once
 * nothing has moved for two minutes, with a jitter of ±10 %.
 */
export function pollDelayMs(reads: number, sinceChangeMs: number, random: number): number {
  const cap = sinceChangeMs > QUIET_AFTER_MS ? QUIET_DELAY_MS : CALM_DELAY_MS;
  const base = Math.min(cap, FIRST_DELAY_MS * GROWTH ** Math.min(reads, 20));
  return Math.round(base * (0.9 + 0.2 * random));
}

interface PollerEvents {
  onPoll: (() => void) | undefined;
  onStop: (stopped: Poller) => void;
}

/**
 * Reads one negotiation as one user, for all listeners of that user. Three failures in a row, or one final failure, end
 * every wait with the cause. The poller stops with its last listener.
 */
export class Poller {
  readonly #platform: Platform;
  readonly #events: PollerEvents;
  readonly #listeners = new Set<Listener>();
  readonly #abort = new AbortController();
  #wake = new AbortController();
  #isNudged = false;
  #isReading = false;
  #failures = 0;
  /** The negotiation as the last read showed it. */
  #last: Negotiation | undefined;
  /** The time on the monotonic clock until which the backend wants to be left alone, and the error that said so. */
  #rest: { until: number; error: unknown } | undefined;

  constructor(first: Listener, platform: Platform, events: PollerEvents) {
    this.#platform = platform;
    this.#events = events;
    this.#listeners.add(first);
    void this.#read();
    void this.#run();
  }

  /** Adds a listener, which is given what the last read showed, if there was one, and from then on every read. */
  add(listener: Listener): void {
    this.#listeners.add(listener);
    if (this.#restMs > 0) this.#failImpatient();
    if (this.#last === undefined) return;
    listener.next(this.#last);
    this.nudge(); // A new listener should not have to wait seconds for a current answer.
  }

  drop(listener: Listener): void {
    this.#listeners.delete(listener);
    this.#stopIfDone();
  }

  /** Makes the poller read soon, and often for a while, because somebody has changed something. */
  nudge(): void {
    this.#isNudged = true;
    this.#wake.abort();
  }

  /**
   * Makes the poller read once, because the feed announces news. However many hints come, reads are at least
   * `FIRST_DELAY_MS` apart.
   */
  hint(): void {
    this.#wake.abort();
  }

  /** Ends the polling. If a reason is given, all waits fail with it. */
  stop(reason?: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.#events.onStop(this);
    this.#abort.abort(reason);
    if (reason !== undefined) this.#fail(reason);
  }

  get #restMs(): number {
    return Math.max(0, (this.#rest?.until ?? 0) - this.#platform.clock.monotonic());
  }

  #stopIfDone(): void {
    const isOver = this.#last !== undefined && phaseOf(this.#last.state) === "over";
    if (isOver || this.#listeners.size === 0) this.stop();
  }

  /**
   * Reads once, and resolves with whether the answer differs from the previous one. The first answer does not count as
   * different.
   */
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
      this.#rest = { until: this.#platform.clock.monotonic() + error.retryAfterSeconds * 1000, error };
      this.#failImpatient();
    }
  }

  /** Fails the listeners whose time will be up before the backend wants to be asked again. */
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
    const { clock, random } = this.#platform;
    const { signal } = this.#abort;
    let reads = 0;
    let changedAt = clock.monotonic();
    while (!signal.aborted) {
      const isHinted = await this.#pause(pollDelayMs(reads++, clock.monotonic() - changedAt, random()));
      if (this.#isNudged) reads = 0;
      this.#isNudged = false;
      if (signal.aborted || this.#isReading || this.#restMs > 0) continue;
      this.#events.onPoll?.();
      if (!(await this.#read())) continue;
      reads = isHinted ? READS_WITH_FEED : 0;
      changedAt = clock.monotonic();
    }
  }

  /**
   * Sleeps until the time is up, somebody nudges, or the poller stops. Resolves with true if only a hint of the feed
   * ended the sleep.
   */
  async #pause(ms: number): Promise<boolean> {
    const { clock } = this.#platform;
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

/** Fingerprints are cached by object, because a negotiation that is read again unchanged is the same object. */
const fingerprints = new WeakMap<Negotiation, string>();

/**
 * Returns the fingerprint that a poller compares. The fingerprint changes exactly if there is something new to report.
 */
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
  // The lengths keep apart two lists of texts that read the same when joined. A digest is used because a plan may be a
  // megabyte long.
  const lengths = JSON.stringify([n.sub_session_ids.length, ...texts.map((text) => text?.length ?? null)]);
  return createHash("sha256").update(lengths).update(texts.join(""), "utf16le").digest("base64url");
}
