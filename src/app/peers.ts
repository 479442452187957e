import { watch } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import { makeFolder } from "../home/file.ts";
import { createJsonFiles } from "../home/json-files.ts";
import { readPlain } from "../home/plain-file.ts";
import { jsonIn } from "../json.ts";
import { failureOf } from "../log.ts";
import type { Owner } from "../negotiation/facts.ts";
import type { Platform } from "../platform.ts";
import { heartbeatFolder, isTouched } from "./heartbeats.ts";
import { historyFolder } from "./history-folder.ts";
import { isHere, look } from "./process.ts";

/**
 * A program announces this often that it watches what others begin. After the longer time without an announcement it
 * counts as gone.
 */
const ANNOUNCED_EVERY_MS = 60_000;
const ANNOUNCED_FOR_MS = 150_000;
/**
 * Delays in milliseconds between the last change in the folder and each call of `onChange`. A demand is written in
 * several steps, so a reading at the first change would see half of it.
 */
const SETTLED_MS = [100, 1_000];

const SUFFIX = ".looks";
const announcement = z.object({
  origin: z.string(),
  account: z.string().exactOptional(),
  pid: z.int(),
  started: z.string().exactOptional(),
  place: z.string().exactOptional(),
});

/** How a program takes part while it watches what others begin. */
interface Watching {
  /** Returns the backend at which this program watches what others begin. */
  origin: () => string;
  /** Returns the account as a hash, or undefined while the account is unknown. */
  account: () => string | undefined;
  /** Returns whether a demand that another program leaves to this one would be withdrawn in time. */
  mayKeep: () => boolean;
  /** Called when another program has begun or ended something. */
  onChange: () => void;
}

/** Connects the long-running programs of one home, so that each notices the demands that another one begins. */
export interface Peers {
  /** Starts to watch, and announces this to the other programs. Does not keep the process alive. */
  begin(watching: Watching): void;
  /** Announces the new state after the settings have changed. */
  announce(): void;
  /** True while this program watches what others begin and may look after their demands. */
  readonly keepsOthers: boolean;
  /** Returns whether another program watches what is begun at that backend as that account. */
  hasOthers(origin: string, account: string | undefined): Promise<boolean>;
  end(): Promise<void>;
}

/** Creates the peers of the running program `owner` in this home. */
export function createPeers(platform: Platform, home: string, owner: Owner): Peers {
  const { clock, log } = platform;
  const folder = heartbeatFolder(home);
  const ownPath = join(folder, `${owner.instance}${SUFFIX}`);
  // Each file is written as a whole, because another program may read it during a write.
  const files = createJsonFiles(folder, platform.newId);
  const { pid, started, place } = owner;
  let own: Watching | undefined;
  let stop: (() => void) | undefined;
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    if (stop === undefined || !own?.mayKeep()) return rm(ownPath, { force: true });
    const account = own.account();
    const value: z.input<typeof announcement> = {
      origin: own.origin(),
      ...(account !== undefined && { account }),
      pid,
      ...(started !== undefined && { started }),
      ...(place !== undefined && { place }),
    };
    await files.replace(ownPath, value);
  }

  /** Writes the announcement. If that fails, no program sees it, so none leaves a demand to this one. */
  function announce(): Promise<void> {
    writing = writing.then(write).catch((error) => log.debug("company_unwritten", { error: failureOf(error) }));
    return writing;
  }

  /** Watches the folder anew each time, because a folder that was removed and made again is a different one. */
  function goOn(): void {
    try {
      const stopWatching = watchOpen(home, clock, () => own?.onChange());
      const cancel = clock.after(ANNOUNCED_EVERY_MS, () => {
        stopWatching();
        goOn();
      });
      stop = () => {
        cancel();
        stopWatching();
      };
    } catch (error) {
      stop = undefined;
      log.debug("open_unwatched", { error: failureOf(error) });
    }
    void announce();
  }

  async function isLooking(name: string, origin: string, account: string): Promise<boolean> {
    const text = await readPlain(join(folder, name)).catch(() => undefined);
    const other = announcement.safeParse(jsonIn(text?.toString("utf8") ?? "")).data;
    if (other?.origin !== origin || other.account !== account) return false;
    const program = { ...other, instance: name.slice(0, -SUFFIX.length) };
    if (isHere(program) || look(program) === "idle") return false;
    return isTouched(home, name, { clock, withinMs: ANNOUNCED_FOR_MS });
  }

  return {
    begin(watching) {
      own = watching;
      goOn();
    },
    announce: () => void announce(),
    get keepsOthers() {
      return stop !== undefined && own?.mayKeep() === true;
    },
    async hasOthers(origin, account) {
      if (account === undefined) return false;
      const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(SUFFIX));
      for (const name of names) if (await isLooking(name, origin, account)) return true;
      return false;
    },
    async end() {
      if (stop === undefined) return;
      stop();
      stop = undefined;
      await announce();
    },
  };
}

/** Watches the folder of open negotiations. Throws if the system does not report changes. */
function watchOpen(home: string, clock: Clock, onChange: () => void): () => void {
  const folder = join(historyFolder(home), "open");
  makeFolder(folder);
  let cancels: (() => void)[] = [];
  const cancelAll = () => {
    for (const cancel of cancels) cancel();
  };
  const watcher = watch(folder, { persistent: false }, () => {
    cancelAll();
    cancels = SETTLED_MS.map((ms) => clock.after(ms, onChange));
  });
  watcher.on("error", () => watcher.close());
  return () => {
    cancelAll();
    watcher.close();
  };
}
