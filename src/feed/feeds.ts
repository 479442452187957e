import type { FeedEvent } from "../backend/feed/events.ts";
import type { OpenFeed } from "../backend/feed/open-feed.ts";
import type { Clock } from "../clock.ts";
import { failureOf, type Log } from "../log.ts";
import { type FeedEvidence, NO_EVIDENCE, withEvent } from "./evidence.ts";

export interface FeedsDeps {
  open: OpenFeed;
  clock: Clock;
  log: Log;
  hash: (text: string) => string;
  /** Whether this program stays. One that ends in a moment listens to nothing that is still going on. */
  stays: () => boolean;
  /** Called for each event of a negotiation that still goes on, its history included. */
  onNews?: (id: string) => void;
}

/** Connections at once, and negotiations whose evidence is kept, for one user of one program. */
const MAX_OPEN = 10;
const MAX_KEPT = 50;
/** The history comes in one go: after so long without a frame it was all. */
const QUIET_MS = 1_000;
/** Nobody has looked at the negotiation for so long: nobody listens to it either. */
const UNWATCHED_MS = 30 * 60_000;
/** After a feed that could not be opened, or broke off; doubled each time. */
const RETRY_MS = 15_000;
const MAX_FAILURES = 4;

interface Followed {
  evidence: FeedEvidence;
  events: Set<string>;
  connection: "none" | "opening" | "open";
  /** Ends what is opening or open. */
  end: () => void;
  /** The negotiation is over. */
  isOver: boolean;
  /** The connection that is open was opened after that: its history is whole. */
  isLast: boolean;
  /** That history has been read, or cannot be had. */
  isDone: boolean;
  failures: number;
  /** By the monotonic clock. */
  notBefore: number;
  stopTimer: () => void;
}

/**
 * What the backend's feed says about one user's negotiations, where there is a feed. Nothing ever waits for it, and no
 * failure of it is anybody's failure. There is one connection to a negotiation, from its pause to its end: at the real
 * backend a listener that leaves cuts off all others, so leaving early would take the news from the person's
 * other windows. What was missed that way comes at the end, when the whole history is read once more.
 */
export class Feeds {
  readonly #deps: FeedsDeps;
  readonly #followed = new Map<string, Followed>();
  #isClosed = false;

  constructor(deps: FeedsDeps) {
    this.#deps = deps;
  }

  /** What is known from the feed of this negotiation. Its texts are others'. */
  evidence(id: string): FeedEvidence {
    return this.#followed.get(id)?.evidence ?? NO_EVIDENCE;
  }

  /** The backend has just shown this negotiation: its feed is worth listening to. Returns at once, and never throws. */
  follow(id: string, isOver: boolean): void {
    if (this.#isClosed || (!isOver && !this.#deps.stays())) return;
    const one = this.#followed.get(id) ?? this.#begin(id);
    one.isOver ||= isOver;
    if (one.isDone) return;
    if (one.connection === "open" && one.isOver && !one.isLast) one.end(); // and once more from the beginning
    if (one.connection === "none") this.#open(id, one);
    else if (one.connection === "open" && !one.isOver) this.#endAfter(UNWATCHED_MS, one);
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
    const { clock, log, open } = this.#deps;
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
        else this.#endAfter(UNWATCHED_MS, one);
      },
      (error: unknown) => {
        if (isOurEnd) return;
        log.debug("feed_unavailable", { negotiation_id: id, error: failureOf(error) });
        ended();
      },
    );
  }

  /** False for one that was here before. */
  #take(one: Followed, event: FeedEvent): boolean {
    if (one.events.has(event.id)) return false;
    one.events.add(event.id);
    one.evidence = withEvent(one.evidence, event, this.#deps.hash);
    return true;
  }

  #endLast(one: Followed): void {
    this.#endAfter(QUIET_MS, one, () => {
      one.isDone = true;
    });
  }

  #endAfter(ms: number, one: Followed, then: () => void = () => {}): void {
    one.stopTimer();
    one.stopTimer = this.#deps.clock.after(ms, () => {
      then();
      one.end();
    });
  }
}
