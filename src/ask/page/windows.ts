import type { Clock } from "../../clock.ts";

/** What came of opening a window of the person's browser; `failed`: there is no browser here, or it did not open. */
export type Opening = "opened" | "failed" | "too_many";

/** As many questions as a person reads in that time; a model can call a tool that opens a window again and again. */
export const MOST_WINDOWS = 8;
export const WINDOWS_MINUTES = 10;

/** Opens windows, and no more than {@link MOST_WINDOWS} within {@link WINDOWS_MINUTES}, whoever asks for them. */
export function boundedWindows(
  open: (url: string) => Promise<boolean>,
  clock: Pick<Clock, "monotonic">,
): (url: string) => Promise<Opening> {
  let tried: number[] = [];
  return async (url) => {
    const now = clock.monotonic();
    tried = tried.filter((at) => now - at < WINDOWS_MINUTES * 60_000);
    if (tried.length >= MOST_WINDOWS) return "too_many";
    tried.push(now);
    return (await open(url)) ? "opened" : "failed";
  };
}
