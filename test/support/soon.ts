import { expect } from "vitest";

/** For what hangs, not for what is slow. */
const PATIENCE_MS = 60_000;

/** One turn of the event loop: what files and sockets of this process have brought is there. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Waits until `check` throws no more, turn by turn of the event loop. @throws what it threw last, where that does not come */
export async function untilHolds(check: () => unknown): Promise<void> {
  const began = performance.now();
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() - began > PATIENCE_MS) throw error;
    }
    await turn();
  }
}

/**
 * As `expect.poll`, for what files and sockets of this process bring: it looks at every turn of the event loop, and no
 * timer runs.
 */
export const soon = <T>(read: () => T | Promise<T>) =>
  new Proxy({} as ReturnType<typeof expect.poll<T>>, {
    get:
      (_, matcher: string) =>
      (...args: unknown[]) =>
        untilHolds(async () => {
          const assertion = expect(await read()) as unknown as Record<string, (...args: unknown[]) => void>;
          assertion[matcher]!(...args);
        }),
  });
