import { LRUCache } from "lru-cache";
import { isObject } from "../../home/file.ts";
import type { Entries } from "../facts.ts";
import { FactFolders } from "./fact-folders.ts";

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
    const folded = await files.read(this.#folders.foldedPath(folder));
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
