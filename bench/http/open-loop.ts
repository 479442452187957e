/** Times in milliseconds from when each call was due, so that a server that stands still is not forgiven what it delayed. */
export interface LoopFigures {
  sent: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
}

/** `perSecond` calls for `seconds`, each sent when it is due, whether or not others were answered. `send` says if it was. */
export async function openLoop(
  perSecond: number,
  seconds: number,
  send: (nth: number) => Promise<boolean>,
): Promise<LoopFigures> {
  const count = Math.round(perSecond * seconds);
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  let failed = 0;
  const from = performance.now();
  const dueAt = (nth: number) => from + (nth * 1_000) / perSecond;
  const one = async (nth: number) => {
    if (!(await send(nth).catch(() => false))) failed++;
    times.push(performance.now() - dueAt(nth));
  };
  while (calls.length < count) {
    while (calls.length < count && dueAt(calls.length) <= performance.now()) calls.push(one(calls.length));
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(calls);
  times.sort((a, b) => a - b);
  const at = (q: number) => times[Math.min(times.length - 1, Math.floor(times.length * q))] ?? Number.NaN;
  return { sent: count, p50Ms: at(0.5), p99Ms: at(0.99), failed };
}
