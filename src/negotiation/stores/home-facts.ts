import { mkdir, readdir, rmdir, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { isAbsent, secureFolder, workIn } from "../../home/file.ts";
import type { Created, Entries, FactStore, NegotiationKey, Written } from "../facts.ts";
import { FactEntries, FactFolders, type FactFoldersDeps, type FolderFound } from "./fact-folders.ts";

export interface HomeFactsDeps extends FactFoldersDeps {
  /** Returns milliseconds since the epoch. */
  now: () => number;
  /** Receives the housekeeping, which nobody waits for and which never rejects. */
  inBackground?: (work: Promise<void>) => void;
  /** Facts that are a month old are removed. Otherwise they are folded, and kept for the person to look back. */
  forgets?: boolean;
}

/** Keeps the facts of a home, and lists the demands whose submits are written down. */
export interface HomeFacts extends FactStore {
  /** Lists them in no order, with at least those of the last day. */
  listDemands(): Promise<NegotiationKey[]>;
}

/** Forgets old facts, for a person who may not come again. */
export async function forgetOld(deps: FactFoldersDeps, now: number): Promise<void> {
  const folders = new FactFolders(deps);
  await sweep(folders, new FactEntries(folders), now, { forgets: true });
}

/**
 * Keeps facts in the home: a folder for each negotiation and a small file for each fact. `link` makes each file, so
 * that one of many programs wins, and it never changes. `open/` names those that somebody may have to answer for. Any
 * other file counts as absent and is left alone. Every method throws HomeUnwritable for a folder that cannot be used;
 * those that read facts throw `tool.config.invalid.newer_version` for one of a newer format.
 */
export function createFactFiles(deps: HomeFactsDeps): HomeFacts {
  const folders = new FactFolders(deps);
  const entries = new FactEntries(folders);
  const { files } = folders;
  const onDisk = workIn(deps.dir);
  let isSwept = false;
  /** Maps the content of `open/` to the negotiations that it names. */
  const openKeys = new WeakMap<readonly string[], NegotiationKey[]>();

  const close = (folder: string) => files.remove(folders.openMark(folder));

  async function write(folder: string, name: string, fact: { value: unknown; key: NegotiationKey }): Promise<Created> {
    // Folded facts stand in no folder, so a name may be taken though no file has it.
    const known = entries.known(folder);
    if (known.size === 0 && name !== "submitted") await entries.read(folder);
    if (known.get(name) !== undefined) return { created: false, current: known.get(name) };
    const created = await place(folder, name, { ...fact.key, fact: fact.value });
    const current = created ? fact.value : (await entries.read(folder)).get(name);
    entries.known(folder).set(name, current);
    return { created, current };
  }

  /** An old folder may be swept, here or by another program, before the file is in it. */
  async function place(folder: string, name: string, value: unknown): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        await mkdir(folders.path(folder), { recursive: true, mode: 0o700 });
        return await files.create(folders.factPath(folder, name), value);
      } catch (error) {
        // A folder that is removed while it is made is absent, as is a file in it.
        if (tries === 3 || !(isAbsent(error) || isAbsent((error as Error).cause))) throw error;
      }
    }
  }

  /** Sweeps after a program's first write, which may be a last-minute withdrawal. */
  function sweepOnce(): void {
    if (isSwept) return;
    isSwept = true;
    const work = sweep(folders, entries, deps.now(), deps).catch(() => {}); // The next program tries again.
    deps.inBackground?.(work);
  }

  return {
    read(key): Promise<Entries> {
      const folder = folders.nameOf(key);
      return onDisk(() => entries.unchanged(folder) ?? entries.snapshot(folder));
    },

    create: (key, name, value, index): Promise<Created> =>
      onDisk(async () => {
        const folder = folders.nameOf(key);
        secureFolder(deps.dir);
        if (index === "open") {
          await mkdir(folders.openPath, { recursive: true, mode: 0o700 });
          await files.create(folders.openMark(folder), key);
        }
        const result = await write(folder, name, { value, key });
        if (index === "close") await close(folder);
        sweepOnce();
        return result;
      }),

    close: (key) => onDisk(() => close(folders.nameOf(key))),

    listOpen: () =>
      onDisk(async () => {
        const open = folders.open();
        const known = openKeys.get(open);
        if (known !== undefined) return known;
        const keys = open.map(async (folder) => {
          return (await folders.keyFrom(folder, folders.openMark(folder))) ?? (await folders.keyWithin(folder));
        });
        const found = (await Promise.all(keys)).filter((key) => key !== undefined);
        if (found.length === open.length) openKeys.set(open, found);
        return found;
      }),

    list: (about) =>
      onDisk(async () => {
        const all = (await folders.all(about)).filter(({ folder }) => !FactFolders.isAttempts(folder));
        const found = new Map<string, Written>();
        // If one was written to after it was folded, both exist, and the first is newer.
        for (const one of await folders.newestFirst(all)) {
          if (found.has(one.folder)) continue;
          const told = folders.keyOf(one);
          const key = told instanceof Promise ? await told : told; // Ten thousand of these need no turn each.
          if (key !== undefined) found.set(one.folder, { origin: key.origin, id: key.id, writtenAt: one.writtenAt });
        }
        return [...found.values()];
      }),

    listDemands: () =>
      onDisk(async () => {
        const all = (await folders.all()).filter(({ folder, isFolded }) => !isFolded && FactFolders.isAttempts(folder));
        const keys = all.map(({ folder }) => folders.keyWithin(folder));
        return (await Promise.all(keys)).filter((key) => key !== undefined);
      }),
  };
}

