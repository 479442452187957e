import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { type Clock, every } from "../../clock.ts";
import { isAbsent, isObject, namesIn, secureFolder } from "../../home/file.ts";
import { createJsonFiles, type JsonFiles } from "../../home/json-files.ts";
import { failureOf } from "../../log.ts";
import type { GrantStore } from "../../mcp/http/sign-in/grants.ts";
import { nameOfSecret } from "../../mcp/http/sign-in/sealing.ts";
import type { Platform } from "../../platform.ts";

interface GrantFilesDeps {
  home: string;
  /** The key that the operator chose. If undefined, the home keeps one. */
  stateKey: Uint8Array | undefined;
  platform: Platform;
}

const KEY_BYTES = 32;
const DAY_MS = 24 * 3_600_000;
const entryShape = z.object({ value: z.unknown(), until: z.number() });
const keyShape = z.object({ key: z.string() });

/** Returns the folder, in the operator's home, that keeps people's grants to programs if no shared store keeps them. */
export const grantFolder = (home: string): string => join(home, "sign-in");

/**
 * Opens the grants that are kept as files, so that a restart signs nobody out. A file is never half written, and only
 * the home's owner can read it. Returns undefined and logs a warning if the home cannot be written. Sign-ins then end
 * with the program.
 * @throws HomeUnwritable from every method of the result
 */
export async function openGrantFiles(deps: GrantFilesDeps): Promise<GrantFiles | undefined> {
  const dir = grantFolder(deps.home);
  try {
    secureFolder(dir);
    return new GrantFiles(dir, deps.stateKey ?? (await keyIn(dir, deps.platform)), deps.platform);
  } catch (error) {
    deps.platform.log.warn("sign_ins_in_memory", { error: failureOf(error) });
    return undefined;
  }
}

const KEY_FILE = "key.json";

async function keyIn(dir: string, { newId }: Platform): Promise<Uint8Array> {
  const files = createJsonFiles(dir, newId);
  const path = join(dir, KEY_FILE);
  await files.create(path, { key: randomBytes(KEY_BYTES).toString("base64") });
  const { key } = keyShape.parse(await files.read(path));
  return Buffer.from(key, "base64");
}

const members = z.array(z.string());

/** Keeps grants in the files of one folder. Within this process, the changes of one key run one after another. */
export class GrantFiles implements GrantStore {
  /** The key with which this endpoint seals and signs. It survives a restart. */
  readonly key: Uint8Array;
  readonly #dir: string;
  readonly #files: JsonFiles;
  readonly #clock: Clock;
  readonly #stopTidying: () => void;
  /** Holds the last change of each key. */
  readonly #turns = new Map<string, Promise<unknown>>();

  constructor(dir: string, key: Uint8Array, { clock, log, newId }: Platform) {
    this.key = key;
    this.#dir = dir;
    this.#files = createJsonFiles(dir, newId);
    this.#clock = clock;
    const tidy = () => void this.#tidy().catch((error) => log.warn("grants_not_tidied", { error: failureOf(error) }));
    if (namesIn(dir).length > 0) tidy();
    this.#stopTidying = every(clock, DAY_MS, tidy);
  }

  async get<T>(key: string, shape: z.ZodType<T>): Promise<T | undefined> {
    const value = await this.#read(this.#pathOf(key));
    return shape.safeParse(value).success ? (value as T) : undefined;
  }

  getMany<T>(keys: readonly string[], shape: z.ZodType<T>): Promise<(T | undefined)[]> {
    return Promise.all(keys.map((key) => this.get(key, shape)));
  }

  put(key: string, value: unknown, ttlMs: number): Promise<void> {
    return this.#inTurn(key, () => this.#files.replace(this.#pathOf(key), this.#entry(value, ttlMs)));
  }

  create<T>(key: string, value: T, ttlMs: number, shape: z.ZodType<T>): Promise<{ created: boolean; value: T }> {
    return this.#inTurn(key, async () => {
      const current = await this.get(key, shape);
      if (current !== undefined) return { created: false, value: current };
      const path = this.#pathOf(key);
      // An entry that has expired or cannot be read is removed first. If several programs create an entry at once, the
      // file system picks the winner.
      if (await this.#files.isThere(path)) await this.#files.remove(path);
      if (await this.#files.create(path, this.#entry(value, ttlMs))) return { created: true, value };
      return { created: false, value: (await this.get(key, shape)) ?? value };
    });
  }

  replace(key: string, current: unknown, value: unknown, ttlMs: number): Promise<boolean> {
    return this.#inTurn(key, async () => {
      const path = this.#pathOf(key);
      if (JSON.stringify(await this.#read(path)) !== JSON.stringify(current)) return false;
      await this.#files.replace(path, this.#entry(value, ttlMs));
      return true;
    });
  }

  delete(key: string): Promise<void> {
    return this.#inTurn(key, () => this.#files.remove(this.#pathOf(key)));
  }

  addMember(set: string, member: string, ttlMs: number): Promise<void> {
    return this.#changeSet(set, (all) => [...new Set([...all, member])], ttlMs);
  }

  removeMember(set: string, member: string): Promise<void> {
    return this.#changeSet(set, (all) => all.filter((one) => one !== member), 365 * DAY_MS);
  }

  async members(set: string): Promise<string[]> {
    return (await this.get(set, members)) ?? [];
  }

  close(): void {
    this.#stopTidying();
  }

  /** Returns the file of a key. A key may contain anything, so the file's name is the key's kind and a hash. */
  #pathOf(key: string): string {
    return join(this.#dir, `${key.split(":", 1)[0]}-${nameOfSecret(key).slice(0, 48)}.json`);
  }

  async #read(path: string): Promise<unknown> {
    const entry = entryShape.safeParse(await this.#files.read(path)).data;
    return entry !== undefined && this.#clock.now() < entry.until ? entry.value : undefined;
  }

  #entry(value: unknown, ttlMs: number) {
    return { value, until: this.#clock.now() + ttlMs };
  }

  #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const turns = this.#turns;
    const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
    turns.set(key, turn);
    const end = () => {
      if (turns.get(key) === turn) turns.delete(key);
    };
    turn.then(end, end);
    return turn;
  }

  #changeSet(set: string, change: (current: string[]) => string[], ttlMs: number): Promise<void> {
    return this.#inTurn(set, async () => {
      const next = change(await this.members(set));
      const path = this.#pathOf(set);
      await (next.length === 0 ? this.#files.remove(path) : this.#files.replace(path, this.#entry(next, ttlMs)));
    });
  }

  /** Removes the files of entries that have expired. */
  async #tidy(): Promise<void> {
    const names = await readdir(this.#dir).catch((error) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    for (const name of names.filter((one) => one.endsWith(".json") && one !== KEY_FILE)) {
      const path = join(this.#dir, name);
      const text: unknown = JSON.parse(await readFile(path, "utf8").catch(() => "{}"));
      if (isObject(text) && typeof text.until === "number" && this.#clock.now() < text.until) continue;
      await this.#files.remove(path);
    }
  }
}
