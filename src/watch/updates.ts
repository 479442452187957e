import type { Negotiation } from "../backend/contract.ts";
import { isOutage, UnknownNegotiation } from "../backend/errors.ts";
import { type Clock, stopwatch } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { phaseOf } from "../negotiation/backend-states.ts";
import { isFinal, type Listener, Watcher } from "../negotiation/polling.ts";
import { isKnown } from "../negotiation/records.ts";
import { isCarriedOut } from "../negotiation/says.ts";
import { effectiveDecision, reduce } from "../negotiation/stage.ts";
import type { LocalState, Outage } from "./view.ts";

interface Update {
  snapshot: Negotiation | undefined;
  local: LocalState;
  outage: Outage | undefined;
  /** The backend says that it does not know it, and this machine does. */
  isGone: boolean;
}

export interface WatchOptions {
  id: string;
  /** One look at the backend, which writes nothing down. */
  get: (id: string, signal: AbortSignal) => Promise<Negotiation>;
  /** What this machine knows now; asked after every answer of the backend, because a decision comes before its effect. */
  local: () => Promise<LocalState>;
  clock: Clock;
  random: () => number;
  signal: AbortSignal;
  /** Called with each change and once a second. */
  onUpdate: (update: Update) => void;
}

/** How often this machine's own facts are read and the countdown is shown, in milliseconds. */
const TICK_MS = 1_000;
/** The poller gives up after three bad answers; a person who watches would start it again, so it is started again. */
const AGAIN_MS = 3_000;
/** How long a program may take to write down what came of its no, and how often watch looks for it. */
const CARRIED_OUT_MS = 5_000;
const CARRIED_OUT_POLL_MS = 250;

/**
 * Looks at a negotiation until it is over, or the backend no longer knows it, through outages of any length. An observer:
 * it adopts no pause, and nothing that it does is written down, so that its end leaves everything as it was.
 * @throws what makes looking again useless (unknown id, refused token), or the signal's reason.
 */
export async function watchNegotiation({
  id,
  get,
  local,
  clock,
  random,
  signal,
  onUpdate,
}: WatchOptions): Promise<void> {
  let snapshot: Negotiation | undefined;
  let outage: Outage | undefined;
  let isGone = false;
  let decidedBefore = false;
  const watcher = new Watcher({ clock, random, get: (_, stop) => read(stop ?? signal) });

  async function read(stop: AbortSignal): Promise<Negotiation> {
    try {
      const seen = await get(id, stop);
      outage = undefined;
      return seen;
    } catch (error) {
      if (!stop.aborted && mayPass(error)) {
        outage = { since: outage?.since ?? clock.now(), answers: !isOutage(error) };
        await tell();
      }
      throw error;
    }
  }

  async function tell(): Promise<void> {
    const seen = snapshot;
    const now = await local();
    const isDecided = effectiveDecision(now.facts) !== undefined;
    if (signal.aborted || seen !== snapshot) return; // a newer answer follows
    if (isDecided && !decidedBefore) watcher.nudge(id);
    decidedBefore = isDecided;
    onUpdate({ snapshot: seen, local: now, outage, isGone });
  }

  async function tick(stop: AbortSignal): Promise<never> {
    for (;;) {
      await clock.sleep(TICK_MS, stop);
      await tell();
    }
  }

  /** An end is told by what came of the no that led to it: its program writes that a moment after the backend shows it. */
  async function untilCarriedOut(seen: Negotiation): Promise<void> {
    const elapsedMs = stopwatch(clock);
    while (elapsedMs() < CARRIED_OUT_MS) {
      const now = await local();
      if (!now.guard.isWatched || !isCarriedOut(reduce(now.facts, seen), seen)) return;
      await clock.sleep(CARRIED_OUT_POLL_MS, signal);
    }
  }

  async function untilOver(): Promise<void> {
    for (;;) {
      try {
        return await watchOnce(
          (listener) => watcher.subscribe(id, listener),
          signal,
          async (seen) => {
            if (phaseOf(seen.state) === "over") await untilCarriedOut(seen);
            snapshot = seen;
            await tell();
          },
        );
      } catch (error) {
        if (!signal.aborted && error instanceof UnknownNegotiation && isKnown((await local()).facts)) {
          isGone = true;
          return await tell();
        }
        if (signal.aborted || !mayPass(error)) throw error;
        await clock.sleep(AGAIN_MS, signal);
      }
    }
  }

  const ticking = new AbortController();
  try {
    signal.throwIfAborted();
    await Promise.race([untilOver(), tick(AbortSignal.any([signal, ticking.signal]))]);
  } finally {
    ticking.abort();
    watcher.close();
  }
}

/** An outage or a bad answer, but not a defect. */
const mayPass = (error: unknown): error is TowowError => error instanceof TowowError && !isFinal(error);

/** Until it is over or the poller gives up; every snapshot is reported, the last one before this resolves. */
function watchOnce(
  subscribe: (listener: Pick<Listener, "next" | "fail">) => () => void,
  signal: AbortSignal,
  onSnapshot: (seen: Negotiation) => Promise<void>,
): Promise<void> {
  let leave = () => {};
  let unsubscribe = () => {};
  return new Promise<void>((resolve, reject) => {
    leave = () => reject(signal.reason);
    unsubscribe = subscribe({
      next: (seen) => {
        const over = phaseOf(seen.state) === "over";
        onSnapshot(seen).then(() => over && resolve(), reject);
      },
      fail: reject,
    });
    signal.addEventListener("abort", leave, { once: true });
  }).finally(() => {
    unsubscribe();
    signal.removeEventListener("abort", leave);
  });
}
