import { statSync } from "node:fs";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { systemClock } from "../clock.ts";
import { HomeUnwritable } from "../home/errors.ts";
import { createFactFiles, type HomeFacts } from "../negotiation/stores/home-facts.ts";
import { rememberedSha256 } from "./hash.ts";

/** Returns the folder that remembers negotiations. */
export const historyFolder = (home: string): string => join(home, "history");

/** @throws HomeUnwritable where something else stands in place of that folder, which would pass for an empty one */
export function requireHistoryFolder(home: string): void {
  const path = historyFolder(home);
  if (isNotFolder(path)) throw new HomeUnwritable({ path, reason: "ENOTDIR" });
}

/**
 * Returns whether something that is no folder stands in its place. If it cannot be examined, its reader reports that.
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
  createFactFiles({ dir: historyFolder(home), newId: nanoid, hash: rememberedSha256, now: systemClock.now });
