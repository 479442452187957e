import type { Negotiation } from "../backend/contract.ts";
import { isOutage, UnknownNegotiation } from "../backend/errors.ts";
import { stopwatch } from "../clock.ts";
import { TowowError } from "../errors.ts";
import { phaseOf } from "../negotiation/backend-states.ts";
import { isFinal, type Listener, Pollers } from "../negotiation/polling.ts";
import { isKnown } from "../negotiation/records.ts";
import { isCarriedOut } from "../negotiation/says.ts";
import { effectiveDecision, reduce } from "../negotiation/stage.ts";
import type { Platform } from "../platform.ts";
import type { LocalState, Outage } from "./view.ts";

interface Update {
  snapshot: Negotiation | undefined;
  local: LocalState;
  outage: Outage | undefined;
  /** True if the backend says that it does not know the negotiation, although this machine does. */
  isGone: boolean;
}

export interface FollowOptions {
  id: string;
  /** Reads the negotiation from the backend once and writes nothing down. */
  get: (id: string, signal: AbortSignal) => Promise<Negotiation>;
  /** Reads what this machine knows now. Called after each answer, because a decision precedes its effect. */
  local: () => Promise<LocalState>;
  signal: AbortSignal;
  /** Called with each change, and once a second. */
  onUpdate: (update: Update) => void;
}

/** How often this machine's own facts are read and the countdown is drawn, in milliseconds. */
const TICK_MS = 1_000;
/**
 * The wait before watching starts again, in milliseconds. The poller gives up after three bad answers, but a person
 * would go on.
 */
const AGAIN_MS = 3_000;
/**
 * How long a program may take to write down what came of its no, and how often this is checked, both in milliseconds.
 */
const CARRIED_OUT_MS = 5_000;
const CARRIED_OUT_POLL_MS = 250;

/**
 * Follows a negotiation until it is over or the backend no longer knows it, through outages of any length. Following
 * takes over no undecided demand and writes nothing down, so its end leaves everything as it was.
 * @throws an error that no retry can help (unknown id, refused token), or the signal's reason
 */
export async function followNegotiation(
  platform: Platform,
  { id, get, local, signal, onUpdate }: FollowOptions,
): Promise<void> {
  const { clock } = platform;
  let snapshot: Negotiation | undefined;
  let outage: Outage | undefined;
  let isGone = false;
  let decidedBefore = false;
  const pollers = new Pollers(platform, { get: (_, stop) => read(stop ?? signal) });

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
    if (signal.aborted || seen !== snapshot) return; // A newer answer will be reported instead.
    if (isDecided && !decidedBefore) pollers.nudge(id);
    decidedBefore = isDecided;
    onUpdate({ snapshot: seen, local: now, outage, isGone });
  }

  async function tick(stop: AbortSignal): Promise<never> {
    for (;;) {
      await clock.sleep(TICK_MS, stop);
      await tell();
    }
  }

  /**
   * Waits until the outcome of a no is written down. The program that sent the no does so a moment after the backend
   * shows the end.
   */
  async function untilCarriedOut(seen: Negotiation): Promise<void> {
    const elapsedMs = stopwatch(clock);
    while (elapsedMs() < CARRIED_OUT_MS) {
      const now = await local();
      if (!now.guard.isGuarded || !isCarriedOut(reduce(now.facts, seen), seen)) return;
      await clock.sleep(CARRIED_OUT_POLL_MS, signal);
    }
  }

  async function untilOver(): Promise<void> {
    for (;;) {
      try {
        return await followOnce(
          (listener) => pollers.subscribe(id, listener),
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
    pollers.close();
  }
}

/** Returns whether an error may pass by itself, as an outage or a bad answer may, but not a defect. */
const mayPass = (error: unknown): error is TowowError => error instanceof TowowError && !isFinal(error);

/**
 * Reports every snapshot until the negotiation is over, and resolves after the last report. @throws when polling fails
 */
function followOnce(
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
