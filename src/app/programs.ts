import { accessSync, constants, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { HomeInvalid } from "../home/errors.ts";
import { errnoOf } from "../home/file.ts";
import { projectIn, type SearchPlace, searchPath } from "../search-path.ts";
import { userHome, withoutOwnVariables } from "./home-folder.ts";
import type { Io } from "./io.ts";

type Started = Pick<Io, "env" | "cwd">;

/** Returns what `findProgram` needs to know about this machine. */
export const programsHere = (io: Started): SearchPlace => ({
  platform: process.platform,
  env: io.env,
  project: projectOf(io),
  isProgram: (path) => is(path, (stats) => stats.isFile()) && canRun(path),
  real: followed,
});

/**
 * Returns the environment for other programs. It lacks our variables, because one may contain a token. Its PATH is the
 * one that we search ourselves, because they may search too. If no folder is left there is no PATH at all, because an
 * empty PATH means the working folder.
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
    return undefined; // The working folder was deleted, so no project is in it.
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

/** Follows links to the end, even if the target does not exist yet. */
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

/** Returns whether something exists at the path and passes the test `what`. */
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
