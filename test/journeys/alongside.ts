import type { ManualClock } from "../support/manual-clock.ts";

const STEP_MS = 10;

/** The manual clock goes as fast as the real one while sockets, streams or a browser work, which know no other. */
export async function until(clock: ManualClock, done: () => boolean): Promise<void> {
  while (!done()) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    await clock.advance(STEP_MS);
  }
}

/** The same, to the end of this work. */
export async function alongside<T>(clock: ManualClock, work: Promise<T>): Promise<T> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  ended.catch(() => {});
  await until(clock, () => isOver);
  return ended;
}
