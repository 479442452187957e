import { mkdir, readdir, rmdir, stat, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../clock.ts";
import type { TowowError } from "../../errors.ts";
import { createNames, fileStamp, isAbsent, isObject, isThere, namesIn, secureFolder, workIn } from "../../home/file.ts";
import { createJsonFiles, type JsonFiles } from "../../home/json-files.ts";
import { remembering } from "../../remember.ts";
import { sha256 } from "../../sha256.ts";
import { inTurns, stepping } from "../../turn.ts";
import {
  type Created,
  type Entries,
  type FactStore,
  isAttemptsId,
  type NegotiationKey,
  type Written,
} from "../facts.ts";

export interface HomeFactsDeps extends FactFoldersDeps {
  /** Returns the time in ms since the epoch. */
  now: () => number;
  /** Receives housekeeping work, which nobody waits for and which never rejects. */
  inBackground?: (work: Promise<void>) => void;
  /**
   * True if facts that are a month old are removed. Otherwise the facts of each negotiation are folded into one file
   * and kept, so that the person can look back.
   */
  forgets?: boolean;
}

/** The facts of a home, and the demands whose submits are written down. */
export interface HomeFacts extends FactStore {
  /** Lists the demands in no particular order. At least the demands of the last day are listed. */
  listDemands(): Promise<NegotiationKey[]>;
}

/** Removes facts that are a month old, for a person who may never come back. `now` is in ms since the epoch. */
export async function forgetOld(deps: FactFoldersDeps, now: number): Promise<void> {
  const folders = new FactFolders(deps);
  await sweep(folders, new FactEntries(folders), now, { forgets: true });
}

/**
 * Keeps facts in the home, in a folder for each negotiation and a small file for each fact. Each file is made with
 * `link`, so that only one of several programs can create it, and never changes afterwards. `open/` names the
 * negotiations that somebody may have to answer for. Any other file counts as absent and is left alone. Every method
 * throws HomeUnwritable for a folder that cannot be used. Methods that read facts throw
 * `tool.config.invalid.newer_version` for facts of a newer format.
 */
export function createFactFiles(deps: HomeFactsDeps): HomeFacts {
  const folders = new FactFolders(deps);
  const entries = new FactEntries(folders);
  const { files } = folders;
  const onDisk = workIn(deps.dir);
  let isSwept = false;
  /** The negotiations that `open/` names, cached by the list of the files in that folder. */
  const openKeys = new WeakMap<readonly string[], NegotiationKey[]>();

  const close = (folder: string) => files.remove(folders.openMark(folder));

  async function write(folder: string, name: string, fact: { value: unknown; key: NegotiationKey }): Promise<Created> {
    // Folded facts have no files of their own, so a fact may exist although no file has its name.
    const known = entries.known(folder);
    if (known.size === 0 && name !== "submitted") await entries.read(folder);
    if (known.get(name) !== undefined) return { created: false, current: known.get(name) };
    const created = await place(folder, name, { ...fact.key, fact: fact.value });
    const current = created ? fact.value : (await entries.read(folder)).get(name);
    entries.known(folder).set(name, current);
    return { created, current };
  }

  /**
   * Creates a fact's file, and tries again if this or another program sweeps the old folder away before the file is in
   * it.
   */
  async function place(folder: string, name: string, value: unknown): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        await mkdir(folders.path(folder), { recursive: true, mode: 0o700 });
        return await files.create(folders.factPath(folder, name), value);
      } catch (error) {
        // If a folder is removed while it is made, either the folder or a file in it is reported as absent.
        if (tries === 3 || !(isAbsent(error) || isAbsent((error as Error).cause))) throw error;
      }
    }
  }

  /** Sweeps once, after the program's first write, because that write may be a last-minute withdrawal. */
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
        // A negotiation that was written to after it was folded has both a folder and a file, and the folder is newer.
        for (const one of await folders.newestFirst(all)) {
          if (found.has(one.folder)) continue;
          const told = folders.keyOf(one);
          // An await for each of ten thousand keys would cost too many turns of the event loop.
          const key = told instanceof Promise ? await told : told;
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
/** How long a demand's attempts matter, in milliseconds. */
const ATTEMPTS_KEPT_MS = DAY_MS;
/**
 * How long an ended negotiation keeps its folder, in milliseconds. After that the folder is folded into one file, so
 * that a home of many years does not hold a folder for each negotiation.
 */
const FOLDED_AFTER_MS = 30 * DAY_MS;
/** The number of folders that one run handles, and the number that it looks at. The next programs do the rest. */
const MAX_FOLDERS = 100;
const MAX_LOOKED_AT = 1_000;

/**
 * Removes attempts that no longer matter, and folds negotiations that ended long ago. With `forgets` it removes old
 * negotiations instead, ended or not. `at` is in ms since the epoch.
 */
async function sweep(folders: FactFolders, entries: FactEntries, at: number, { forgets = false } = {}): Promise<void> {
  const open = new Set(folders.open());
  let done = 0;
  const lying = (await folders.all()).filter(({ isFolded }) => !isFolded);
  for (const { folder, writtenAt } of (await folders.newestFirst(someOf(lying, at))).reverse()) {
    if (done === MAX_FOLDERS) return;
    const path = folders.path(folder);
    const isAttempts = FactFolders.isAttempts(folder);
    // A time in the future counts as old too, because the clock was wrong when it was written.
    if (Math.abs(at - writtenAt) <= (isAttempts ? ATTEMPTS_KEPT_MS : FOLDED_AFTER_MS)) continue;
    if (isAttempts || forgets) {
      // Only the files that exist while the folder is old are removed, so that an attempt that begins meanwhile stays.
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

/**
 * Returns all attempts and some of the other folders. The choice changes each second, so that every folder is looked at
 * in the end.
 */
function someOf(lying: readonly FolderFound[], at: number): FolderFound[] {
  const [attempts, others] = [true, false].map((wanted) =>
    lying.filter(({ folder }) => FactFolders.isAttempts(folder) === wanted),
  ) as [FolderFound[], FolderFound[]];
  const from = (Math.floor(at / 1000) * MAX_LOOKED_AT) % Math.max(1, others.length);
  return [...attempts, ...[...others.slice(from), ...others.slice(0, from)].slice(0, MAX_LOOKED_AT)];
}

/**
 * Folds the facts in a folder into one file, once. Facts that are written later stand in the folder again, beside that
 * file. A program that dies while it folds leaves both. Returns false if the folder stays as it is.
 */
async function fold(folder: string, folders: FactFolders, entries: FactEntries): Promise<boolean> {
  const { files } = folders;
  // Unreadable facts are left alone.
  const facts = [...(await entries.read(folder))].filter(([, fact]) => fact !== undefined);
  const key = await folders.keyWithin(folder);
  const writtenAt = await writtenLast(folders.path(folder));
  if (key === undefined || writtenAt === undefined) return false;
  if (!(await files.create(folders.foldedPath(folder), { ...key, facts: Object.fromEntries(facts) }))) return false;
  // The time of the last write is kept, because lists find the newest negotiation by it.
  await utimes(folders.foldedPath(folder), writtenAt / 1000, writtenAt / 1000).catch(() => {});
  // Only the facts in the new file are removed, so that a fact that was written meanwhile stays beside it.
  for (const [name] of facts) await files.remove(folders.factPath(folder, name));
  await rmdir(folders.path(folder)).catch(() => {});
  return true;
}

const writtenLast = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.mtimeMs;

export interface FactFoldersDeps {
  /** The folder of the facts. The first write creates the folder, with mode 0700. */
  dir: string;
  /** Returns fresh random text for temporary names. */
  newId: () => string;
}

/**
 * A folder in a home. The name alone shows whether the folder is about one negotiation or about the attempts to submit
 * a demand.
 */
export interface FolderFound {
  folder: string;
  isFolded: boolean;
  /** When the folder was last written to, in ms since the epoch, or 0 if that was not checked. */
  writtenAt: number;
}

const OPEN = "open";
const HARMLESS = /^[A-Za-z0-9_-]{1,80}$/;
/** The beginning of the folder name of an id that is not harmless. */
const HASHED = "x-";
const FACT = /^[a-z0-9][a-z0-9._]*\.json$/;

/** Finds the folder of each negotiation in a home, and the negotiation that a folder is about. */
export class FactFolders {
  readonly files: JsonFiles;
  readonly #dir: string;
  readonly #originMark: (origin: string) => string;
  readonly #namesIn = createNames();
  readonly #withoutEndings = new WeakMap<readonly string[], readonly string[]>();
  /** The origins, by the short hashes that stand for them in folder names. A home knows few backends. */
  readonly #origins = new LRUCache<string, string>({ max: 500 });
  readonly openPath: string;

  constructor({ dir, newId }: FactFoldersDeps) {
    this.#dir = dir;
    this.openPath = join(dir, OPEN);
    this.#originMark = remembering((origin) => sha256(origin).slice(0, 12), 20, 500);
    this.files = createJsonFiles(dir, newId);
  }

  nameOf({ origin, id }: NegotiationKey): string {
    return `${this.#idName(id)}~${this.#originMark(origin)}`;
  }

  /**
   * Returns the name of an id in file names. An id comes from outside, so it becomes a file name only if it is
   * harmless.
   */
  #idName(id: string): string {
    return HARMLESS.test(id) ? id : `${HASHED}${sha256(id).slice(0, 32)}`;
  }

  /** Returns whether a folder holds the attempts to submit one demand rather than a negotiation. */
  static isAttempts(folder: string): boolean {
    return isAttemptsId(folder.slice(0, folder.indexOf("~")));
  }

  path(folder: string): string {
    return join(this.#dir, folder);
  }

  factPath(folder: string, fact: string): string {
    return join(this.#dir, folder, `${fact}.json`);
  }

  /** Returns the path of the one file that holds a negotiation that ended long ago. */
  foldedPath(folder: string): string {
    return join(this.#dir, `${folder}.json`);
  }

  /** Returns the path of the file that says that somebody may have to answer for the negotiation. */
  openMark(folder: string): string {
    return join(this.#dir, OPEN, `${folder}.json`);
  }

  /** Lists the facts in a folder. The same object is returned as long as nothing has changed. */
  factsIn(folder: string): readonly string[] {
    return this.#without(this.path(folder), (name) => FACT.test(name));
  }

  /**
   * Lists the folders of negotiations that somebody may have to answer for. The same object is returned as long as
   * nothing has changed.
   */
  open(): readonly string[] {
    return this.#without(this.openPath, (name) => name.endsWith(".json"));
  }

  /** Lists the files of a folder that `wanted` accepts, without their endings. */
  #without(folder: string, wanted: (name: string) => boolean): readonly string[] {
    const names = this.#namesIn(folder);
    const known = this.#withoutEndings.get(names);
    if (known !== undefined) return known;
    const without = names.filter(wanted).map((name) => name.slice(0, -".json".length));
    this.#withoutEndings.set(names, without);
    return without;
  }

  /** Lists everything that was ever written, folded or not, for an id, a backend or all, by the names alone. */
  async all({ id, origin }: Partial<NegotiationKey> = {}): Promise<FolderFound[]> {
    const begin = id === undefined ? "" : `${this.#idName(id)}~`;
    const end = origin === undefined ? "" : `~${this.#originMark(origin)}`;
    const found: FolderFound[] = [];
    for (const name of await this.#names()) {
      if (!name.includes("~") || !name.startsWith(begin)) continue;
      const isFolded = name.endsWith(".json");
      const folder = isFolded ? name.slice(0, -".json".length) : name;
      if (folder.endsWith(end)) found.push({ folder, isFolded, writtenAt: 0 });
    }
    return found;
  }

  /**
   * Adds the time of the last write to each folder, and returns them newest first, without those that have gone
   * meanwhile.
   */
  async newestFirst(found: readonly FolderFound[]): Promise<FolderFound[]> {
    const look = (one: FolderFound) => {
      const path = one.isFolded ? this.foldedPath(one.folder) : this.path(one.folder);
      one.writtenAt = fileStamp(path)?.mtimeMs ?? 0;
    };
    await inTurns(stepping(found, look));
    return found.filter(({ writtenAt }) => writtenAt > 0).sort((a, b) => b.writtenAt - a.writtenAt);
  }

  async #names(): Promise<string[]> {
    try {
      return await readdir(this.#dir);
    } catch (error) {
      if (isAbsent(error)) return [];
      throw error;
    }
  }

  /**
   * Returns the negotiation that a folder is about, from the folder's name or else from its facts. Returns undefined if
   * neither shows which negotiation that is.
   */
  keyOf({ folder, isFolded }: FolderFound): NegotiationKey | undefined | Promise<NegotiationKey | undefined> {
    const at = folder.lastIndexOf("~");
    const [id, origin] = [folder.slice(0, at), this.#origins.get(folder.slice(at + 1))];
    if (origin !== undefined && HARMLESS.test(id) && !id.startsWith(HASHED)) return { origin, id };
    return isFolded ? this.keyFrom(folder, this.foldedPath(folder)) : this.keyWithin(folder);
  }

  /**
   * Returns the negotiation that a folder is about. Every fact names the negotiation, so that one unreadable fact does
   * not hide it. The list of files is not cached, because a listing visits each folder of a home only once.
   */
  async keyWithin(folder: string): Promise<NegotiationKey | undefined> {
    for (const name of namesIn(this.path(folder)).filter((it) => FACT.test(it))) {
      const key = await this.keyFrom(folder, join(this.path(folder), name));
      if (key !== undefined) return key;
    }
    return undefined;
  }

  /**
   * Returns the negotiation that a file names for a folder, or undefined if the file is unreadable or names another
   * one.
   */
  async keyFrom(folder: string, path: string): Promise<NegotiationKey | undefined> {
    const value = await this.files.read(path).catch(() => undefined); // An unreadable file must not hide the others.
    if (!isObject(value)) return undefined;
    const { origin, id } = value;
    if (typeof origin !== "string" || typeof id !== "string") return undefined;
    const key = { origin, id };
    // A file under another negotiation's name would be taken for that negotiation.
    if (this.nameOf(key) !== folder) return undefined;
    this.#origins.set(this.#originMark(origin), origin);
    return key;
  }
}

/**
 * The number of negotiations whose entries stay in memory. The entries stay valid, because a fact's file never changes.
 */
const REMEMBERED = 500;

/** Reads the facts of each folder, and each file only once. */
class FactEntries {
  readonly #folders: FactFolders;
  readonly #known = new LRUCache<string, Map<string, unknown>>({ max: REMEMBERED });
  /** The entries that were last returned for each negotiation. */
  readonly #snapshots = new WeakMap<Map<string, unknown>, Entries>();
  /** The list of the files in the folder at the time when all of them had been read. */
  readonly #complete = new WeakMap<Map<string, unknown>, readonly string[]>();

  constructor(folders: FactFolders) {
    this.#folders = folders;
  }

  /** Returns the current entries. The same object is returned as long as nothing is new. */
  async snapshot(folder: string): Promise<Entries> {
    const entries = await this.read(folder);
    const last = this.#snapshots.get(entries);
    if (last !== undefined && isSame(entries, last)) return last;
    const snapshot = new Map(entries);
    this.#snapshots.set(entries, snapshot);
    return snapshot;
  }

  /**
   * Returns the last entries if one look at the folder shows that they are complete, which saves most reads.
   * @throws the system's error for a folder that cannot be read
   */
  unchanged(folder: string): Entries | undefined {
    const entries = this.#known.get(folder);
    const last = entries && this.#snapshots.get(entries);
    if (entries === undefined || last === undefined || !isSame(entries, last)) return undefined;
    return this.#complete.get(entries) === this.#folders.factsIn(folder) ? last : undefined;
  }

  /** Returns the entries in memory, with what is new on disk. */
  async read(folder: string): Promise<Map<string, unknown>> {
    const { files } = this.#folders;
    const entries = this.known(folder);
    const names = this.#folders.factsIn(folder);
    if (this.#complete.get(entries) === names) return entries;
    // When old attempts are removed, their numbers are free again for every program. A program that still remembered
    // them could submit at the same time as another.
    if (FactFolders.isAttempts(folder))
      for (const name of entries.keys()) if (!names.includes(name)) entries.delete(name);
    const unread = names.filter((name) => !entries.has(name));
    await Promise.all(
      unread.map(async (name) => {
        const value = await files.read(this.#folders.factPath(folder, name));
        // A fact that is unreadable, or belongs to another negotiation, keeps its name and holds nothing.
        entries.set(name, this.#isFactOf(folder, value) ? value.fact : undefined);
      }),
    );
    if (entries.get("submitted") !== undefined || FactFolders.isAttempts(folder)) {
      this.#complete.set(entries, names);
      return entries;
    }
    const foldedPath = this.#folders.foldedPath(folder);
    // A negotiation that others submitted has no such file. Checking for a file costs a tenth of trying to open a
    // missing one.
    if (!isThere(foldedPath)) return entries;
    const folded = await files.read(foldedPath);
    if (!isObject(folded) || !isObject(folded.facts)) return entries;
    for (const [name, fact] of Object.entries(folded.facts)) entries.set(name, fact);
    return entries;
  }

  /** Returns the entries in memory. The caller may change them. */
  known(folder: string): Map<string, unknown> {
    const entries = this.#known.get(folder) ?? new Map<string, unknown>();
    this.#known.set(folder, entries);
    return entries;
  }

  #isFactOf(folder: string, value: unknown): value is { fact: unknown } {
    if (!isObject(value) || !("fact" in value)) return false;
    return this.#folders.nameOf({ origin: String(value.origin), id: String(value.id) }) === folder;
  }
}

function isSame(entries: Entries, others: Entries): boolean {
  if (entries.size !== others.size) return false;
  for (const [name, value] of entries) if (others.get(name) !== value) return false;
  return true;
}

/**
 * How long a disk may take to answer, in milliseconds. A full disk fails at once, and a slow one answers within
 * seconds. A drive whose server is gone says nothing for hours.
 */
const ANSWER_MS = 3_000;

/**
 * Wraps facts so that each call is answered in time, because a disk that hangs must not make the program hang (contract
 * §10). While a read is late no other read begins, and while a write is late no other write does. Such calls fail at
 * once and take none of the process's few threads. A write that has begun may still succeed, as in any store that
 * answers too late.
 * @throws `tooLate` from every method that is not answered in time
 */
export function answering(facts: FactStore, clock: Clock, tooLate: () => TowowError): FactStore {
  const [reading, writing] = [inTime(clock, tooLate), inTime(clock, tooLate)];
  return {
    read: (key) => reading(() => facts.read(key)),
    listOpen: () => reading(() => facts.listOpen()),
    list: (about) => reading(() => facts.list(about)),
    create: (...fact) => writing(() => facts.create(...fact)),
    close: (key) => writing(() => facts.close(key)),
  };
}

function inTime(clock: Clock, tooLate: () => TowowError) {
  let late = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (late > 0) throw tooLate();
    let isLate = false;
    const { promise: out, reject } = Promise.withResolvers<never>();
    const cancelTimer = clock.after(ANSWER_MS, () => {
      isLate = true;
      late += 1;
      reject(tooLate());
    });
    const answer = work().finally(() => {
      cancelTimer();
      if (isLate) late -= 1;
    });
    return Promise.race([answer, out]);
  };
}
