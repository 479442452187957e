import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { LRUCache } from "lru-cache";
import { createNames, fileStamp, isAbsent, isObject, isThere, namesIn } from "../../home/file.ts";
import { createJsonFiles, type JsonFiles } from "../../home/json-files.ts";
import { remembering } from "../../remember.ts";
import { inTurns, stepping } from "../../turn.ts";
import { type Entries, isAttemptsId, type NegotiationKey } from "../facts.ts";

export interface FactFoldersDeps {
  /** The folder, made on first write with mode 0700. */
  dir: string;
  /** Fresh random text for temporary names. */
  newId: () => string;
  hash: (text: string) => string;
}

/** What lies in a home about one negotiation, or about the attempts to submit a demand, by its name alone. */
export interface FolderFound {
  folder: string;
  isFolded: boolean;
  /** When something was written into it last, ms since the epoch; 0 where that was not looked at. */
  writtenAt: number;
}

const OPEN = "open";
const HARMLESS = /^[A-Za-z0-9_-]{1,80}$/;
/** How the name of an id begins that is not harmless. */
const HASHED = "x-";
const FACT = /^[a-z0-9][a-z0-9._]*\.json$/;

/** Where the facts of a home lie: a folder for each negotiation, by its name here, and what each is about. */
export class FactFolders {
  readonly files: JsonFiles;
  readonly #dir: string;
  readonly #hash: (text: string) => string;
  readonly #originMark: (origin: string) => string;
  readonly #namesIn = createNames();
  readonly #withoutEndings = new WeakMap<readonly string[], readonly string[]>();
  /** By their marks: a home knows a few backends. */
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

