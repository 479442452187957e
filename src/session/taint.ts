import { type Clock, stopwatch } from "../clock.ts";
import { SANDBOX } from "../home/origin.ts";
import { failureOf, type Log } from "../log.ts";

/** For how long a home, or a user of an endpoint, is tainted by what one of its sessions has read. */
const TAINTED_MS = 24 * 3_600_000;
/** A wait that returns each minute need not write each minute; what is kept lasts so much longer. */
const REWRITE_MS = 10 * 60_000;
const KEPT_MS = TAINTED_MS + REWRITE_MS;

/** Where all programs of a home, or all sessions of a user, find until when it is tainted: the time, nothing else. */
export interface TaintRecord {
  /** Ms since the epoch; undefined where nothing is kept, infinite where nobody can tell. */
  until(): Promise<number | undefined>;
  /** `lastsMs`: after which it may be forgotten. */
  keep(untilMs: number, lastsMs: number): Promise<void>;
}

export interface TaintDeps {
  record: TaintRecord;
  clock: Clock;
  log: Log;
}

/**
 * Whether a model may have read text of other agents (agent layer §3). From then on its word alone neither sends nor
 * decides: such a text could have dictated it.
 */
export class Taint {
  readonly #deps: TaintDeps;
  #sinceMs: (() => number) | undefined;
  #sinceKeptMs: (() => number) | undefined;

  constructor(deps: TaintDeps) {
    this.#deps = deps;
  }

  /**
   * To be awaited before the text is given out. `origin`: the network that it comes from; what the sandbox wrote taints
   * nothing, since nobody real wrote it. A record that cannot be written is logged: the session knows.
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
   * `isEndless`: whether what calls is one session, whose model still has what it read; otherwise a day counts.
   * @throws StoreUnreachable
   */
  async isTainted(isEndless: boolean): Promise<boolean> {
    if (this.#sinceMs !== undefined && (isEndless || this.#sinceMs() < TAINTED_MS)) return true;
    const { record, clock } = this.#deps;
    const until = await record.until();
    if (until === undefined || until <= clock.now()) return false;
    // Written while the clock was years ahead: from now on it is a day like any other.
    if (until - clock.now() > KEPT_MS) await record.keep(clock.now() + KEPT_MS, KEPT_MS).catch(() => {});
    return true;
  }
}
