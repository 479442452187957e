import { stopwatch } from "../clock.ts";
import { SANDBOX } from "../home/origin.ts";
import { failureOf } from "../log.ts";
import type { Platform } from "../platform.ts";

/**
 * How long a home, or a user of an endpoint, stays tainted after one of its sessions has read text of others, in
 * milliseconds.
 */
const TAINTED_MS = 24 * 3_600_000;
/**
 * The record is kept for this much longer, so that a wait that returns each minute does not have to write each minute.
 */
const REWRITE_MS = 10 * 60_000;
const KEPT_MS = TAINTED_MS + REWRITE_MS;

/**
 * Records until when a home or a user counts as tainted. All programs of the home, or all sessions of the user, share
 * the record, and it contains only that time.
 */
export interface TaintRecord {
  /**
   * Returns that time in milliseconds since the epoch, undefined if nothing is recorded, or infinity if the time cannot
   * be known.
   */
  until(): Promise<number | undefined>;
  /** Writes the time. The record may be forgotten after `lastsMs`. */
  keep(untilMs: number, lastsMs: number): Promise<void>;
}

/**
 * Tracks whether a model may have read text of other agents (agent layer §3). From then on its word alone neither sends
 * nor decides, because such a text could have dictated it.
 */
export class Taint {
  readonly #platform: Platform;
  readonly #record: TaintRecord;
  #sinceMs: (() => number) | undefined;
  #sinceKeptMs: (() => number) | undefined;

  constructor(platform: Platform, record: TaintRecord) {
    this.#platform = platform;
    this.#record = record;
  }

  /**
   * Notes that a text of others is about to be given out. Only after the note may the text be given out. `origin` is
   * the network of the text. The sandbox taints nothing, because nobody real wrote there. If the record cannot be
   * written, the failure is logged, and this session still counts as tainted.
   */
  async mark(origin: string | undefined): Promise<void> {
    if (origin === SANDBOX) return;
    const { clock, log } = this.#platform;
    this.#sinceMs = stopwatch(clock);
    if (this.#sinceKeptMs !== undefined && this.#sinceKeptMs() < REWRITE_MS) return;
    try {
      await this.#record.keep(clock.now() + KEPT_MS, KEPT_MS);
      this.#sinceKeptMs = stopwatch(clock);
    } catch (error) {
      log.warn("taint_unwritten", { error: failureOf(error) });
    }
  }

  /**
   * Returns whether a model may have read text of others. With `isEndless` the caller is one session, whose model still
   * has what it read. Otherwise the taint lasts a day. @throws StoreUnreachable
   */
  async isTainted(isEndless: boolean): Promise<boolean> {
    if (this.#sinceMs !== undefined && (isEndless || this.#sinceMs() < TAINTED_MS)) return true;
    const { clock } = this.#platform;
    const until = await this.#record.until();
    if (until === undefined || until <= clock.now()) return false;
    // The record was written while the clock was far ahead. That time is shortened to a day from now.
    if (until - clock.now() > KEPT_MS) await this.#record.keep(clock.now() + KEPT_MS, KEPT_MS).catch(() => {});
    return true;
  }
}
