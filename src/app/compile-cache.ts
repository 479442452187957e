import { statSync } from "node:fs";
import { enableCompileCache, flushCompileCache } from "node:module";
import { join } from "node:path";
import { homeOf } from "./home-folder.ts";

const OTHERS_WRITE = 0o022;
/** Long enough for everything that a start loads. */
const FLUSH_AFTER_MS = 3_000;

/**
 * Keeps the compiled program in the home, where nobody else can write: what stands there is run. Node's own place, the
 * system's temporary folder, is everybody's. Without such a folder nothing is kept.
 */
export function useCompileCache(env: NodeJS.ProcessEnv): void {
  try {
    const home = homeOf(env);
    const { uid, mode } = statSync(home);
    if (uid !== process.getuid?.() || (mode & OTHERS_WRITE) !== 0) return;
    enableCompileCache(join(home, "cache"));
    setTimeout(flushCompileCache, FLUSH_AFTER_MS).unref(); // a program that is killed has no clean end
  } catch {
    // It only starts more slowly.
  }
}
