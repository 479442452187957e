import { watch } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../clock.ts";
import { makeFolder } from "../home/file.ts";
import { failureOf, type Log } from "../log.ts";
import { historyFolder } from "./history-folder.ts";

/** A demand is written down in several steps: it is looked at this long after the last of them, in milliseconds. */
const SETTLE_MS = 100;

/**
 * Calls `changed` when a program of this home begins or ends a negotiation. Where that cannot be watched it is logged, and
 * each minute's look finds it. Does not keep the process alive. The returned function ends it.
 */
export function watchOpen(home: string, { clock, log }: { clock: Clock; log: Log }, changed: () => void): () => void {
  const folder = join(historyFolder(home), OPEN);
  let cancel = () => {};
  try {
    makeFolder(folder);
    const watcher = watch(folder, { persistent: false }, () => {
      cancel();
      cancel = clock.after(SETTLE_MS, changed);
    });
    watcher.on("error", () => watcher.close());
    return () => {
      cancel();
      watcher.close();
    };
  } catch (error) {
    log.debug("open_unwatched", { error: failureOf(error) });
    return () => {};
  }
}

const OPEN = "open";
