import type { ManualClock } from "../support/manual-clock.ts";
import { turn } from "../support/soon.ts";

const STEP_MS = 10;

/** The manual clock goes on until this holds, with a pause at every step: streams want a turn of the event loop. */
export async function until(clock: ManualClock, done: () => boolean, pause = turn): Promise<void> {
  while (!done()) {
    await pause();
    await clock.advance(STEP_MS);
  }
}

/** The same, to the end of this work. */
export async function alongside<T>(clock: ManualClock, work: Promise<T>, pause = turn): Promise<T> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  ended.catch(() => {});
  await until(clock, () => isOver, pause);
  return ended;
}
