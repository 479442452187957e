import type { Clock } from "../../src/clock.ts";

/** What a killed program waits for. */
export const never = <T>(): Promise<T> => new Promise<T>(() => {});

/** Takes a step outside only while it lives, and hears nothing of one that ends after its death. */
export async function whileAlive<T>(isAlive: () => boolean, step: () => Promise<T>): Promise<T> {
  if (!isAlive()) return never();
  try {
    const value = await step();
    return isAlive() ? value : await never<T>();
  } catch (error) {
    if (!isAlive()) return never();
    throw error;
  }
}

/** The clock of one program among several: when it is dead no timer of its own fires and no sleep ends. */
export const clockOf = (clock: Clock, isAlive: () => boolean): Clock => ({
  now: clock.now,
  monotonic: clock.monotonic,
  after: (ms, fire) => clock.after(ms, () => isAlive() && fire()),
  sleep: (ms, signal) => whileAlive(isAlive, () => clock.sleep(ms, signal)),
});

/** Something outside whose methods all give promises, as one program reaches it. */
export const reachedBy = <T extends object>(target: T, isAlive: () => boolean): T =>
  new Proxy(target, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        whileAlive(isAlive, async () => (target[name as keyof T] as (...args: unknown[]) => unknown)(...args)),
  });

/** More accesses than this while no time passes at all is a program that would never end. */
const RUNAWAY = 20_000;

/** Stops a program that goes round in circles, which no timeout of a test could; `onRunaway` hears of it. */
export function stoppedWhenRunningAway<T extends object>(target: T, clock: Clock, onRunaway: () => void): T {
  let at = clock.now();
  let accesses = 0;
  return new Proxy(target, {
    get:
      (_, name) =>
      (...args: unknown[]) => {
        accesses = clock.now() === at ? accesses + 1 : 0;
        at = clock.now();
        if (accesses < RUNAWAY) return (target[name as keyof T] as (...args: unknown[]) => unknown)(...args);
        onRunaway();
        return never();
      },
  });
}
