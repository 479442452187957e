import type { Clock } from "../../clock.ts";

/**
 * Says what came of opening a window of the person's browser. `failed`: there is no browser here, or it did not open.
 */
export type Opening = "opened" | "failed" | "too_many";

/** A person reads this many questions in that time. A model can call a tool that opens a window again and again. */
export const MOST_WINDOWS = 8;
export const WINDOWS_MINUTES = 10;

/** Opens at most {@link MOST_WINDOWS} windows within {@link WINDOWS_MINUTES}, over all callers. */
export function boundedWindows(
  open: (url: string) => Promise<boolean>,
  clock: Pick<Clock, "monotonic">,
): (url: string) => Promise<Opening> {
  const windows = new Set<{ at: number }>();
  return async (url) => {
    const window = { at: clock.monotonic() };
    for (const one of windows) if (window.at - one.at >= WINDOWS_MINUTES * 60_000) windows.delete(one);
    if (windows.size >= MOST_WINDOWS) return "too_many";
    windows.add(window); // A window counts while it opens too, since calls come at once.
    if (await open(url)) return "opened";
    windows.delete(window);
    return "failed";
  };
}
