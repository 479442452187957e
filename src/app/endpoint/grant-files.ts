import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { nanoid } from "nanoid";
import * as z from "zod";
import { type Clock, every } from "../../clock.ts";
import { isAbsent, isObject, namesIn, secureFolder } from "../../home/file.ts";
import { createJsonFiles } from "../../home/json-files.ts";
import { failureOf, type Log } from "../../log.ts";
import type { GrantStore } from "../../mcp/http/sign-in/grants.ts";
import { nameOfSecret } from "../../mcp/http/sign-in/sealing.ts";

interface GrantFilesDeps {
  home: string;
  /** The key that the operator chose. If undefined, the home keeps one. */
  stateKey: Uint8Array | undefined;
  clock: Clock;
  log: Log;
}

export interface GrantFiles {
  store: GrantStore;
  /** The key with which this endpoint seals and signs. It survives a restart. */
  key: Uint8Array;
  close(): void;
}

const KEY_BYTES = 32;
const DAY_MS = 24 * 3_600_000;
const entryShape = z.object({ value: z.unknown(), until: z.number() });
const keyShape = z.object({ key: z.string() });

/**
 * Returns the folder in the operator's home that keeps what people have allowed programs to do, if no store keeps it.
 */
export const grantFolder = (home: string): string => join(home, "sign-in");

/**
 * Opens the grants that are kept as files, so that a restart signs nobody out. Each file is whole at any moment, and
 * only the home's owner can read it. Returns undefined if the home cannot be written: sign-ins then end with the
 * program, and the log says so. @throws HomeUnwritable from every method of the result
 */
export async function openGrantFiles(deps: GrantFilesDeps): Promise<GrantFiles | undefined> {
  const dir = grantFolder(deps.home);
  try {
    secureFolder(dir);
    return grantFilesIn(dir, deps.stateKey ?? (await keyIn(dir)), deps);
  } catch (error) {
    deps.log.warn("sign_ins_in_memory", { error: failureOf(error) });
    return undefined;
  }
}

const KEY_FILE = "key.json";

async function keyIn(dir: string): Promise<Uint8Array> {
  const files = createJsonFiles(dir, nanoid);
  const path = join(dir, KEY_FILE);
  await files.create(path, { key: randomBytes(KEY_BYTES).toString("base64") });
  const { key } = keyShape.parse(await files.read(path));
  return Buffer.from(key, "base64");
}

function grantFilesIn(dir: string, key: Uint8Array, { clock, log }: GrantFilesDeps): GrantFiles {
  const files = createJsonFiles(dir, nanoid);
  /** Returns the file of a key. A key may contain anything, so its name is hashed, and its kind is put in front. */
  const pathOf = (key: string) => join(dir, `${key.split(":", 1)[0]}-${nameOfSecret(key).slice(0, 48)}.json`);
  const read = async (path: string): Promise<unknown> => {
    const entry = entryShape.safeParse(await files.read(path)).data;
    return entry !== undefined && clock.now() < entry.until ? entry.value : undefined;
  };
  const readAs = async <T>(key: string, shape: z.ZodType<T>): Promise<T | undefined> => {
    const value = await read(pathOf(key));
    return shape.safeParse(value).success ? (value as T) : undefined;
  };
  const entry = (value: unknown, ttlMs: number) => ({ value, until: clock.now() + ttlMs });
  /** Holds the last change of each key, so that within this process one caller at a time changes it. */
  const turns = new Map<string, Promise<unknown>>();
  const inTurn = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const turn = (turns.get(key) ?? Promise.resolve()).then(work, work);
    turns.set(key, turn);
    const end = () => {
      if (turns.get(key) === turn) turns.delete(key);
    };
    turn.then(end, end);
    return turn;
  };
  const members = z.array(z.string());
  const changeSet = (set: string, change: (current: string[]) => string[], ttlMs: number) =>
    inTurn(set, async () => {
      const current = (await readAs(set, members)) ?? [];
      const next = change(current);
      await (next.length === 0 ? files.remove(pathOf(set)) : files.replace(pathOf(set), entry(next, ttlMs)));
    });

  const store: GrantStore = {
    get: (key, shape) => readAs(key, shape),
    getMany: (keys, shape) => Promise.all(keys.map((key) => readAs(key, shape))),
    put: (key, value, ttlMs) => inTurn(key, () => files.replace(pathOf(key), entry(value, ttlMs))),
    create: (key, value, ttlMs, shape) =>
      inTurn(key, async () => {
        const current = await readAs(key, shape);
        if (current !== undefined) return { created: false, value: current };
        const path = pathOf(key);
        // An entry that has expired or cannot be read makes way. If several programs create one at once, the file
        // system picks the winner.
        if (await files.isThere(path)) await files.remove(path);
        if (await files.create(path, entry(value, ttlMs))) return { created: true, value };
        return { created: false, value: (await readAs(key, shape)) ?? value };
      }),
    replace: (key, current, value, ttlMs) =>
      inTurn(key, async () => {
        if (JSON.stringify(await read(pathOf(key))) !== JSON.stringify(current)) return false;
        await files.replace(pathOf(key), entry(value, ttlMs));
        return true;
      }),
    delete: (key) => inTurn(key, () => files.remove(pathOf(key))),
    addMember: (set, member, ttlMs) => changeSet(set, (all) => [...new Set([...all, member])], ttlMs),
    removeMember: (set, member) => changeSet(set, (all) => all.filter((one) => one !== member), 365 * DAY_MS),
    members: async (set) => (await readAs(set, members)) ?? [],
  };

  const tidy = async () => {
    const names = await readdir(dir).catch((error) => {
      if (isAbsent(error)) return [];
      throw error;
    });
    for (const name of names.filter((one) => one.endsWith(".json") && one !== KEY_FILE)) {
      const path = join(dir, name);
      const text: unknown = JSON.parse(await readFile(path, "utf8").catch(() => "{}"));
      if (isObject(text) && typeof text.until === "number" && clock.now() < text.until) continue;
      await files.remove(path);
    }
  };
  const tidied = () => void tidy().catch((error) => log.warn("grants_not_tidied", { error: failureOf(error) }));
  if (namesIn(dir).length > 0) tidied();
  const stop = every(clock, DAY_MS, tidied);

  return { store, key, close: stop };
}
