const waiting: (() => void)[] = [];

/**
 * Lets everything else that waits have its turn: resolves in a later round of the event loop, one piece of work a round.
 * So others wait for one step at a time, however many of such works there are.
 */
export const turn = (): Promise<void> =>
  new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(next);
  });

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}

/** Work in small steps, between which others may have their turn. */
export type Steps<T> = Generator<void, T, void>;

/** So many small things are one step: a turn after each would cost more than they do. */
const A_STEP = 100;

/** The items of a long list, with a step after every hundred. */
export function* stepping<T>(items: Iterable<T>, each: (item: T) => void): Steps<void> {
  let count = 0;
  for (const item of items) {
    each(item);
    if (++count % A_STEP === 0) yield;
  }
}

/** All steps in one go. */
export function atOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

/** The same, where others wait as well: `pause` lets them go on after each step. */
export async function inTurns<T>(steps: Steps<T>, pause: () => Promise<void> = turn): Promise<T> {
  let step = steps.next();
  for (; !step.done; step = steps.next()) await pause();
  return step.value;
}
