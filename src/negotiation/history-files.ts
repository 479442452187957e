import { link, readdir, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type * as z from "zod";
import { asUnwritable, errnoOf, isObject, secureFolder } from "../config/file.ts";
import { newerVersion } from "../config/format.ts";
import { sweepTemporaries } from "../config/temporaries.ts";
import type { HistoryStore, Owner } from "./history.ts";
import { attemptSchema, decisionSchema, recordSchema } from "./history-schema.ts";

export interface FileHistoryDeps {
  /** The folder, made on first write with mode 0700. */
  dir: string;
  /** Fresh random text for temporary names. */
  newId: () => string;
  hash: (text: string) => string;
}

const isSame = (a: Owner, b: Owner): boolean => a.instance === b.instance && a.pid === b.pid;

/**
 * The history as one small file per fact, so that no process ever rewrites what another one wrote: records and
 * attempts are replaced atomically, a decision is linked into place and therefore made once. A file that is none of
 * these counts as absent and is left alone. Every method throws HomeUnwritable for a folder that cannot be used, and
 * those that look at one fact throw NewerVersion.
 */
export function createFileHistory({ dir, newId, hash }: FileHistoryDeps): HistoryStore {
  // A negotiation id comes from outside: as a file name only if it is harmless.
  const nameOf = (id: string) => (/^[A-Za-z0-9_-]{1,80}$/.test(id) ? id : `x-${hash(id).slice(0, 32)}`);
  const recordPath = (id: string) => join(dir, `${nameOf(id)}.json`);
  const decisionPath = (id: string) => join(dir, `${nameOf(id)}.decision`);
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

  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T | undefined> => {
    const text = await onDisk(() => readFile(path, "utf8")).catch((error: Error) => {
      if (["ENOENT", "ENOTDIR"].includes(errnoOf(error.cause) ?? "")) return "";
      throw error;
    });
    const value = parse(text);
    const newer = isObject(value) ? newerVersion(`history/${basename(path)}`, value) : undefined;
    if (newer !== undefined) throw newer;
    return schema.safeParse(value).data;
  };
  const remove = (path: string) =>
    onDisk(() =>
      unlink(path).catch((error) => {
        if (errnoOf(error) !== "ENOENT") throw error;
      }),
    );

  const record = async (path: string) => {
    const found = await read(path, recordSchema);
    // Under another one's name it would be taken for that one.
    return found !== undefined && recordPath(found.negotiation_id) === path ? found : undefined;
  };
  const decision = (id: string) => read(decisionPath(id), decisionSchema);

  /** An end is final: with a history of years, what is open must not cost a read of all that ever was. */
  const over = new Set<string>();

  async function list(wanted: (path: string) => boolean = () => true) {
    const names = await readdir(dir).catch(() => [] as string[]);
    const paths = names.filter((n) => n.endsWith(".json") && !n.startsWith(".")).map((n) => join(dir, n));
    // One file that cannot be read must not hide all the others.
    const records = await Promise.all(paths.filter(wanted).map((path) => record(path).catch(() => undefined)));
    return records.filter((r) => r !== undefined).sort((a, b) => b.submitted_at - a.submitted_at);
  }

  async function listOpen() {
    const records = await list((path) => !over.has(path));
    for (const { ended, negotiation_id } of records) if (ended !== undefined) over.add(recordPath(negotiation_id));
    return records.filter(({ ended }) => ended === undefined);
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

  return {
    get: (id) => record(recordPath(id)),
    decision,
    list: () => list(),
    listOpen,
    put: (value) => replace(recordPath(value.negotiation_id), value),
    async decide(id, wanted) {
      if (await create(decisionPath(id), wanted)) return { won: true, decision: wanted };
      return { won: false, decision: (await decision(id)) ?? wanted };
    },
    release: (id) => remove(decisionPath(id)),
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
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
