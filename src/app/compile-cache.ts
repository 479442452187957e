import { lstatSync, mkdirSync, readdirSync, rmSync, type Stats, statSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { homeOf } from "./home-folder.ts";

const OTHERS_WRITE = 0o022;
const FOLDER = "cache";
export const compileCacheFolder = (home: string): string => join(home, FOLDER);

/** Long enough for everything that a start loads. */
const FLUSH_AFTER_MS = 3_000;

/**
 * Keeps the compiled program in the home, where nobody else can write: what stands there is run. Node's own place, the
 * system's temporary folder, is everybody's. Without such a folder nothing is kept.
 */
export function useCompileCache(env: NodeJS.ProcessEnv): void {
  try {
    const home = homeOf(env);
    if (!isOwn(statSync(home))) return;
    const folder = compileCacheFolder(home);
    const there = lstatSync(folder, { throwIfNoEntry: false });
    // Others may have written what stands there.
    if (there !== undefined && !isOwn(there)) rmSync(folder, { recursive: true });
    mkdirSync(folder, { recursive: true, mode: 0o700 }); // Node would leave its mode to the umask
    enableCompileCache(folder);
    setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref(); // a program that is killed has no clean end
  } catch {
    // It only starts more slowly.
  }
}

/** Whether nobody else can write to a folder; a link does not count. */
const isOwn = (at: Stats): boolean =>
  at.isDirectory() && at.uid === process.getuid?.() && (at.mode & OTHERS_WRITE) === 0;

/** Takes the compiled program away where nothing else is in the home: Node writes none into a folder that is gone. */
export function removeLoneCompileCache(home: string): void {
  try {
    if (readdirSync(home).join() === FOLDER) rmSync(compileCacheFolder(home), { recursive: true, force: true });
  } catch {
    // There is no home.
  }
}
