import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readPlainSync } from "../../home/plain-file.ts";

export interface Found {
  name: string;
  path: string;
  changedAt: number;
  /** True if the folder of the file is a link, so that the file does not belong to the home. */
  behindLink: boolean;
}

/** Returns whether a path is itself a link, wherever it leads. */
export const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Lists the plain files of a folder, and the links in it. Returns none if the folder cannot be read. */
export function filesIn(folder: string): Found[] {
  try {
    const behindLink = isLink(folder);
    return readdirSync(folder).flatMap((name) => {
      const path = join(folder, name);
      const stat = lstatSync(path, { throwIfNoEntry: false });
      const counts = stat?.isFile() || stat?.isSymbolicLink();
      return stat !== undefined && counts ? [{ name, path, changedAt: stat.mtimeMs, behindLink }] : [];
    });
  } catch {
    return [];
  }
}

/** Lists the names in a folder. Returns none if it cannot be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the content of a JSON file, or undefined if it cannot be read. */
export function read<T>(path: string): T | undefined {
  try {
    return JSON.parse(readPlainSync(path).toString("utf8")) as T;
  } catch {
    return undefined;
  }
}
