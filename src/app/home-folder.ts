import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { HomeInvalid } from "../home/errors.ts";

/**
 * Returns this program's folder: `TOWOW_HOME`, or `.towow` in the person's own folder. Both must be full paths, because
 * a relative path would depend on the open project. @throws HomeInvalid for a relative path
 */
export function homeOf(env: NodeJS.ProcessEnv): string {
  const own = env.TOWOW_HOME;
  return own === undefined ? defaultHome(env) : fullPath("TOWOW_HOME", own);
}

/** Returns the home if `TOWOW_HOME` names none. @throws HomeInvalid as {@link userHome} does */
export const defaultHome = (env: NodeJS.ProcessEnv): string => join(userHome(env), ".towow");

/** Returns the person's own folder. @throws HomeInvalid if the environment gives none or a relative one */
export function userHome(env: NodeJS.ProcessEnv): string {
  const variable = process.platform === "win32" ? "USERPROFILE" : "HOME";
  return fullPath(variable, env[variable] ?? systemHome());
}

/** Returns the system's entry for this user's folder, or an empty text if there is none, as is common in containers. */
function systemHome(): string {
  try {
    return userInfo().homedir;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR") return "";
    throw error;
  }
}

function fullPath(variable: string, value: string): string {
  if (!isAbsolute(value)) throw new HomeInvalid({ variable, value });
  return value;
}

/** Returns the environment for another program without our variables, because they may contain a token. */
export const withoutOwnVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith("TOWOW_")));

/** Returns the locale of a person's terminal, in POSIX's order of the variables. */
export const localeOf = (env: NodeJS.ProcessEnv) => env.LC_ALL || env.LC_MESSAGES || env.LANG;
