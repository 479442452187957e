import type { Clock } from "../../clock.ts";
import type { PollSharing, Share } from "./poll-sharing.ts";
import { type Listener, Reader } from "./reader.ts";

export interface PollerDeps {
  clock: Clock;
  /** Uniform in [0, 1): spreads the polls of many processes, and the reads of many users. */
  random: () => number;
  /** Absent where this process is the only one that polls. */
  sharing?: PollSharing | undefined;
  /** Called at each read of a poller, for counting. */
  onPoll?: () => void;
}

const FIRST_DELAY_MS = 250;
const GROWTH = 1.5;
const CALM_DELAY_MS = 3_000;
const QUIET_DELAY_MS = 10_000;
const QUIET_AFTER_MS = 120_000;
/** After news that the feed announced, as after so many reads: what comes next it will announce as well. */
const READS_WITH_FEED = 6;
/** How often a process that does not poll checks whether it should. */
const LEASE_CHECK_MS = 1_500;
/** News makes each owner read, but no owner more often than this. */
const LEAST_PAUSE_MS = 1_000;
/** Many owners do not read at the same instant: so much later for each of them, at most. */
const SPREAD_MS = 10;

/** The pause before the next read: grows by half from 250 ms to 3 s, to 10 s when nothing has moved for minutes; ±10 % jitter. */
export function pollDelayMs(reads: number, sinceChangeMs: number, random: number): number {
  const cap = sinceChangeMs > QUIET_AFTER_MS ? QUIET_DELAY_MS : CALM_DELAY_MS;
  const base = Math.min(cap, FIRST_DELAY_MS * GROWTH ** Math.min(reads, 20));
  return Math.round(base * (0.9 + 0.2 * random));
}

/**
 * Watches one negotiation for all who wait for it here. One owner at a time reads in turn, and where several processes
 * share the polling, one of them does. What a read shows is its owner's alone: the others, here and elsewhere, learn
 * that there is something new, and read it with their own right.
 */
export class Poller {
  readonly #deps: PollerDeps;
  readonly #onStop: () => void;
  /** By owner; the one whose last read is oldest stands first. */
  readonly #readers = new Map<object, Reader>();
  readonly #readAt = new Map<Reader, number>();
  readonly #scheduled = new Map<Reader, () => void>();
  readonly #abort = new AbortController();
  readonly #share: Share | undefined;
  #wake = new AbortController();
  #isNudged = false;
  /** The name of the latest news, as the process that saw it first calls it. */
  #version: string;
  #changes = 0;

