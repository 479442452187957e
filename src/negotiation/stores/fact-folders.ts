import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { createNames, isAbsent, isObject, namesIn } from "../../home/file.ts";
import { createJsonFiles, type JsonFiles } from "../../home/json-files.ts";
import { remembering } from "../../remember.ts";
import { isAttemptsId } from "../attempt-ids.ts";
import type { NegotiationKey } from "../facts.ts";

export interface FactFoldersDeps {
  /** The folder, made on first write with mode 0700. */
  dir: string;
  /** Fresh random text for temporary names. */
  newId: () => string;
  hash: (text: string) => string;
}

const OPEN = "open";
const FACT = /^[a-z0-9][a-z0-9._]*\.json$/;

/** Where the facts of a home lie: a folder for each negotiation, by its name here, and what each is about. */
export class FactFolders {
  readonly files: JsonFiles;
  readonly #dir: string;
  readonly #hash: (text: string) => string;
  readonly #originMark: (origin: string) => string;
  readonly #namesIn = createNames();
  readonly #withoutEndings = new WeakMap<readonly string[], readonly string[]>();
  readonly #keys = new Map<string, NegotiationKey>();
  readonly openPath: string;

  constructor({ dir, newId, hash }: FactFoldersDeps) {
    this.#dir = dir;
    this.openPath = join(dir, OPEN);
    this.#hash = hash;
    this.#originMark = remembering((origin) => hash(origin).slice(0, 12), 20, 500);
    this.files = createJsonFiles(dir, newId);
  }

  nameOf({ origin, id }: NegotiationKey): string {
    // An id comes from outside: as a file name only if it is harmless.
    const name = /^[A-Za-z0-9_-]{1,80}$/.test(id) ? id : `x-${this.#hash(id).slice(0, 32)}`;
    return `${name}~${this.#originMark(origin)}`;
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

  /** Everything that ever was, folded or not. */
  async all(): Promise<{ folder: string; isFolded: boolean }[]> {
    const names = await readdir(this.#dir).catch((error) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    return names
      .filter((name) => name.includes("~"))
      .map((name) => {
        const isFolded = name.endsWith(".json");
        return { folder: isFolded ? name.slice(0, -".json".length) : name, isFolded };
      });
  }

  /**
   * What a folder is about. Each of its facts says so: one that cannot be read must not hide the negotiation. A home's
   * folders are all asked once, so their names are not kept.
   */
  async keyWithin(folder: string): Promise<NegotiationKey | undefined> {
    const known = this.#keys.get(folder);
    if (known !== undefined) return known;
    for (const name of namesIn(this.path(folder)).filter((it) => FACT.test(it))) {
      const key = await this.keyFrom(folder, join(this.path(folder), name));
      if (key !== undefined) return key;
    }
    return undefined;
  }

  /** What a file says that a folder is about; undefined where it cannot be read, or says another one's. */
  async keyFrom(folder: string, path: string): Promise<NegotiationKey | undefined> {
    const known = this.#keys.get(folder);
    if (known !== undefined) return known;
    const value = await this.files.read(path).catch(() => undefined); // one that cannot be read must not hide the others
    if (!isObject(value)) return undefined;
    const { origin, id } = value;
    if (typeof origin !== "string" || typeof id !== "string") return undefined;
    const key = { origin, id };
    if (this.nameOf(key) !== folder) return undefined; // under another one's name it would be taken for that one
    this.#keys.set(folder, key);
    return key;
  }
}
