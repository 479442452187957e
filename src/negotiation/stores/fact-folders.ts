import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { createNames, fileStamp, isAbsent, isObject, isThere, namesIn } from "../../home/file.ts";
import { createJsonFiles, type JsonFiles } from "../../home/json-files.ts";
import { remembering } from "../../remember.ts";
import { inTurns, stepping } from "../../turn.ts";
import { type Entries, isAttemptsId, type NegotiationKey } from "../facts.ts";

export interface FactFoldersDeps {
  /** The folder is made on first write with mode 0700. */
  dir: string;
  /** Returns fresh random text for temporary names. */
  newId: () => string;
  hash: (text: string) => string;
}

/** A folder in a home is about one negotiation, or about the attempts to submit a demand, as its name alone shows. */
export interface FolderFound {
  folder: string;
  isFolded: boolean;
  /** It was last written to at this time, ms since the epoch. 0 where that was not checked. */
  writtenAt: number;
}

const OPEN = "open";
const HARMLESS = /^[A-Za-z0-9_-]{1,80}$/;
/** The folder name of an id that is not harmless begins with this. */
const HASHED = "x-";
const FACT = /^[a-z0-9][a-z0-9._]*\.json$/;

/** Finds the facts of a home: a folder for each negotiation, by its name here, and what each is about. */
export class FactFolders {
  readonly files: JsonFiles;
  readonly #dir: string;
  readonly #hash: (text: string) => string;
  readonly #originMark: (origin: string) => string;
  readonly #namesIn = createNames();
  readonly #withoutEndings = new WeakMap<readonly string[], readonly string[]>();
  /** Origins are cached by their marks. A home knows few backends. */
  readonly #origins = new LRUCache<string, string>({ max: 500 });
  readonly openPath: string;

  constructor({ dir, newId, hash }: FactFoldersDeps) {
    this.#dir = dir;
    this.openPath = join(dir, OPEN);
    this.#hash = hash;
    this.#originMark = remembering((origin) => hash(origin).slice(0, 12), 20, 500);
    this.files = createJsonFiles(dir, newId);
  }

  nameOf({ origin, id }: NegotiationKey): string {
    return `${this.#idName(id)}~${this.#originMark(origin)}`;
  }

  /** An id comes from outside, so it becomes a file name only if it is harmless. */
  #idName(id: string): string {
    return HARMLESS.test(id) ? id : `${HASHED}${this.#hash(id).slice(0, 32)}`;
  }

  /** Returns whether a folder holds the attempts to submit one demand, and no negotiation. */
  static isAttempts(folder: string): boolean {
    return isAttemptsId(folder.slice(0, folder.indexOf("~")));
  }

  path(folder: string): string {
    return join(this.#dir, folder);
  }

  factPath(folder: string, fact: string): string {
    return join(this.#dir, folder, `${fact}.json`);
  }

  /** Returns the one file that holds a negotiation which ended long ago. */
  foldedPath(folder: string): string {
    return join(this.#dir, `${folder}.json`);
  }

  /** Returns the file that says that somebody may have to answer for it. */
  openMark(folder: string): string {
    return join(this.#dir, OPEN, `${folder}.json`);
  }

  /** Lists the facts in a folder. The same object means that nothing has changed. */
  factsIn(folder: string): readonly string[] {
    return this.#without(this.path(folder), (name) => FACT.test(name));
  }

  /** Lists the folders for which somebody may have to answer. The same object means that nothing has changed. */
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

  /** Lists everything ever written, folded or not, for an id, a backend or all, by the names alone. */
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

  /** Adds when each was last written to, and sorts the newest first, without those that have gone meanwhile. */
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
   * Returns what a folder is about, by its name where that says it, else by its facts. Undefined where neither does.
   */
  keyOf({ folder, isFolded }: FolderFound): NegotiationKey | undefined | Promise<NegotiationKey | undefined> {
    const at = folder.lastIndexOf("~");
    const [id, origin] = [folder.slice(0, at), this.#origins.get(folder.slice(at + 1))];
    if (origin !== undefined && HARMLESS.test(id) && !id.startsWith(HASHED)) return { origin, id };
    return isFolded ? this.keyFrom(folder, this.foldedPath(folder)) : this.keyWithin(folder);
  }

  /**
   * Returns what a folder is about. Each of its facts says so, because an unreadable one must not hide the
   * negotiation. All folders of a home are read once, so their names are not cached.
   */
  async keyWithin(folder: string): Promise<NegotiationKey | undefined> {
    for (const name of namesIn(this.path(folder)).filter((it) => FACT.test(it))) {
      const key = await this.keyFrom(folder, join(this.path(folder), name));
      if (key !== undefined) return key;
    }
    return undefined;
  }

  /** Returns what a file says that a folder is about, or undefined where it is unreadable or names another one. */
  async keyFrom(folder: string, path: string): Promise<NegotiationKey | undefined> {
    const value = await this.files.read(path).catch(() => undefined); // An unreadable file must not hide the others.
    if (!isObject(value)) return undefined;
    const { origin, id } = value;
    if (typeof origin !== "string" || typeof id !== "string") return undefined;
    const key = { origin, id };
    // Under another negotiation's name it would be taken for that one.
    if (this.nameOf(key) !== folder) return undefined;
    this.#origins.set(this.#originMark(origin), origin);
    return key;
  }
}

/** Entries of this many negotiations stay in memory, since a file never changes once it was read. */
const REMEMBERED = 500;

/** Reads the facts of each folder, each file once. */
export class FactEntries {
  readonly #folders: FactFolders;
  readonly #known = new LRUCache<string, Map<string, unknown>>({ max: REMEMBERED });
  /** Holds what was last returned for each. */
  readonly #snapshots = new WeakMap<Map<string, unknown>, Entries>();
  /** Holds the files that existed when all of them had been read. */
  readonly #complete = new WeakMap<Map<string, unknown>, readonly string[]>();

  constructor(folders: FactFolders) {
    this.#folders = folders;
  }

  /** Returns the current entries. The same object means that nothing is new. */
  async snapshot(folder: string): Promise<Entries> {
    const entries = await this.read(folder);
    const last = this.#snapshots.get(entries);
    if (last !== undefined && isSame(entries, last)) return last;
    const snapshot = new Map(entries);
    this.#snapshots.set(entries, snapshot);
    return snapshot;
  }

  /**
   * Returns the last entries where one look at the folder shows that they are complete, which saves most reads. Throws
   * the errno.
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
    // Old attempts are removed, and then their numbers are free for every program, or two would submit at once.
    if (FactFolders.isAttempts(folder))
      for (const name of entries.keys()) if (!names.includes(name)) entries.delete(name);
    const unread = names.filter((name) => !entries.has(name));
    await Promise.all(
      unread.map(async (name) => {
        const value = await files.read(this.#folders.factPath(folder, name));
        // A fact that is unreadable, or another negotiation's, keeps its name and holds nothing.
        entries.set(name, this.#isFactOf(folder, value) ? value.fact : undefined);
      }),
    );
    if (entries.get("submitted") !== undefined || FactFolders.isAttempts(folder)) {
      this.#complete.set(entries, names);
      return entries;
    }
    const foldedPath = this.#folders.foldedPath(folder);
    // A negotiation that others submitted has no such file. A look costs a tenth of opening a missing file.
    if (!isThere(foldedPath)) return entries;
    const folded = await files.read(foldedPath);
    if (!isObject(folded) || !isObject(folded.facts)) return entries;
    for (const [name, fact] of Object.entries(folded.facts)) entries.set(name, fact);
    return entries;
  }

  /** Returns the entries in memory, which may be changed. */
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
