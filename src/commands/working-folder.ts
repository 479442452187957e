import { isAbsolute, resolve } from "node:path";
import { errnoOf } from "../home/file.ts";
import { WorkingFolderGone } from "./errors.ts";

/** The folder that the command is run in. @throws WorkingFolderGone where it was deleted meanwhile */
export function workingFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    if (errnoOf(cause) === undefined) throw cause;
    throw new WorkingFolderGone({}, { cause });
  }
}

/** A path as it is meant there. @throws WorkingFolderGone */
export const inWorkingFolder = (path: string): string =>
  isAbsolute(path) ? resolve(path) : resolve(workingFolder(), path);
