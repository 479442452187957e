import { type FSWatcher, watch as fsWatch, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import type { Log } from "../log.ts";
import type { Platform } from "../platform.ts";
import { errnoOf, type FileState, fileStamp, readConfigFile } from "./file.ts";

/** How long after its last event a change is read, in milliseconds, because an editor writes in several steps. */
const SETTLE_MS = 100;
/** How often a missing folder is looked for, in milliseconds. */
const ABSENT_POLL_MS = 1_000;

/**
 * Calls `changed` with the file's content each time it differs from the last content that was seen, which at first is the
 * current content. Content that cannot be read is skipped, and the last good content stays in force. A removed folder is
 * watched again once it is back. Watching does not keep the process alive and never throws. If a file cannot be watched, this
 * is logged once. The returned function ends the watch. Serves contract §8.
 */
export function watchConfigFile(
  { clock, log }: Platform,
  path: string,
  changed: (state: FileState) => void,
): () => void {
  const initial = readConfigFile(path);
  let seen = fingerprint(initial);
  let cancel = () => {};
  let watchers: (FSWatcher | undefined)[] = [];
  /** True if another folder may have taken the place of the watched one. */
  let isLost = false;
  const watch = () => {
    isLost = false;
    watchers = [...new Set([path, realOf(path)])].map((file) =>
      watchFolder(file, log, (isOfFolder) => {
        isLost ||= isOfFolder;
        checkAfter(SETTLE_MS);
      }),
    );
  };
  const unwatch = () => {
    cancel();
    for (const watcher of watchers) watcher?.close();
  };
  const check = () => {
    if (fileStamp(dirname(path)) === undefined) {
      isLost = true;
      checkAfter(ABSENT_POLL_MS);
    } else if (isLost) {
      unwatch();
      watch();
    }
    const state = readConfigFile(path);
    const print = fingerprint(state);
    if (print === seen) return;
    seen = print;
    if (state.state === "ok" || state.state === "absent") changed(state);
    else log.warn("config_reload_skipped", { reason: state.state });
  };
  const checkAfter = (ms: number) => {
    cancel();
    cancel = clock.after(ms, check);
  };
  watch();
  return unwatch;
}

function fingerprint({ state, bytes }: FileState): string {
  return `${state === "ok" ? "" : state} ${bytes?.toString("latin1") ?? ""}`;
}

/** Resolves a linked file, because edits show in the folder of the real file. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/**
 * Watches the folder instead of the file, because an atomic write replaces the file. `isOfFolder` says that the event
 * is about the folder itself, which reports its own name when it is moved or removed.
 */
function watchFolder(file: string, log: Log, onEvent: (isOfFolder: boolean) => void): FSWatcher | undefined {
  const folder = dirname(file);
  const failed = (error: unknown) => log.warn("config_watch_failed", { reason: errnoOf(error) ?? "unknown" });
  try {
    const watcher = fsWatch(folder, { persistent: false }, (_, name) => {
      const isOfFolder = name === basename(folder);
      if (isOfFolder || name === null || name === basename(file)) onEvent(isOfFolder);
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
