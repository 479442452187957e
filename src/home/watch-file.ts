import { type FSWatcher, watch as fsWatch, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { errnoOf, type FileState, readConfigFile } from "./file.ts";

/** An editor writes in several steps: a change is read this long after its last event, in milliseconds. */
const SETTLE_MS = 100;

/**
 * Calls `changed` with what the file holds, each time that its content is another one than before (first: than now).
 * A content that cannot be read is skipped: the last good one stays in force. Does not keep the process alive, and
 * never throws: where watching is impossible it is logged, once. The returned function ends it. Serves contract §8.
 */
export function watchConfigFile(
  path: string,
  { clock, log }: { clock: Clock; log: Log },
  changed: (state: FileState) => void,
): () => void {
  const initial = readConfigFile(path);
  let seen = fingerprint(initial);
  let cancel = () => {};
  const check = () => {
    const state = readConfigFile(path);
    const print = fingerprint(state);
    if (print === seen) return;
    seen = print;
    if (state.state === "ok" || state.state === "absent") changed(state);
    else log.warn("config_reload_skipped", { reason: state.state });
  };
  const onEvent = () => {
    cancel();
    cancel = clock.after(SETTLE_MS, check);
  };
  const watchers = [...new Set([path, realOf(path)])].map((file) => watchFolder(file, log, onEvent));
  return () => {
    cancel();
    for (const watcher of watchers) watcher?.close();
  };
}

function fingerprint({ state, bytes }: FileState): string {
  return `${state === "ok" ? "" : state} ${bytes?.toString("latin1") ?? ""}`;
}

/** Where a linked file really is: its folder is the one that sees the edits. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

// The folder and not the file: an atomic write puts another file in its place.
function watchFolder(file: string, log: Log, onEvent: () => void): FSWatcher | undefined {
  const failed = (error: unknown) => log.warn("config_watch_failed", { reason: errnoOf(error) ?? "unknown" });
  try {
    const watcher = fsWatch(dirname(file), { persistent: false }, (_, name) => {
      if (name === null || name === basename(file)) onEvent();
    });
    watcher.on("error", (error) => {
      failed(error);
      watcher.close();
    });
    return watcher;
  } catch (error) {
    failed(error);
    return undefined;
  }
}
