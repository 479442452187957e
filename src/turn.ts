const waiting: (() => void)[] = [];

/**
 * Lets other work have its turn. Resolves in a later round of the event loop, one caller in each round, so that other work
 * waits for one step at a time, however many callers there are.
 */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}

/** Work in small steps, between which other work may have its turn. */
export type Steps<T> = Generator<void, T, void>;

/** How many small items make one step. A turn after each would cost more than the items do. */
const A_STEP = 100;

/** Calls `each` for the items of a long list, with a step after every hundred. */
export function* stepping<T>(items: Iterable<T>, each: (item: T) => void): Steps<void> {
  let count = 0;
  for (const item of items) {
    each(item);
    if (++count % A_STEP === 0) yield;
  }
}

/** Runs all steps in one go. */
export function atOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** Runs the steps and calls `pause` after each one, so that other work can go on. */
export async function inTurns<T>(steps: Steps<T>, pause: () => Promise<void> = turn): Promise<T> {
  let step = steps.next();
  for (; !step.done; step = steps.next()) await pause();
  return step.value;
}
