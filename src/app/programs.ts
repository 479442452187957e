import { accessSync, constants, readlinkSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { HomeInvalid } from "../home/errors.ts";
import { errnoOf } from "../home/file.ts";
import { projectIn, type SearchPlace, searchPath } from "../search-path.ts";
import { userHome, withoutOwnVariables } from "./home-folder.ts";
import type { Io } from "./io.ts";

type Started = Pick<Io, "env" | "cwd">;

/** This machine's programs, as `findProgram` looks for them. */
export const programsHere = (io: Started): SearchPlace => ({
  platform: process.platform,
  env: io.env,
  project: projectOf(io),
  isProgram: (path) => is(path, (stats) => stats.isFile()) && canRun(path),
  real: followed,
});

/**
 * The environment for a program that is not ours: none of our variables, since one may hold a token, and the PATH that
 * we look in ourselves, because it may look for others. Without any folder it has no PATH: an empty one is the working folder.
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
    return undefined; // nothing is in a folder that was deleted
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

/** Follows links to the end, also to a file or a folder that is not there yet. */
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

/** Whether something is there, and is what is asked for. */
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
