import { subscribe } from "node:diagnostics_channel";
import { ManualClock } from "./manual-clock.ts";
import { isCryptoPending } from "./pending-crypto.ts";
import { isRealAtWork } from "./real-work.ts";
import { turn } from "./soon.ts";

/** Requests of this process that have no answer yet. */
const open = new Set<unknown>();
const requestOf = (message: unknown): unknown => (message as { request: unknown }).request;
subscribe("undici:request:create", (message) => void open.add(requestOf(message)));
for (const end of ["trailers", "error"])
  subscribe(`undici:request:${end}`, (message) => void open.delete(requestOf(message)));

/** A connection is kept open between requests, of which each is known here. */
const isAtWork = (): boolean => open.size > 0 || isCryptoPending() || isRealAtWork((it) => it === "TCPSocketWrap");

/** So many turns of the event loop without work, and nothing more comes by itself. */
const CALM_TURNS = 12;

/**
 * A clock on which time passes only where everything that is real has come to rest, from one timer to the next: programs
 * with real files and sockets see the same times at each run, however busy the machine is.
 */
export class QuietClock extends ManualClock {
  /** Until nothing goes on any more without time. */
  async quiet(): Promise<void> {
    for (let calm = 0; calm < CALM_TURNS; calm++) {
      await turn();
      if (isAtWork()) calm = -1;
    }
  }

  /** So long, timer by timer; by default what is due now. */
  async pass(ms = 0): Promise<void> {
    const end = this.now() + ms;
    await this.#while(() => this.now() < end || (this.nextAt ?? Number.POSITIVE_INFINITY) <= end, end);
  }

  override async run<T>(work: Promise<T>): Promise<T> {
    let isOver = false;
    const done = work.finally(() => {
      isOver = true;
    });
    done.catch(() => {});
    await this.#while(() => !isOver);
    return done;
  }

  async #while(goesOn: () => boolean, end = Number.POSITIVE_INFINITY): Promise<void> {
    for (;;) {
      await this.quiet();
      if (!goesOn()) return;
      const next = Math.min(this.nextAt ?? end, end);
      if (Number.isFinite(next)) await this.advance(Math.max(0, next - this.now()));
    }
  }
}
