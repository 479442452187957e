let atServer = 0;
let heardAt = 0;

/** Sets the server's time, in ms since the epoch. The browser's own clock may be wrong. */
export function setTime(now: number): void {
  atServer = now;
  heardAt = performance.now();
}

/** Returns the server's time by now, in ms since the epoch. */
export const time = (): number => atServer + (performance.now() - heardAt);
