/** Between two steps of a manual clock, where files, locks and sockets of a whole program must not be outrun by it. */
export const realPause = () => new Promise<void>((resolve) => setTimeout(resolve, 3));
