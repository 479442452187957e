import { link, readdir, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type * as z from "zod";
import { asUnwritable, errnoOf, isObject, secureFolder } from "../config/file.ts";
import { newerVersion } from "../config/format.ts";
import { originOf } from "../config/origin.ts";
import { sweepTemporaries } from "../config/temporaries.ts";
import type { HistoryStore, NegotiationRecord, Owner } from "./history.ts";
import { attemptSchema, decisionSchema, recordSchema } from "./history-schema.ts";

export interface FileHistoryDeps {
  /** The folder, made on first write with mode 0700. */
  dir: string;
  /** Fresh random text for temporary names. */
  newId: () => string;
  hash: (text: string) => string;
  /** Whose a file without an origin is: the one whose identity the config mirrors. Undefined: nobody's. */
  mirroredOrigin?: () => string | undefined;
}

/** The history of one home: a part for each backend origin, since ids mean something at their own backend only. */
export interface FileHistory {
  at(origin: string): HistoryStore;
  /** The records of all origins, newest first. */
  list(): Promise<NegotiationRecord[]>;
  /** The origin that this id is remembered for, where it is not remembered for this one. */
  elsewhere(id: string, origin: string): Promise<string | undefined>;
}

const isSame = (a: Owner, b: Owner): boolean => a.instance === b.instance && a.pid === b.pid;

/**
 * The history as one small file per fact, so that no process ever rewrites what another one wrote: records and
 * attempts are replaced atomically, a decision is linked into place and therefore made once. A file that is none of
 * these counts as absent and is left alone. Names hold the id and a hash of the origin. Older versions wrote the id
 * alone: such a record stays where it is, with its decision, for a program of that version may still be at work on it.
 * Every method throws HomeUnwritable for a folder that cannot be used, and those that look at one fact throw NewerVersion.
 */
export function createFileHistory({ dir, newId, hash, mirroredOrigin }: FileHistoryDeps): FileHistory {
  // A negotiation id comes from outside: as a file name only if it is harmless.
  const nameOf = (id: string) => (/^[A-Za-z0-9_-]{1,80}$/.test(id) ? id : `x-${hash(id).slice(0, 32)}`);
  const oldPath = (id: string) => join(dir, nameOf(id));
  const newPath = (id: string, origin: string) => `${oldPath(id)}@${hash(origin).slice(0, 16)}`;
  const attemptPath = (key: string) => join(dir, `${hash(key).slice(0, 32)}.attempt`);

  /** Runs one access. Full, read-only, not a folder: what is not on disk must not be sent, so it is an error. */
  const onDisk = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw asUnwritable(dir, error);
    }
  };

  /** What killed programs left is removed with the first write of this one. */
  let swept = false;
  /** Writes a file of its own, which `place` then puts where it belongs; nothing is left of it if either fails. */
  const write = async <T>(value: unknown, place: (temporary: string) => Promise<T>): Promise<T> => {
    const temporary = join(dir, `.${newId()}.tmp`);
    try {
      secureFolder(dir);
      await writeFile(temporary, JSON.stringify(value), { mode: 0o600, flag: "wx", flush: true });
      if (!swept) sweepTemporaries(dir, (await stat(temporary)).mtimeMs);
      swept = true;
      return await place(temporary);
    } finally {
      await rm(temporary, { force: true }).catch(() => {});
    }
  };
  const replace = (path: string, value: unknown) => onDisk(() => write(value, (temporary) => rename(temporary, path)));

  const readValue = async (path: string): Promise<unknown> => {
    const text = await onDisk(() => readFile(path, "utf8")).catch((error: Error) => {
      if (["ENOENT", "ENOTDIR"].includes(errnoOf(error.cause) ?? "")) return "";
      throw error;
    });
    const value = parse(text);
    const newer = isObject(value) ? newerVersion(`history/${basename(path)}`, value) : undefined;
    if (newer !== undefined) throw newer;
    return value;
  };
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> =>
    schema.safeParse(await readValue(path)).data;
  const remove = (path: string) =>
    onDisk(() =>
      unlink(path).catch((error) => {
        if (errnoOf(error) !== "ENOENT") throw error;
      }),
    );

  /** The record in a file, if it is the one that the file is named for: else it would be taken for another one. */
  const recordIn = async (path: string): Promise<NegotiationRecord | undefined> => {
    const value = await readValue(path);
    const whose = isObject(value) && value.origin === undefined ? { ...value, origin: mirroredOrigin?.() } : value;
    const found = recordSchema.safeParse(whose).data;
    if (found === undefined) return undefined;
    const { negotiation_id: id, origin } = found;
    return path === `${newPath(id, origin)}.json` || path === `${oldPath(id)}.json` ? found : undefined;
  };

  /** Where the record and the decision of this id are, without their endings. */
  async function placeOf(id: string, origin: string): Promise<string> {
    const place = newPath(id, origin);
    if (await isThere(`${place}.json`)) return place;
    const old = oldPath(id);
    const found = await recordIn(`${old}.json`);
    if (found !== undefined) return isAt(found, origin) ? old : place;
    // A decision whose record is lost names no origin.
    return mirroredOrigin?.() === origin && (await isThere(`${old}.decision`)) ? old : place;
  }
  const isThere = (path: string) =>
    onDisk(() => stat(path)).then(
      () => true,
      (error) => {
        if (["ENOENT", "ENOTDIR"].includes(errnoOf(error.cause) ?? "")) return false;
        throw error;
      },
    );

  /** An end is final: with a history of years, what is open must not cost a read of all that ever was. */
  const over = new Set<string>();

  async function list(wanted: (path: string) => boolean = () => true) {
    const names = await readdir(dir).catch(() => [] as string[]);
    const paths = names.filter((n) => n.endsWith(".json") && !n.startsWith(".")).map((n) => join(dir, n));
    // One file that cannot be read must not hide all the others.
    const read = await Promise.all(
      paths.filter(wanted).map(async (path) => ({ path, record: await recordIn(path).catch(() => undefined) })),
    );
    const found = read.flatMap(({ path, record }) => (record === undefined ? [] : [{ path, record }]));
    return found.sort((a, b) => b.record.submitted_at - a.record.submitted_at);
  }

  async function listOpen() {
    const found = await list((path) => !over.has(path));
    for (const { path, record } of found) if (record.ended !== undefined) over.add(path);
    return found.map(({ record }) => record).filter(({ ended }) => ended === undefined);
  }

  /** Linked into place: fails when it exists, so the file system picks one winner. */
  const create = (path: string, value: unknown): Promise<boolean> =>
    onDisk(() =>
      write(value, (temporary) =>
        link(temporary, path).then(
          () => true,
          (error) => {
            if (errnoOf(error) !== "EEXIST") throw error;
            return false;
          },
        ),
      ),
    );

  const at = (origin: string): HistoryStore => {
    const path = async (id: string, ending: "json" | "decision") => `${await placeOf(id, origin)}.${ending}`;
    const decision = async (id: string) => read(await path(id, "decision"), decisionSchema);
    return {
      async get(id) {
        const found = await recordIn(await path(id, "json"));
        return found !== undefined && isAt(found, origin) ? found : undefined;
      },
      decision,
      list: async () => (await list()).map(({ record }) => record).filter((record) => isAt(record, origin)),
      listOpen: async () => (await listOpen()).filter((record) => isAt(record, origin)),
      put: async (value) => replace(await path(value.negotiation_id, "json"), value),
      async decide(id, wanted) {
        if (await create(await path(id, "decision"), wanted)) return { won: true, decision: wanted };
        return { won: false, decision: (await decision(id)) ?? wanted };
      },
      release: async (id) => remove(await path(id, "decision")),
      async beginAttempt(key, attempt, over) {
        if (await create(attemptPath(key), attempt)) return undefined;
        const standing = await read(attemptPath(key), attemptSchema);
        const isOver = standing === undefined || (standing.at === over?.at && isSame(standing.owner, over.owner));
        if (!isOver) return standing;
        await replace(attemptPath(key), attempt); // cut short by a crash, it says nothing either
        return undefined;
      },
      putAttempt: (key, value) => replace(attemptPath(key), value),
      settleAttempt: (key) => remove(attemptPath(key)),
      dropAttempt: (key) => remove(attemptPath(key)),
    };
  };
  return {
    at,
    list: async () => (await list()).map(({ record }) => record),
    async elsewhere(id, origin) {
      const own = (path: string) => path === `${oldPath(id)}.json` || path.startsWith(`${oldPath(id)}@`);
      const records = (await list(own)).map(({ record }) => record);
      return records.some((record) => isAt(record, origin)) ? undefined : records[0]?.origin;
    },
  };
}

const isAt = (record: NegotiationRecord, origin: string): boolean => originOf(record.origin) === originOf(origin);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
