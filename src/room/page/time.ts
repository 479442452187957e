let atServer = 0;
let heardAt = 0;

/** Sets the server's time, in ms since the epoch. A browser's clock may be wrong, and stops while the machine sleeps. */
export function setTime(now: number): void {
  atServer = now;
  heardAt = performance.now();
}

/** Returns the server's time by now, in ms since the epoch. */
export const time = (): number => atServer + (performance.now() - heardAt);
