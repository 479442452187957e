import { rm, rmdir, stat } from "node:fs/promises";
import type { FactEntries } from "./fact-entries.ts";
import { FactFolders } from "./fact-folders.ts";

const DAY_MS = 24 * 3_600_000;
/** A demand's attempts say nothing any more after this. */
const ATTEMPTS_KEPT_MS = DAY_MS;
/** What has ended is one file from then on: a home of years must not hold a folder for each negotiation. */
const FOLDED_AFTER_MS = 30 * DAY_MS;

/** Removes attempts that say nothing any more, and folds what ended long ago. `at`: milliseconds since the epoch. */
export async function sweep(folders: FactFolders, entries: FactEntries, at: number): Promise<void> {
  const open = new Set(folders.open());
  for (const { folder, isFolded } of await folders.all()) {
    if (isFolded) continue;
    // As old as it is ahead: the clock was wrong when it was written.
    const ageMs = Math.abs(at - ((await stat(folders.path(folder)).catch(() => undefined))?.mtimeMs ?? at));
    const isAttempts = FactFolders.isAttempts(folder);
    if (isAttempts && ageMs > ATTEMPTS_KEPT_MS) {
      await rm(folders.path(folder), { recursive: true, force: true }).catch(() => {});
    } else if (!isAttempts && !open.has(folder) && ageMs > FOLDED_AFTER_MS) {
      await fold(folder, folders, entries).catch(() => {}); // housekeeping: the next program tries again
    }
  }
}

/** Its facts in one file, once; facts that come later stand beside it. A program that dies in between leaves both. */
async function fold(folder: string, folders: FactFolders, entries: FactEntries): Promise<void> {
  const { files } = folders;
  // What cannot be read is left alone.
  const facts = [...(await entries.read(folder))].filter(([, fact]) => fact !== undefined);
  const key = await folders.keyWithin(folder);
  if (key === undefined) return;
  if (!(await files.create(folders.foldedPath(folder), { ...key, facts: Object.fromEntries(facts) }))) return;
  // Only what is in the file by now: a fact that somebody wrote meanwhile stays beside it.
  for (const [name] of facts) await files.remove(folders.factPath(folder, name));
  await rmdir(folders.path(folder)).catch(() => {});
}
