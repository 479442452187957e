import { readdir, rmdir, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { FactEntries } from "./fact-entries.ts";
import { FactFolders, type FolderFound } from "./fact-folders.ts";

const DAY_MS = 24 * 3_600_000;
/** A demand's attempts say nothing any more after this. */
const ATTEMPTS_KEPT_MS = DAY_MS;
/** What has ended is one file from then on: a home of years must not hold a folder for each negotiation. */
const FOLDED_AFTER_MS = 30 * DAY_MS;
/** So many folders in one run, of so many that are looked at: what remains of a home of years, the next programs do. */
const MAX_FOLDERS = 100;
const MAX_LOOKED_AT = 1_000;

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
  const lying = (await folders.all()).filter(({ isFolded }) => !isFolded);
  for (const { folder, writtenAt } of (await folders.newestFirst(someOf(lying, at))).reverse()) {
    if (done === MAX_FOLDERS) return;
    const path = folders.path(folder);
    const isAttempts = FactFolders.isAttempts(folder);
    // As old as it is ahead: the clock was wrong when it was written.
    if (Math.abs(at - writtenAt) <= (isAttempts ? ATTEMPTS_KEPT_MS : FOLDED_AFTER_MS)) continue;
    if (isAttempts || forgets) {
      // Only what is there while it is old: an attempt that begins meanwhile stays.
      const names = await readdir(path).catch(() => []);
      if ((await writtenLast(path)) !== writtenAt) continue;
      for (const name of names) await unlink(join(path, name)).catch(() => {});
      await rmdir(path).catch(() => {});
      if (open.has(folder)) await folders.files.remove(folders.openMark(folder)).catch(() => {});
      done += 1;
    } else if (!open.has(folder)) {
      const isFolded = await fold(folder, folders, entries).catch(() => false); // the next program tries again
      if (isFolded) done += 1;
    }
  }
}

/** All attempts, and so many of the others, which are others each second. */
function someOf(lying: readonly FolderFound[], at: number): FolderFound[] {
  const [attempts, others] = [true, false].map((wanted) =>
    lying.filter(({ folder }) => FactFolders.isAttempts(folder) === wanted),
  ) as [FolderFound[], FolderFound[]];
  const from = (Math.floor(at / 1000) * MAX_LOOKED_AT) % Math.max(1, others.length);
  return [...attempts, ...[...others.slice(from), ...others.slice(0, from)].slice(0, MAX_LOOKED_AT)];
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
  const writtenAt = await writtenLast(folders.path(folder));
  if (key === undefined || writtenAt === undefined) return false;
  if (!(await files.create(folders.foldedPath(folder), { ...key, facts: Object.fromEntries(facts) }))) return false;
  // By it what is newest is found.
  await utimes(folders.foldedPath(folder), writtenAt / 1000, writtenAt / 1000).catch(() => {});
  // Only what is in the file by now: a fact that somebody wrote meanwhile stays beside it.
  for (const [name] of facts) await files.remove(folders.factPath(folder, name));
  await rmdir(folders.path(folder)).catch(() => {});
  return true;
}

const writtenLast = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.mtimeMs;
