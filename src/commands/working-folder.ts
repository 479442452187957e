import { isAbsolute, resolve } from "node:path";
import type { Io } from "../app/io.ts";
import { Failure } from "../errors.ts";
import { errnoOf } from "../home/file.ts";

/**
 * Returns the command's folder. @throws `tool.config.unavailable.working_folder` if the folder was deleted meanwhile
 */
export function workingFolder(io: Io): string {
  try {
    return io.cwd();
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    throw new Failure("tool.config.unavailable.working_folder", {}, { cause });
  }
}

/**
 * Resolves a path in the command's folder. @throws `tool.config.unavailable.working_folder` if the folder was deleted
 */
export const inWorkingFolder = (io: Io, path: string): string =>
  isAbsolute(path) ? resolve(path) : resolve(workingFolder(io), path);
