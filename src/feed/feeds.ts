import type { FeedEvent } from "../backend/feed/events.ts";
import type { OpenFeed } from "../backend/feed/open-feed.ts";
import { failureOf } from "../log.ts";
import type { Platform } from "../platform.ts";
import { type FeedEvidence, NO_EVIDENCE, withEvent } from "./evidence.ts";

export interface FeedsDeps {
  open: OpenFeed;
  /**
   * Returns whether this program keeps running. A program that ends in a moment does not listen to negotiations that are still
   * going on.
   */
  stays: () => boolean;
  /** Called for each new event of a negotiation that still goes on, including the events of its history. */
  onNews?: (id: string) => void;
}

/** The most connections at once, for one user of one program. `MAX_KEPT` is the most negotiations whose evidence is kept. */
const MAX_OPEN = 10;
const MAX_KEPT = 50;
/** The history arrives at once, so it is complete after this many milliseconds without an event. */
const QUIET_MS = 1_000;
/** How long a feed is listened to after the negotiation was last looked at, in milliseconds. */
const UNUSED_MS = 30 * 60_000;
/** How long to wait after a feed could not be opened or broke off, in milliseconds. The wait doubles each time. */
const RETRY_MS = 15_000;
const MAX_FAILURES = 4;

interface Followed {
  evidence: FeedEvidence;
  events: Set<string>;
  connection: "none" | "opening" | "open";
  /** Ends the connection, whether it is opening or open. */
  end: () => void;
  /** True if the negotiation is over. */
  isOver: boolean;
  /** True if the open connection was opened after the end, so that its history is complete. */
  isLast: boolean;
  /** True if the complete history has been read, or cannot be had. */
  isDone: boolean;
  failures: number;
  /** When the next connection may be tried, by the monotonic clock. */
  notBefore: number;
  stopTimer: () => void;
}

/**
 * Listens to what the backend's live feed says about one user's negotiations, if there is a feed. Nothing ever waits for a
 * feed, and a feed that fails makes nothing else fail. Each negotiation has one connection, from the time when its text waits
 * for a decision to its end. At the real backend a listener that leaves cuts off all others, so leaving early would take the
 * news from the person's other windows. Events that are missed in this way are read at the end, when the whole history is read
 * once more.
 */
export class Feeds {
  readonly #platform: Platform;
  readonly #deps: FeedsDeps;
  readonly #followed = new Map<string, Followed>();
  #isClosed = false;

  constructor(platform: Platform, deps: FeedsDeps) {
    this.#platform = platform;
    this.#deps = deps;
  }

  /** Returns what the feed has said about this negotiation. The texts in it come from others. */
  evidence(id: string): FeedEvidence {
    return this.#followed.get(id)?.evidence ?? NO_EVIDENCE;
  }

  /** Listens to the feed of a negotiation that the backend has just shown. Returns at once, and never throws. */
  follow(id: string, isOver: boolean): void {
    if (this.#isClosed || (!isOver && !this.#deps.stays())) return;
    const one = this.#followed.get(id) ?? this.#begin(id);
    one.isOver ||= isOver;
    if (one.isDone) return;
    if (one.connection === "open" && one.isOver && !one.isLast) one.end(); // The feed is then read once more from the beginning.
    if (one.connection === "none") this.#open(id, one);
    else if (one.connection === "open" && !one.isOver) this.#endAfter(UNUSED_MS, one);
  }

  close(): void {
    this.#isClosed = true;
    for (const one of this.#followed.values()) one.end();
  }

  #begin(id: string): Followed {
    const one: Followed = {
      evidence: NO_EVIDENCE,
      events: new Set(),
      connection: "none",
      end: () => {},
      isOver: false,
      isLast: false,
      isDone: false,
      failures: 0,
      notBefore: 0,
      stopTimer: () => {},
    };
    this.#followed.set(id, one);
    for (const [oldest, { end }] of this.#followed) {
      if (this.#followed.size <= MAX_KEPT) break;
      end();
      this.#followed.delete(oldest);
    }
    return one;
  }

  #open(id: string, one: Followed): void {
    const { clock, log } = this.#platform;
    const { open } = this.#deps;
    const busy = [...this.#followed.values()].filter(({ connection }) => connection !== "none").length;
    if (busy >= MAX_OPEN || clock.monotonic() < one.notBefore) return;
    const leaving = new AbortController();
    let endSocket = () => {};
    let isOurEnd = false;
    const ended = () => {
      one.stopTimer();
      one.connection = "none";
      one.end = () => {};
      if (isOurEnd) return;
      one.failures += 1;
      one.notBefore = clock.monotonic() + RETRY_MS * 2 ** (one.failures - 1);
      one.isDone = one.failures >= MAX_FAILURES;
    };
    one.connection = "opening";
    one.end = () => {
      isOurEnd = true;
      leaving.abort();
      endSocket();
      ended();
    };
    const listener = {
      event: (event: FeedEvent) => {
        if (isOurEnd) return;
        if (this.#take(one, event) && !one.isLast) this.#deps.onNews?.(id);
        if (one.isLast) this.#endLast(one);
      },
      closed: () => {
        if (!isOurEnd) ended();
      },
    };
    open(id, listener, leaving.signal).then(
      (endOpened) => {
        endSocket = endOpened;
        if (isOurEnd) return endOpened();
        one.connection = "open";
        one.isLast = one.isOver;
        if (one.isLast) this.#endLast(one);
        else this.#endAfter(UNUSED_MS, one);
      },
      (error: unknown) => {
        if (isOurEnd) return;
        log.debug("feed_unavailable", { negotiation_id: id, error: failureOf(error) });
        ended();
      },
    );
  }

  /** Adds an event to the evidence. Returns false if the event was known already. */
  #take(one: Followed, event: FeedEvent): boolean {
    if (one.events.has(event.id)) return false;
    one.events.add(event.id);
    one.evidence = withEvent(one.evidence, event);
    return true;
  }

  #endLast(one: Followed): void {
    this.#endAfter(QUIET_MS, one, () => {
      one.isDone = true;
    });
  }

  #endAfter(ms: number, one: Followed, then: () => void = () => {}): void {
    one.stopTimer();
    one.stopTimer = this.#platform.clock.after(ms, () => {
      then();
      one.end();
    });
  }
}
