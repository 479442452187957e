import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { homeOf } from "./home-folder.ts";

const OTHERS_WRITE = 0o022;
const FOLDER = "cache";
export const compileCacheFolder = (home: string): string => join(home, FOLDER);

/** Everything that a start loads is loaded by then. */
const FLUSH_AFTER_MS = 3_000;

/**
 * Keeps the compiled program in the home, where nobody else can write, since this code is run. Node's own place, the
 * system's temporary folder, is open to everybody. Without such a folder nothing is kept.
 */
export function useCompileCache(env: NodeJS.ProcessEnv): void {
  try {
    const home = homeOf(env);
    if (!isOwn(statSync(home))) return;
    const folder = compileCacheFolder(home);
    const there = lstatSync(folder, { throwIfNoEntry: false });
    // Another user may have written there.
    if (there !== undefined && !isOwn(there)) rmSync(folder, { recursive: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 }); // Node would leave its mode to the umask.
    enableCompileCache(folder);
    setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref(); // A program that is killed has no clean end.
  } catch {
    // The program only starts more slowly.
  }
}

/** Returns whether nobody else can write to a folder. A link does not count. */
const isOwn = (at: Stats): boolean =>
  at.isDirectory() && at.uid === process.getuid?.() && (at.mode & OTHERS_WRITE) === 0;

/** Removes the compiled program where nothing else is in the home. Node does not write into a folder that is gone. */
export function removeLoneCompileCache(home: string): void {
  try {
    if (readdirSync(home).join() === FOLDER) rmSync(compileCacheFolder(home), { recursive: true, force: true });
  } catch {
    // There is no home.
  }
}