const DAY_MS = 24 * 3_600_000;
/** A demand's attempts mean nothing after this. */
const ATTEMPTS_KEPT_MS = DAY_MS;
/** An ended negotiation is one file after this, since a home of years must not hold a folder for each. */
const FOLDED_AFTER_MS = 30 * DAY_MS;
/** One run handles this many folders of those it looks at. The next programs do the rest. */
const MAX_FOLDERS = 100;
const MAX_LOOKED_AT = 1_000;

/**
 * Removes attempts that no longer matter, and folds what ended long ago, or with `forgets` removes it, ended or not.
 * `at`: milliseconds since the epoch.
 */
async function sweep(folders: FactFolders, entries: FactEntries, at: number, { forgets = false } = {}): Promise<void> {
  const open = new Set(folders.open());
  let done = 0;
  const lying = (await folders.all()).filter(({ isFolded }) => !isFolded);
  for (const { folder, writtenAt } of (await folders.newestFirst(someOf(lying, at))).reverse()) {
    if (done === MAX_FOLDERS) return;
    const path = folders.path(folder);
    const isAttempts = FactFolders.isAttempts(folder);
    // A time in the future counts as age too, since the clock was wrong when it was written.
    if (Math.abs(at - writtenAt) <= (isAttempts ? ATTEMPTS_KEPT_MS : FOLDED_AFTER_MS)) continue;
    if (isAttempts || forgets) {
      // Only the files that exist while the folder is old are removed, so an attempt that begins meanwhile stays.
      const names = await readdir(path).catch(() => []);
      if ((await writtenLast(path)) !== writtenAt) continue;
      for (const name of names) await unlink(join(path, name)).catch(() => {});
      await rmdir(path).catch(() => {});
      if (open.has(folder)) await folders.files.remove(folders.openMark(folder)).catch(() => {});
      done += 1;
    } else if (!open.has(folder)) {
      const isFolded = await fold(folder, folders, entries).catch(() => false); // The next program tries again.
      if (isFolded) done += 1;
    }
  }
}

/** Returns all attempts, and some of the others, which change each second. */
function someOf(lying: readonly FolderFound[], at: number): FolderFound[] {
  const [attempts, others] = [true, false].map((wanted) =>
    lying.filter(({ folder }) => FactFolders.isAttempts(folder) === wanted),
  ) as [FolderFound[], FolderFound[]];
  const from = (Math.floor(at / 1000) * MAX_LOOKED_AT) % Math.max(1, others.length);
  return [...attempts, ...[...others.slice(from), ...others.slice(0, from)].slice(0, MAX_LOOKED_AT)];
}

/**
 * Folds its facts into one file, once. Later facts stand beside it. A program that dies in between leaves both.
 * Returns false where it stays as it is.
 */
async function fold(folder: string, folders: FactFolders, entries: FactEntries): Promise<boolean> {
  const { files } = folders;
  // Unreadable facts are left alone.
  const facts = [...(await entries.read(folder))].filter(([, fact]) => fact !== undefined);
  const key = await folders.keyWithin(folder);
  const writtenAt = await writtenLast(folders.path(folder));
  if (key === undefined || writtenAt === undefined) return false;
  if (!(await files.create(folders.foldedPath(folder), { ...key, facts: Object.fromEntries(facts) }))) return false;
  // The newest is found by this time.
  await utimes(folders.foldedPath(folder), writtenAt / 1000, writtenAt / 1000).catch(() => {});
  // Only facts in the file are removed, so one that was written meanwhile stays beside it.
  for (const [name] of facts) await files.remove(folders.factPath(folder, name));
  await rmdir(folders.path(folder)).catch(() => {});
  return true;
}

const writtenLast = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.mtimeMs;
