import { readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, every } from "../clock.ts";
import { makeFolder } from "../home/file.ts";
import { writtenAt } from "../home/plain-file.ts";
import type { FactStore, Owner } from "../negotiation/facts.ts";
import { isHere, look } from "./process.ts";

const BEAT_MS = 5_000;
/** A program whose file has been silent for this long watches nothing: it ended, or it stands still. */
const SILENT_MS = 15_000;
const SWEPT_MS = 24 * 3_600_000;

export const heartbeatFolder = (home: string): string => join(home, "running");
const fileOf = (home: string, instance: string) => join(heartbeatFolder(home), instance);

/**
 * Whether a program of this home watches what it answers for: one that ended or was stopped does not, as far as the system
 * can tell, and of every other the file decides that it touches while it watches, as none does that hangs.
 */
export const isAliveIn =
  (home: string, clock: Clock) =>
  async (owner: Owner, silentMs = SILENT_MS): Promise<boolean> => {
    if (look(owner) === "idle") return false;
    const isOld = owner.place === undefined; // version 0.2 has no file
    return isOld || isHere(owner) || isTouched(home, owner.instance, { clock, withinMs: silentMs });
  };

/** Whether that file of a program's was touched lately, by the time of its folder. */
export async function isTouched(
  home: string,
  name: string,
  { clock, withinMs }: { clock: Clock; withinMs: number },
): Promise<boolean> {
  const at = /^[\w-]{1,64}(?:\.looks)?$/.test(name) ? await touchedAt(fileOf(home, name)) : undefined;
  return at !== undefined && Math.abs((await timeIn(home, clock)) - at) < withinMs;
}

const touchedAt = (path: string): Promise<number | undefined> => writtenAt(path).catch(() => undefined);

/** The time by which the folder dates its files: clocks of two machines differ. Ours, where it cannot be written. */
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
  /** Whether something here must not be forgotten. */
  isWatching: () => boolean;
}

/** This program's own file. */
export interface Heartbeat {
  /** From now on, for as long as this program watches something. */
  begin(): Promise<void>;
  end(): Promise<void>;
}

export function createHeartbeat({ home, instance, clock, isWatching }: HeartbeatDeps): Heartbeat {
  const path = fileOf(home, instance);
  let cancel: (() => void) | undefined;
  let isSilent = true;

  /** Written over in place, so that a full disk takes it. What cannot be written is silence, and others look after it. */
  async function beat(): Promise<void> {
    try {
      await writeFile(path, ".", { flag: "r+" }).catch(async () => {
        makeFolder(heartbeatFolder(home));
        await writeFile(path, ".", { mode: 0o600 });
      });
    } catch {}
  }

  /** What killed programs left. */
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
        isSilent = !isWatching(); // what rested may be watched again without another word
        if (!isSilent) void beat();
      });
      void sweep().catch(() => {});
    },
    async end() {
      if (cancel === undefined) return;
      cancel();
      await rm(path, { force: true }).catch(() => {});
    },
  };
}

/** Facts as this program writes them: who puts its name under one shows from then on that it lives. */
export const withHeartbeat = <T extends FactStore>(facts: T, { instance }: Owner, heartbeat: Heartbeat): T => ({
  ...facts,
  async create(...[key, name, value, index]: Parameters<FactStore["create"]>) {
    if ((value as { owner?: Owner }).owner?.instance === instance) await heartbeat.begin();
    return facts.create(key, name, value, index);
  },
});
