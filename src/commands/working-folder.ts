import { isAbsolute, resolve } from "node:path";
import type { Io } from "../app/io.ts";
import { errnoOf } from "../home/file.ts";
import { WorkingFolderGone } from "./errors.ts";

/** The folder that the command is run in. @throws WorkingFolderGone where it was deleted meanwhile */
export function workingFolder(io: Io): string {
  try {
    return io.cwd();
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    throw new WorkingFolderGone({}, { cause });
  }
}

/** A path as it is meant there. @throws WorkingFolderGone */
export const inWorkingFolder = (io: Io, path: string): string =>
  isAbsolute(path) ? resolve(path) : resolve(workingFolder(io), path);
