import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { homeOf } from "./home-folder.ts";

const OTHERS_WRITE = 0o022;
const FOLDER = "cache";
export const compileCacheFolder = (home: string): string => join(home, FOLDER);

/** How long after the start the cache is written, in milliseconds. A start has loaded everything by then. */
const FLUSH_AFTER_MS = 3_000;

/**
 * Keeps the compiled program in the home, where nobody else can write, because this code is run. Node's default place
 * is the system's temporary folder, which is open to everybody. Nothing is kept if others can write to the home.
 */
export function useCompileCache(env: NodeJS.ProcessEnv): void {
  try {
    const home = homeOf(env);
    if (!isOwn(statSync(home))) return;
    const folder = compileCacheFolder(home);
    const there = lstatSync(folder, { throwIfNoEntry: false });
    // The folder is not trusted, because another user may have written there.
    if (there !== undefined && !isOwn(there)) rmSync(folder, { recursive: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 }); // Node would leave the mode to the umask.
    enableCompileCache(folder);
    // A program that is killed does not write its cache at the end.
    setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref();
  } catch {
    // Without a cache the program only starts more slowly.
  }
}

/** Returns whether this is a folder of this user in which nobody else can write. A link is not accepted. */
const isOwn = (at: Stats): boolean =>
  at.isDirectory() && at.uid === process.getuid?.() && (at.mode & OTHERS_WRITE) === 0;

/** Removes the compiled program if nothing else is in the home. Node does not write into a folder that is gone. */
export function removeLoneCompileCache(home: string): void {
  try {
    if (readdirSync(home).join() === FOLDER) rmSync(compileCacheFolder(home), { recursive: true, force: true });
  } catch {
    // There is no home.
  }
}
