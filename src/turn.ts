/** Lets everything else that waits have its turn: resolves in the next round of the event loop. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
