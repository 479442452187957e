import { lstatSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/** A temporary file younger than this may belong to a program that is writing it now. */
export const STRAY_AFTER_MS = 60_000;

/** How the history, and conf's writer, name a file that is about to be moved into its place. */
export const isTemporary = (name: string): boolean => /^\..+\.tmp$|\.tmp-[0-9a-f]+$/.test(name);

/**
 * Removes what killed programs left of their writes, which may hold a token. `now` in milliseconds, by the file
 * system's own time. Never throws: somebody else may be at it, and the next writer tries again.
 */
export function sweepTemporaries(folder: string, now: number): void {
  try {
    for (const name of readdirSync(folder).filter(isTemporary)) {
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (stat?.isFile() && now - stat.mtimeMs > STRAY_AFTER_MS) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // Housekeeping only.
  }
}
