import { lstatSync, readdirSync, rmSync } from "node:fs";
import { link, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { jsonIn } from "../json.ts";
import { errnoOf, isAbsent, isObject, secureFolder, workIn } from "./file.ts";
import { newerVersion } from "./format.ts";
import { readPlain } from "./plain-file.ts";

/**
 * Keeps small JSON files in one folder, each of which is whole at any moment. Paths are absolute and lead into that
 * folder.
 */
export interface JsonFiles {
  /**
   * Returns what the file holds, or undefined if it is missing or not JSON.
   * @throws `tool.config.invalid.newer_version`
   */
  read(path: string): Promise<unknown>;
  isThere(path: string): Promise<boolean>;
  replace(path: string, value: unknown): Promise<void>;
  /**
   * Creates a file. Returns false and changes nothing if it exists. The file system picks one winner among all
   * processes.
   */
  create(path: string, value: unknown): Promise<boolean>;
  remove(path: string): Promise<void>;
}

/** Reads a file. Something other than a file counts as empty. */
async function textOf(path: string): Promise<string> {
  try {
    return (await readPlain(path)).toString("utf8");
  } catch (error) {
    if (errnoOf(error) === "EINVAL") return "";
    throw error;
  }
}

/**
 * Creates files in a folder, which is made at the first write with mode 0700. The config's writer (conf) is not used here,
 * because it only replaces, and cannot `link` a file into place so that one of many writers wins.
 * @throws HomeUnwritable from every method if the folder cannot be used
 */
export function createJsonFiles(dir: string, newId: () => string): JsonFiles {
  const onDisk = workIn(dir);
  /** Runs work for which a missing file is a valid answer. */
  const unlessAbsent = async <T>(work: () => Promise<T>, absent: T): Promise<T> =>
    onDisk(work).catch((error: Error) => {
      if (isAbsent(error.cause)) return absent;
      throw error;
    });

  /** True if this program has swept. The first write of a program removes what killed programs left. */
  let swept = false;
  /** Writes a temporary file, and lets `place` move it into place. If either fails, no file is left. */
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

  return {
    async read(path) {
      const value = jsonIn(await unlessAbsent(() => textOf(path), ""));
      const newer = isObject(value) ? newerVersion(relative(dirname(dir), path), value) : undefined;
      if (newer !== undefined) throw newer;
      return value;
    },
    isThere: (path) => unlessAbsent(() => stat(path).then(() => true), false),
    replace: (path, value) => onDisk(() => write(value, (temporary) => rename(temporary, path))),
    create: (path, value) =>
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
      ),
    remove: (path) =>
      onDisk(() =>
        unlink(path).catch((error) => {
          if (errnoOf(error) !== "ENOENT") throw error;
        }),
      ),
  };
}

/** A temporary file younger than this may belong to a program that is still writing it. */
export const STRAY_AFTER_MS = 60_000;

/**
 * Returns whether this is the name of a file that is to be moved into place, as this module and conf's writer name such files.
 */
export const isTemporary = (name: string): boolean => /^\..+\.tmp$|\.tmp-[0-9a-f]+$/.test(name);

/**
 * Removes the unfinished writes of killed programs, which may contain a token. `now` is in milliseconds, by the file
 * system's own time. Never throws, because another program may sweep too, and the next writer tries again.
 */
export function sweepTemporaries(folder: string, now: number): void {
  try {
    for (const name of readdirSync(folder).filter(isTemporary)) {
      const stat = lstatSync(join(folder, name), { throwIfNoEntry: false });
      if (stat?.isFile() && now - stat.mtimeMs > STRAY_AFTER_MS) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // A failed sweep does no harm.
  }
}
