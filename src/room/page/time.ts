let atServer = 0;
let heardAt = 0;

/** The server's clock, in ms: the browser's may be wrong, and its timer stands still while the machine sleeps. */
export function setTime(now: number): void {
  atServer = now;
  heardAt = performance.now();
}

/** What the server's clock says by now, in ms since the epoch. */
export const time = (): number => atServer + (performance.now() - heardAt);