  constructor(id: string, deps: PollerDeps, onStop: () => void) {
    this.#deps = deps;
    this.#onStop = onStop;
    this.#share = deps.sharing?.join(id, {
      version: (version) => {
        this.#version = version;
        this.#catchUp();
      },
      nudge: () => this.#pollSoon(),
    });
    this.#version = this.#nameOf(0);
    void this.#run();
  }

  /** The listener hears what its owner's last read showed, if there was one, and from then on each change. */
  add(listener: Listener): () => void {
    const known = this.#readers.get(listener.owner);
    const reader = known ?? new Reader(this.#abort.signal, this.#deps.clock);
    reader.add(listener);
    if (known === undefined) {
      this.#readers.set(listener.owner, reader);
      void this.#read(listener.owner, reader);
    } else if (known.last !== undefined) {
      listener.next(known.last);
      this.nudge(); // a new waiter should not inherit a stale answer for seconds
    }
    return () => {
      reader.drop(listener);
      this.#tidy(listener.owner, reader);
    };
  }

  /** Something was changed here: reads soon, and often for a while. */
  nudge(): void {
    this.#pollSoon();
    this.#share?.nudge();
  }

  /** The feed announces news: one read. However many announcements come, reads are `FIRST_DELAY_MS` apart. */
  hint(): void {
    this.#wake.abort();
  }

  #pollSoon(): void {
    this.#isNudged = true;
    this.#wake.abort();
  }

  stop(reason?: unknown): void {
    if (this.#abort.signal.aborted) return;
    this.#onStop();
    this.#share?.leave();
    this.#abort.abort(reason);
    for (const cancel of this.#scheduled.values()) cancel();
    if (reason !== undefined) for (const reader of this.#readers.values()) reader.fail(reason);
  }

  #nameOf(change: number): string {
    return `${this.#share?.name ?? ""}:${change}`;
  }

  /** Forgets who needs no more reads; with the last of them the poller ends. */
  #tidy(owner: object, reader: Reader): void {
    if (!reader.isDone || this.#readers.get(owner) !== reader) return;
    this.#readers.delete(owner);
    this.#readAt.delete(reader);
    this.#scheduled.get(reader)?.();
    this.#scheduled.delete(reader);
    if (this.#readers.size === 0) this.stop();
  }

  /** One read by this owner. True when it showed what nobody here or elsewhere has reported yet. */
  async #read(owner: object, reader: Reader): Promise<boolean> {
    if (this.#readers.get(owner) !== reader) return false;
    const version = this.#version;
    const isCurrent = reader.version === version;
    this.#readers.delete(owner);
    this.#readers.set(owner, reader); // last in turn
    this.#readAt.set(reader, this.#deps.clock.monotonic());
    const isNew = (await reader.read(version)) && isCurrent && this.#version === version;
    if (isNew) {
      this.#version = this.#nameOf(++this.#changes);
      reader.version = this.#version;
      this.#share?.publish(this.#version); // before the last one here is done and this poller ends
      this.#catchUp();
    }
    this.#tidy(owner, reader);
    return isNew;
  }

  /** Everybody who has not seen the latest news reads for themselves, soon, and not all at once. */
  #catchUp(): void {
    const { clock, random } = this.#deps;
    const spreadMs = Math.min(LEAST_PAUSE_MS, (this.#readers.size - 1) * SPREAD_MS);
    for (const [owner, reader] of this.#readers) {
      if (reader.version === this.#version || reader.isReading || reader.isResting || this.#scheduled.has(reader))
        continue;
      const sinceMs = clock.monotonic() - (this.#readAt.get(reader) ?? Number.NEGATIVE_INFINITY);
      const cancel = clock.after(Math.max(0, LEAST_PAUSE_MS - sinceMs) + random() * spreadMs, () => {
        this.#scheduled.delete(reader);
        if (!this.#abort.signal.aborted && reader.version !== this.#version && !reader.isReading)
          void this.#read(owner, reader);
      });
      this.#scheduled.set(reader, cancel);
    }
  }

  /** Whose turn it is: of those who know the latest news, for only they can tell what is newer. */
  #inTurn(): [object, Reader] | undefined {
    const idle = [...this.#readers].filter(([, reader]) => !reader.isReading && !reader.isResting);
    return idle.find(([, reader]) => reader.version === this.#version) ?? idle[0];
  }

  /** Somebody here has read it. Without that nobody here may take the polling from those elsewhere who can. */
  get #isProven(): boolean {
    return [...this.#readers.values()].some(({ last }) => last !== undefined);
  }

  get #idleMs(): number {
    return this.#isProven ? LEASE_CHECK_MS : FIRST_DELAY_MS;
  }

  async #run(): Promise<void> {
    const { clock, random } = this.#deps;
    const { signal } = this.#abort;
    let reads = 0;
    let changedAt = clock.monotonic();
    await Promise.resolve(); // so that the first listener is there before the first answer
    while (!signal.aborted) {
      const polls = this.#share === undefined || (this.#isProven && (await this.#share.mayPoll()));
      const delayMs = polls ? pollDelayMs(reads++, clock.monotonic() - changedAt, random()) : this.#idleMs;
      const isHinted = await this.#pause(delayMs);
      if (this.#isNudged) reads = 0;
      this.#isNudged = false;
      const [owner, reader] = this.#inTurn() ?? [];
      if (polls && !signal.aborted && owner !== undefined && reader !== undefined) {
        this.#deps.onPoll?.();
        if (await this.#read(owner, reader)) {
          reads = isHinted ? READS_WITH_FEED : 0;
          changedAt = clock.monotonic();
        } else if (!signal.aborted) this.#share?.publish(this.#version);
      }
      if (!signal.aborted) this.#catchUp(); // also who missed a message, or whose read failed
    }
  }

  /** Sleeps until the time is up, somebody nudges, or the poller stops. True when only the feed ended it. */
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
