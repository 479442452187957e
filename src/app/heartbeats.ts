import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, every } from "../clock.ts";
import { makeFolder } from "../home/file.ts";
import { writtenAt } from "../home/plain-file.ts";
import type { FactStore, Owner } from "../negotiation/facts.ts";
import { isHere, look } from "./process.ts";

const BEAT_MS = 5_000;
/** A program counts as ended or hung once its file has not been touched for this long, in ms. */
const SILENT_MS = 15_000;
const SWEPT_MS = 24 * 3_600_000;

export const heartbeatFolder = (home: string): string => join(home, "running");
const fileOf = (home: string, instance: string) => join(heartbeatFolder(home), instance);

/**
 * Returns whether a program of this home still looks after its negotiations. A program that the system shows as ended
 * or stopped does not. Any other counts as alive while it keeps touching its heartbeat file, which a hung program does
 * not.
 */
export const isAliveIn =
  (home: string, clock: Clock) =>
  async (owner: Owner, silentMs = SILENT_MS): Promise<boolean> => {
    if (look(owner) === "idle") return false;
    const isOld = owner.place === undefined; // Version 0.2 has no heartbeat file.
    return isOld || isHere(owner) || isTouched(home, owner.instance, { clock, withinMs: silentMs });
  };

/** Returns whether a program's file was touched within `withinMs`, by the clock that dates the folder's files. */
export async function isTouched(
  home: string,
  name: string,
  { clock, withinMs }: { clock: Clock; withinMs: number },
): Promise<boolean> {
  const at = /^[\w-]{1,64}(?:\.looks)?$/.test(name) ? await touchedAt(fileOf(home, name)) : undefined;
  return at !== undefined && Math.abs((await timeIn(home, clock)) - at) < withinMs;
}

const touchedAt = (path: string): Promise<number | undefined> => writtenAt(path).catch(() => undefined);

/**
 * Returns the time by which the folder dates its files, because the clocks of two machines differ. If the folder cannot
 * be written, returns our own time.
 */
async function timeIn(home: string, clock: Clock): Promise<number> {
  const path = fileOf(home, `look.${process.pid}.${Math.floor(performance.now() * 1000)}`);
  try {
    await writeFile(path, "", { flag: "wx", mode: 0o600 });
    return (await touchedAt(path)) ?? clock.now();
  } catch {
    return clock.now();
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

export interface HeartbeatDeps {
  home: string;
  instance: string;
  clock: Clock;
}

/** Keeps this program's own heartbeat file. */
export interface Heartbeat {
  /** Touches the file from now on, for as long as this program looks after a negotiation. */
  begin(): Promise<void>;
  /** Sets the function that says whether this program looks after a negotiation, so that other programs must see it alive. */
  beatWhile(needsHeartbeat: () => boolean): void;
  end(): Promise<void>;
}

export function createHeartbeat({ home, instance, clock }: HeartbeatDeps): Heartbeat {
  const path = fileOf(home, instance);
  let cancel: (() => void) | undefined;
  let isSilent = true;
  let isNeeded = () => false;

  /**
   * Overwrites the file in place, so that it works even on a full disk. A failed write counts as silence, and others
   * take over.
   */
  async function beat(): Promise<void> {
    try {
      await writeFile(path, ".", { flag: "r+" }).catch(async () => {
        makeFolder(heartbeatFolder(home));
        await writeFile(path, ".", { mode: 0o600 });
      });
    } catch {}
  }

  /** Removes the files that killed programs left. */
  async function sweep(): Promise<void> {
    const now = await timeIn(home, clock);
    for (const name of await readdir(heartbeatFolder(home))) {
      const at = await touchedAt(join(heartbeatFolder(home), name));
      if (at !== undefined && now - at > SWEPT_MS) await rm(join(heartbeatFolder(home), name), { force: true });
    }
  }

  return {
    async begin() {
      if (!isSilent) return;
      isSilent = false;
      await beat();
      if (cancel !== undefined) return;
      cancel = every(clock, BEAT_MS, () => {
        isSilent = !isNeeded(); // A paused negotiation may need the program again without notice, so the timer goes on.
        if (!isSilent) void beat();
      });
      void sweep().catch(() => {});
    },
    beatWhile(needsHeartbeat) {
      isNeeded = needsHeartbeat;
    },
    async end() {
      if (cancel === undefined) return;
      cancel();
      await rm(path, { force: true }).catch(() => {});
    },
  };
}

/**
 * Returns the fact store with a `create` that starts the heartbeat before it writes a fact that names this program as
 * owner.
 */
export const withHeartbeat = <T extends FactStore>(facts: T, { instance }: Owner, heartbeat: Heartbeat): T => ({
  ...facts,
  async create(...[key, name, value, index]: Parameters<FactStore["create"]>) {
    if ((value as { owner?: Owner }).owner?.instance === instance) await heartbeat.begin();
    return facts.create(key, name, value, index);
  },
});
