import type { ManualClock } from "../support/manual-clock.ts";

const STEP_MS = 10;

/** The manual clock goes as fast as the real one while a browser works, which knows no other; streams only want turns. */
export async function until(clock: ManualClock, done: () => boolean, realMs = STEP_MS): Promise<void> {
  while (!done()) {
    await new Promise((resolve) => setTimeout(resolve, realMs));
    await clock.advance(STEP_MS);
  }
}

/** The same, to the end of this work. */
export async function alongside<T>(clock: ManualClock, work: Promise<T>, realMs = STEP_MS): Promise<T> {
  let isOver = false;
  const ended = work.finally(() => {
    isOver = true;
  });
  ended.catch(() => {});
  await until(clock, () => isOver, realMs);
  return ended;
}
