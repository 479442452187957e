import type { Io } from "../app/io.ts";
import { stopwatch } from "../clock.ts";

/** One Ctrl-C under npm arrives twice: from the terminal and from npm. */
const SAME_SIGNAL_MS = 1_000;

/**
 * Listens for the signals that end a program: `first` begins its end, `again` cuts that short. It listens to the end, since
 * the lock library ends a program at once in which nobody else listens.
 */
export function onEndSignals<Signal extends NodeJS.Signals>(
  io: Io,
  signals: readonly Signal[],
  { first, again }: { first: (signal: Signal) => void; again: (signal: Signal) => void },
): void {
  let sinceFirstMs: (() => number) | undefined;
  for (const signal of signals)
    io.on(signal, () => {
      if (sinceFirstMs === undefined) {
        sinceFirstMs = stopwatch(io.clock);
        first(signal);
      } else if (sinceFirstMs() >= SAME_SIGNAL_MS) again(signal);
    });
}
