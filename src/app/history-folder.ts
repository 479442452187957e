import { statSync } from "node:fs";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { systemClock } from "../clock.ts";
import { HomeUnwritable } from "../home/errors.ts";
import { createFactFiles, type HomeFacts } from "../negotiation/stores/home-facts.ts";

/** Returns the folder that keeps the negotiations of this home. */
export const historyFolder = (home: string): string => join(home, "history");

/**
 * Checks the history folder. A file in its place would look like an empty history.
 * @throws HomeUnwritable if something other than a folder is there
 */
export function requireHistoryFolder(home: string): void {
  const path = historyFolder(home);
  if (isNotFolder(path)) throw new HomeUnwritable({ path, reason: "ENOTDIR" });
}

/**
 * Returns whether something other than a folder is at this path. Returns false if the path cannot be examined, because
 * reading it will report that.
 */
export function isNotFolder(folder: string): boolean {
  try {
    return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === false;
  } catch {
    return false;
  }
}

/** Opens the facts in `history/` of this home. */
export const homeFactsIn = (home: string): HomeFacts =>
  createFactFiles({ dir: historyFolder(home), newId: nanoid, now: systemClock.now });
