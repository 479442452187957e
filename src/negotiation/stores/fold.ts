import { readdir, rmdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { FactEntries } from "./fact-entries.ts";
import { FactFolders } from "./fact-folders.ts";

const DAY_MS = 24 * 3_600_000;
/** A demand's attempts say nothing any more after this. */
const ATTEMPTS_KEPT_MS = DAY_MS;
/** What has ended is one file from then on: a home of years must not hold a folder for each negotiation. */
const FOLDED_AFTER_MS = 30 * DAY_MS;
/** So many folders in one run: what remains of a home of years, the next programs do. */
const MAX_FOLDERS = 100;

/**
 * Removes attempts that say nothing any more, and folds what ended long ago, or `forgets` it, ended or not. `at`:
 * milliseconds since the epoch.
 */
export async function sweep(
  folders: FactFolders,
  entries: FactEntries,
  at: number,
  { forgets = false } = {},
): Promise<void> {
  const open = new Set(folders.open());
  let done = 0;
  for (const { folder } of (await folders.all()).filter(({ isFolded }) => !isFolded)) {
    if (done === MAX_FOLDERS) return;
    const path = folders.path(folder);
    const isAttempts = FactFolders.isAttempts(folder);
    const names = isAttempts || forgets ? await readdir(path).catch(() => []) : [];
    // As old as it is ahead: the clock was wrong when it was written.
    const ageMs = Math.abs(at - ((await stat(path).catch(() => undefined))?.mtimeMs ?? at));
    if (ageMs > (isAttempts ? ATTEMPTS_KEPT_MS : FOLDED_AFTER_MS) && (isAttempts || forgets)) {
      // Only what was there when it was old: an attempt that begins meanwhile stays.
      for (const name of names) await unlink(join(path, name)).catch(() => {});
      await rmdir(path).catch(() => {});
      if (open.has(folder)) await folders.files.remove(folders.openMark(folder)).catch(() => {});
      done += 1;
    } else if (!isAttempts && !open.has(folder) && ageMs > FOLDED_AFTER_MS) {
      const isFolded = await fold(folder, folders, entries).catch(() => false); // the next program tries again
      if (isFolded) done += 1;
    }
  }
}

/**
 * Its facts in one file, once; facts that come later stand beside it. A program that dies in between leaves both. False
 * where it stays as it is.
 */
async function fold(folder: string, folders: FactFolders, entries: FactEntries): Promise<boolean> {
  const { files } = folders;
  // What cannot be read is left alone.
  const facts = [...(await entries.read(folder))].filter(([, fact]) => fact !== undefined);
  const key = await folders.keyWithin(folder);
  if (key === undefined) return false;
  if (!(await files.create(folders.foldedPath(folder), { ...key, facts: Object.fromEntries(facts) }))) return false;
  // Only what is in the file by now: a fact that somebody wrote meanwhile stays beside it.
  for (const [name] of facts) await files.remove(folders.factPath(folder, name));
  await rmdir(folders.path(folder)).catch(() => {});
  return true;
}
