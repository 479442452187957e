import { rmdirSync, statSync } from "node:fs";
import { stopwatch } from "../clock.ts";
import { Failure } from "../errors.ts";
import type { Platform } from "../platform.ts";
import { errnoOf } from "./file.ts";

export interface LockOptions {
  readonly platform: Platform;
  /** The longest wait, in milliseconds. */
  readonly waitMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Called once if the wait exceeds {@link LONG_MS}, so that a waiting person learns why. */
  readonly onLongWait?: ((lock: string) => void) | undefined;
}

/** A wait longer than this counts as long, in milliseconds. */
const LONG_MS = 2_000;

type Lockfile = typeof import("proper-lockfile");

/** How often a living holder refreshes its lock, in milliseconds. A holder that has not done so for `STALE_MS` is gone. */
const REFRESH_MS = 1500;
export const STALE_MS = 6000;
const POLL_MS = { first: 8, most: 120 };
/** A dead holder is looked for at the first refusal and at every sixteenth refusal after it. */
const RECOVER_EVERY = 16;

/**
 * Runs `work` while no other process, and nothing else in this one, holds `<target>.lock`. The lock of a dead holder is
 * recovered. @throws `tool.config.timeout.locked` after `waitMs`, the signal's reason, or the system's error for an
 * unwritable folder
 */
export async function withLock<T>(target: string, work: () => Promise<T> | T, options: LockOptions): Promise<T> {
  const release = await acquire(target, options);
  try {
    return await work();
  } finally {
    // A lost lock, as after the machine slept, belongs to another program by now, so there is nothing to release.
    await release().catch(() => {});
  }
}

async function acquire(
  target: string,
  { platform: { clock, random }, waitMs, signal, onLongWait }: LockOptions,
): Promise<() => Promise<void>> {
  const { default: lockfile } = await import("proper-lockfile");
  const elapsedMs = stopwatch(clock);
  let hasSaid = false;
  for (let attempt = 0, pollMs = POLL_MS.first; ; attempt++) {
    signal?.throwIfAborted();
    // The time is measured before the attempt, so that an attempt is not the last just because the machine slept during it.
    const waited = elapsedMs();
    try {
      // The library must never treat the lock as stale. Two waiters that find the same dead lock would both take it,
      // because the second one's rmdir removes the first one's fresh lock. `recover` avoids that with a lock of its
      // own.
      return await lockfile.lock(target, {
        realpath: false,
        stale: Number.POSITIVE_INFINITY,
        update: REFRESH_MS,
        onCompromised: () => {},
      });
    } catch (error) {
      if (errnoOf(error) !== "ELOCKED") throw error;
    }
    if (attempt % RECOVER_EVERY === 0 && (await recover(lockfile, target))) continue;
    if (waited >= LONG_MS && !hasSaid) {
      hasSaid = true;
      onLongWait?.(`${target}.lock`);
    }
    if (waited >= waitMs)
      throw new Failure("tool.config.timeout.locked", { path: `${target}.lock`, waited_s: Math.round(waited / 1000) });
    await clock.sleep(Math.min(pollMs * (0.5 + random()), waitMs - waited), signal);
    pollMs = Math.min(pollMs * 1.5, POLL_MS.most);
  }
}

/** Removes a lock whose holder is gone. Returns whether the lock was removed. */
async function recover(lockfile: Lockfile, target: string): Promise<boolean> {
  const recovery = `${target}.recovery`;
  let release: () => Promise<void>;
  try {
    release = await lockfile.lock(recovery, { realpath: false, stale: STALE_MS, onCompromised: () => {} });
  } catch (error) {
    if (errnoOf(error) === "ELOCKED") return false;
    throw error;
  }
  try {
    // Both times come from the file system, so that neither our clock nor its difference to a network drive's matters.
    const now = statSync(`${recovery}.lock`).mtimeMs;
    if (now - statSync(`${target}.lock`).mtimeMs < STALE_MS) return false;
    rmdirSync(`${target}.lock`);
    return true;
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return false;
    throw error;
  } finally {
    await release().catch(() => {});
  }
}
