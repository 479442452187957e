import { mkdir, readdir, rm, rmdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { createNames, isAbsent, isObject, namesIn, secureFolder, workIn } from "../../home/file.ts";
import { createJsonFiles } from "../../home/json-files.ts";
import type { Created, Entries, FactStore, NegotiationKey } from "../facts.ts";

export interface HomeFactsDeps {
  /** The folder, made on first write with mode 0700. */
  dir: string;
  /** Fresh random text for temporary names. */
  newId: () => string;
  hash: (text: string) => string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The facts of a home, which also lists the demands whose submits are written down. */
export interface HomeFacts extends FactStore {
  /** In no order; those of the last day at least. */
  listDemands(): Promise<NegotiationKey[]>;
}

const OPEN = "open";
const FACT = /^[a-z0-9][a-z0-9._]*\.json$/;
/** Entries of this many negotiations are kept in memory: a file that was read never changes. */
const REMEMBERED = 500;
const DAY_MS = 24 * 3_600_000;
/** A demand's attempts say nothing any more after this. */
const ATTEMPTS_KEPT_MS = DAY_MS;
/** What has ended is one file from then on: a home of years must not hold a folder for each negotiation. */
const FOLDED_AFTER_MS = 30 * DAY_MS;
const isAttempts = (folder: string) => folder.startsWith("demand-");

/**
 * Facts in the home: a folder for each negotiation, a small file for each fact, made by `link` so that of many programs
 * one wins, and never changed. `open/` names those that somebody may have to answer for. A file that is none of these
 * counts as absent and is left alone. Every method throws HomeUnwritable for a folder that cannot be used; those that
 * read facts throw NewerVersion for one of a newer format.
 */
export function createFactFiles({ dir, newId, hash, now }: HomeFactsDeps): HomeFacts {
  const read = new Map<string, Map<string, unknown>>();
  /** What was given out last of each. */
  const snapshots = new WeakMap<Map<string, unknown>, Entries>();
  const keys = new Map<string, NegotiationKey>();
  const files = createJsonFiles(dir, newId);
  let isSwept = false;

  const folderOf = ({ origin, id }: NegotiationKey) => {
    // An id comes from outside: as a file name only if it is harmless.
    const name = /^[A-Za-z0-9_-]{1,80}$/.test(id) ? id : `x-${hash(id).slice(0, 32)}`;
    return `${name}~${hash(origin).slice(0, 12)}`;
  };

  const onDisk = workIn(dir);

  const watched = createNames();
  const namesOf = (folder: string) => watched(join(dir, folder));

  /** The names of everything that ever was. */
  const allNames = (): Promise<string[]> =>
    readdir(dir).catch((error) => {
      if (isAbsent(error)) return [];
      throw error;
    });

  function remembered(folder: string): Map<string, unknown> {
    const entries = read.get(folder) ?? new Map<string, unknown>();
    read.delete(folder);
    read.set(folder, entries);
    const [oldest] = read.keys();
    if (read.size > REMEMBERED && oldest !== undefined) read.delete(oldest);
    return entries;
  }

  async function entriesOf(folder: string): Promise<Map<string, unknown>> {
    const entries = remembered(folder);
    const names = namesOf(folder).filter((name) => FACT.test(name));
    await Promise.all(
      names.map(async (file) => {
        const name = file.slice(0, -".json".length);
        if (entries.has(name)) return;
        const value = await files.read(join(dir, folder, file));
        // One that cannot be read, or is another negotiation's, keeps its name and says nothing.
        entries.set(name, isFactOf(folder, value) ? value.fact : undefined);
      }),
    );
    if (entries.get("submitted") !== undefined || isAttempts(folder)) return entries;
    for (const [name, fact] of await foldedIn(folder)) entries.set(name, fact);
    return entries;
  }

  function snapshotOf(entries: Map<string, unknown>): Entries {
    const last = snapshots.get(entries);
    if (last?.size === entries.size && [...entries].every(([name, value]) => last.get(name) === value)) return last;
    const snapshot = new Map(entries);
    snapshots.set(entries, snapshot);
    return snapshot;
  }

  const isFactOf = (folder: string, value: unknown): value is { fact: unknown } =>
    isObject(value) && "fact" in value && folderOf({ origin: String(value.origin), id: String(value.id) }) === folder;

  async function foldedIn(folder: string): Promise<[string, unknown][]> {
    const value = await files.read(join(dir, `${folder}.json`));
    return isObject(value) && isObject(value.facts) ? Object.entries(value.facts) : [];
  }

  /** Its facts in one file, once; facts that come later stand beside it. A program that dies in between leaves both. */
  async function fold(folder: string): Promise<void> {
    // What cannot be read is left alone.
    const facts = [...(await entriesOf(folder))].filter(([, fact]) => fact !== undefined);
    const key = await keyOf(folder, join(dir, folder, "submitted.json"));
    if (key === undefined) return;
    if (!(await files.create(join(dir, `${folder}.json`), { ...key, facts: Object.fromEntries(facts) }))) return;
    // Only what is in the file by now: a fact that somebody wrote meanwhile stays beside it.
    for (const [name] of facts) await files.remove(join(dir, folder, `${name}.json`));
    await rmdir(join(dir, folder)).catch(() => {});
  }

  /** With the first write: attempts that say nothing any more, and what ended long ago. */
  async function sweep(): Promise<void> {
    isSwept = true;
    const at = now();
    const open = new Set(namesOf(OPEN));
    for (const name of (await allNames()).filter((it) => it.includes("~") && !it.endsWith(".json"))) {
      const changedAt = (await stat(join(dir, name)).catch(() => undefined))?.mtimeMs ?? at;
      if (isAttempts(name) && at - changedAt > ATTEMPTS_KEPT_MS)
        await rm(join(dir, name), { recursive: true, force: true }).catch(() => {});
      else if (!isAttempts(name) && !open.has(`${name}.json`) && at - changedAt > FOLDED_AFTER_MS)
        await fold(name).catch(() => {}); // housekeeping: the next program tries again
    }
  }

  async function keyOf(folder: string, path: string): Promise<NegotiationKey | undefined> {
    const known = keys.get(folder);
    if (known !== undefined) return known;
    const value = await files.read(path).catch(() => undefined); // one that cannot be read must not hide the others
    if (!isObject(value)) return undefined;
    const { origin, id } = value;
    if (typeof origin !== "string" || typeof id !== "string") return undefined;
    const key = { origin, id };
    if (folderOf(key) !== folder) return undefined; // under another one's name it would be taken for that one
    keys.set(folder, key);
    return key;
  }

  return {
    read: (key): Promise<Entries> => onDisk(async () => snapshotOf(await entriesOf(folderOf(key)))),

    create: (key, name, value, index): Promise<Created> =>
      onDisk(async () => {
        const folder = folderOf(key);
        secureFolder(dir);
        await mkdir(join(dir, folder), { recursive: true, mode: 0o700 });
        if (index === "open") {
          await mkdir(join(dir, OPEN), { recursive: true, mode: 0o700 });
          await files.create(join(dir, OPEN, `${folder}.json`), key);
        }
        // Folded facts stand in no folder: a name may be taken though no file has it.
        const known = remembered(folder);
        if (known.size === 0 && name !== "submitted") await entriesOf(folder);
        if (known.get(name) !== undefined) {
          if (index === "close") await files.remove(join(dir, OPEN, `${folder}.json`));
          return { created: false, current: known.get(name) };
        }
        const created = await files.create(join(dir, folder, `${name}.json`), { ...key, fact: value });
        if (!isSwept) await sweep();
        const current = created ? value : (await entriesOf(folder)).get(name);
        remembered(folder).set(name, current);
        if (index === "close") await files.remove(join(dir, OPEN, `${folder}.json`));
        return { created, current };
      }),

    close: (key) => onDisk(() => files.remove(join(dir, OPEN, `${folderOf(key)}.json`))),

    listOpen: () =>
      onDisk(async () => {
        const names = namesOf(OPEN).filter((name) => name.endsWith(".json"));
        const found = await Promise.all(
          names.map((name) => keyOf(name.slice(0, -".json".length), join(dir, OPEN, name))),
        );
        return found.filter((key) => key !== undefined);
      }),

    list: () =>
      onDisk(async () => {
        const names = (await allNames()).filter((name) => name.includes("~") && !isAttempts(name));
        const found = new Map<string, NegotiationKey>();
        await Promise.all(
          names.map(async (name) => {
            const isFolded = name.endsWith(".json");
            const folder = isFolded ? name.slice(0, -".json".length) : name;
            const first = isFolded ? undefined : namesIn(join(dir, folder)).find((it) => FACT.test(it));
            const path = isFolded ? join(dir, name) : join(dir, folder, first ?? "submitted.json");
            const key = await keyOf(folder, path);
            if (key !== undefined) found.set(folder, key);
          }),
        );
        return [...found.values()];
      }),

    listDemands: () =>
      onDisk(async () => {
        const folders = (await allNames()).filter((name) => name.includes("~") && isAttempts(name));
        const found = await Promise.all(folders.map((folder) => keyOf(folder, join(dir, folder, "attempt.1.json"))));
        return found.filter((key) => key !== undefined);
      }),
  };
}
