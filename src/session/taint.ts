import { type Clock, stopwatch } from "../clock.ts";
import { SANDBOX } from "../home/origin.ts";
import { failureOf, type Log } from "../log.ts";

/** A home, or a user of an endpoint, stays tainted this long by what one of its sessions has read. */
const TAINTED_MS = 24 * 3_600_000;
/** The record is kept this much longer, so that a wait that returns each minute need not write each minute. */
const REWRITE_MS = 10 * 60_000;
const KEPT_MS = TAINTED_MS + REWRITE_MS;

/**
 * All programs of a home, or all sessions of a user, find here until when it is tainted. The record holds only the
 * time.
 */
export interface TaintRecord {
  /** Returns ms since the epoch: undefined where nothing is kept, infinite where it cannot be known. */
  until(): Promise<number | undefined>;
  /** The record may be forgotten after `lastsMs`. */
  keep(untilMs: number, lastsMs: number): Promise<void>;
}

export interface TaintDeps {
  record: TaintRecord;
  clock: Clock;
  log: Log;
}

/**
 * Tracks whether a model may have read text of other agents (agent layer §3). From then on its word alone neither
 * sends nor decides, since such a text could have dictated it.
 */
export class Taint {
  readonly #deps: TaintDeps;
  #sinceMs: (() => number) | undefined;
  #sinceKeptMs: (() => number) | undefined;

  constructor(deps: TaintDeps) {
    this.#deps = deps;
  }

  /**
   * Await this before the text is given out. `origin` is the network that the text comes from. The sandbox taints
   * nothing, since nobody real wrote there. A record that cannot be written is logged, and the session still knows.
   */
  async mark(origin: string | undefined): Promise<void> {
    if (origin === SANDBOX) return;
    const { record, clock, log } = this.#deps;
    this.#sinceMs = stopwatch(clock);
    if (this.#sinceKeptMs !== undefined && this.#sinceKeptMs() < REWRITE_MS) return;
    try {
      await record.keep(clock.now() + KEPT_MS, KEPT_MS);
      this.#sinceKeptMs = stopwatch(clock);
    } catch (error) {
      log.warn("taint_unwritten", { error: failureOf(error) });
    }
  }

  /**
   * `isEndless`: the caller is one session, whose model still has what it read. Otherwise the taint lasts a day.
   * @throws StoreUnreachable
   */
  async isTainted(isEndless: boolean): Promise<boolean> {
    if (this.#sinceMs !== undefined && (isEndless || this.#sinceMs() < TAINTED_MS)) return true;
    const { record, clock } = this.#deps;
    const until = await record.until();
    if (until === undefined || until <= clock.now()) return false;
    // The record was written while the clock was years ahead. From now on it lasts a day.
    if (until - clock.now() > KEPT_MS) await record.keep(clock.now() + KEPT_MS, KEPT_MS).catch(() => {});
    return true;
  }
}
