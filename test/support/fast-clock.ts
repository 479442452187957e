import { type Clock, systemClock } from "../../src/clock.ts";

const START = Date.now();
const FASTER = 6;
/** As long as the backend really waits for a person. */
export const FAST_DEADLINE = { TOWOW_CONFIRM_DEADLINE_S: String(300 * FASTER) };
/** For what a program does again only after some seconds. */
export const fastClock: Clock = {
  now: () => START + (Date.now() - START) * FASTER,
  monotonic: () => systemClock.monotonic() * FASTER,
  sleep: (ms, signal) => systemClock.sleep(ms / FASTER, signal),
  after: (ms, fire) => systemClock.after(ms / FASTER, fire),
};