  /** An id comes from outside: as a file name only if it is harmless. */
  #idName(id: string): string {
    return HARMLESS.test(id) ? id : `${HASHED}${this.#hash(id).slice(0, 32)}`;
  }

  /** Whether it holds the attempts to submit one demand, and no negotiation. */
  static isAttempts(folder: string): boolean {
    return isAttemptsId(folder.slice(0, folder.indexOf("~")));
  }

  path(folder: string): string {
    return join(this.#dir, folder);
  }

  factPath(folder: string, fact: string): string {
    return join(this.#dir, folder, `${fact}.json`);
  }

  /** The one file in which a negotiation that ended long ago lies. */
  foldedPath(folder: string): string {
    return join(this.#dir, `${folder}.json`);
  }

  /** The file that says that somebody may have to answer for it. */
  openMark(folder: string): string {
    return join(this.#dir, OPEN, `${folder}.json`);
  }

  /** The facts that lie in a folder; the same object again where the names come from memory. */
  factsIn(folder: string): readonly string[] {
    return this.#without(this.path(folder), (name) => FACT.test(name));
  }

  /** The folders for which somebody may have to answer; the same object again where the names come from memory. */
  open(): readonly string[] {
    return this.#without(this.openPath, (name) => name.endsWith(".json"));
  }

  /** The files of a folder that `wanted` takes, without their endings. */
  #without(folder: string, wanted: (name: string) => boolean): readonly string[] {
    const names = this.#namesIn(folder);
    const known = this.#withoutEndings.get(names);
    if (known !== undefined) return known;
    const without = names.filter(wanted).map((name) => name.slice(0, -".json".length));
    this.#withoutEndings.set(names, without);
    return without;
  }

  /** Everything that ever was, folded or not, of an id or a backend or all, by what the names say. */
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

  /** Says when something was written into each last, and gives the newest first, without what has gone meanwhile. */
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

  /** What a folder is about: by its name where that says it, else by its facts; undefined where neither does. */
  keyOf({ folder, isFolded }: FolderFound): NegotiationKey | undefined | Promise<NegotiationKey | undefined> {
    const at = folder.lastIndexOf("~");
    const [id, origin] = [folder.slice(0, at), this.#origins.get(folder.slice(at + 1))];
    if (origin !== undefined && HARMLESS.test(id) && !id.startsWith(HASHED)) return { origin, id };
    return isFolded ? this.keyFrom(folder, this.foldedPath(folder)) : this.keyWithin(folder);
  }

  /**
   * What a folder is about. Each of its facts says so: one that cannot be read must not hide the negotiation. A home's
   * folders are all asked once, so their names are not kept.
   */
  async keyWithin(folder: string): Promise<NegotiationKey | undefined> {
    for (const name of namesIn(this.path(folder)).filter((it) => FACT.test(it))) {
      const key = await this.keyFrom(folder, join(this.path(folder), name));
      if (key !== undefined) return key;
    }
    return undefined;
  }

  /** What a file says that a folder is about; undefined where it cannot be read, or says another one's. */
  async keyFrom(folder: string, path: string): Promise<NegotiationKey | undefined> {
    const value = await this.files.read(path).catch(() => undefined); // one that cannot be read must not hide the others
    if (!isObject(value)) return undefined;
    const { origin, id } = value;
    if (typeof origin !== "string" || typeof id !== "string") return undefined;
    const key = { origin, id };
    if (this.nameOf(key) !== folder) return undefined; // under another one's name it would be taken for that one
    this.#origins.set(this.#originMark(origin), origin);
    return key;
  }
}

/** Entries of this many negotiations are kept in memory: a file that was read never changes. */
const REMEMBERED = 500;

/** The facts of each folder, each file of which is read once. */
export class FactEntries {
  readonly #folders: FactFolders;
  readonly #known = new LRUCache<string, Map<string, unknown>>({ max: REMEMBERED });
  /** What was given out last of each. */
  readonly #snapshots = new WeakMap<Map<string, unknown>, Entries>();
  /** The files that were there when all of them had been read. */
  readonly #complete = new WeakMap<Map<string, unknown>, readonly string[]>();

  constructor(folders: FactFolders) {
    this.#folders = folders;
  }

  /** As they are now; the same object again where nothing is new. */
  async snapshot(folder: string): Promise<Entries> {
    const entries = await this.read(folder);
    const last = this.#snapshots.get(entries);
    if (last !== undefined && isSame(entries, last)) return last;
    const snapshot = new Map(entries);
    this.#snapshots.set(entries, snapshot);
    return snapshot;
  }

  /** What was given last, where one look at the folder shows that it is all there is: most reads. Throws the errno. */
  unchanged(folder: string): Entries | undefined {
    const entries = this.#known.get(folder);
    const last = entries && this.#snapshots.get(entries);
    if (entries === undefined || last === undefined || !isSame(entries, last)) return undefined;
    return this.#complete.get(entries) === this.#folders.factsIn(folder) ? last : undefined;
  }

  /** Those in memory, with what is new on disk. */
  async read(folder: string): Promise<Map<string, unknown>> {
    const { files } = this.#folders;
    const entries = this.known(folder);
    const names = this.#folders.factsIn(folder);
    if (this.#complete.get(entries) === names) return entries;
    // Attempts of long ago are removed, and then their numbers are free: for every program, or two would submit at once.
    if (FactFolders.isAttempts(folder))
      for (const name of entries.keys()) if (!names.includes(name)) entries.delete(name);
    const unread = names.filter((name) => !entries.has(name));
    await Promise.all(
      unread.map(async (name) => {
        const value = await files.read(this.#folders.factPath(folder, name));
        // One that cannot be read, or is another negotiation's, keeps its name and says nothing.
        entries.set(name, this.#isFactOf(folder, value) ? value.fact : undefined);
      }),
    );
    if (entries.get("submitted") !== undefined || FactFolders.isAttempts(folder)) {
      this.#complete.set(entries, names);
      return entries;
    }
    const foldedPath = this.#folders.foldedPath(folder);
    // What others submitted is in no such file: a look costs a tenth of opening what is not there.
    if (!isThere(foldedPath)) return entries;
    const folded = await files.read(foldedPath);
    if (!isObject(folded) || !isObject(folded.facts)) return entries;
    for (const [name, fact] of Object.entries(folded.facts)) entries.set(name, fact);
    return entries;
  }

  /** Those in memory, which may be written to. */
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
