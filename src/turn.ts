/** Lets everything else that waits have its turn: resolves in the next round of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Work in small steps, between which others may have their turn. */
export type Steps<T> = Generator<void, T, void>;

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
