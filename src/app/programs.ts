import { accessSync, constants, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { HomeInvalid } from "../home/errors.ts";
import { errnoOf } from "../home/file.ts";
import { projectIn, type SearchPlace, searchPath } from "../search-path.ts";
import { userHome, withoutOwnVariables } from "./home-folder.ts";
import type { Io } from "./io.ts";

type Started = Pick<Io, "env" | "cwd">;

/** Describes this machine's programs for `findProgram`. */
export const programsHere = (io: Started): SearchPlace => ({
  platform: process.platform,
  env: io.env,
  project: projectOf(io),
  isProgram: (path) => is(path, (stats) => stats.isFile()) && canRun(path),
  real: followed,
});

/**
 * Returns the environment for other programs: without our variables, since one may hold a token, and with the PATH
 * that we search ourselves, because they may search too. Without any folder there is no PATH, since an empty one means
 * the working folder.
 */
export function environmentForOthers(io: Started): NodeJS.ProcessEnv {
  const others = Object.entries(withoutOwnVariables(io.env)).filter(([name]) => name.toUpperCase() !== "PATH");
  const folders = searchPath(programsHere(io));
  return { ...Object.fromEntries(others), ...(folders.length > 0 && { PATH: folders.join(delimiter) }) };
}

function projectOf({ env, cwd }: Started): string | undefined {
  try {
    return projectIn(process.platform, cwd(), homeIn(env));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined; // Nothing is in a folder that was deleted.
  }
}

function homeIn(env: NodeJS.ProcessEnv): string | undefined {
  try {
    return followed(userHome(env));
  } catch (error) {
    if (error instanceof HomeInvalid) return undefined;
    throw error;
  }
}

/** Follows links to the end, even to a file or folder that does not exist yet. */
function followed(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    try {
      return followed(resolve(above, readlinkSync(path)));
    } catch {
      return above === path ? path : join(followed(above), basename(path));
    }
  }
}

/** Returns whether something exists there, and is what is wanted. */
export function is(path: string, what: (stats: Stats) => boolean): boolean {
  try {
    return what(statSync(path));
  } catch {
    return false;
  }
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
