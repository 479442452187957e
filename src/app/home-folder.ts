import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { HomeInvalid } from "../home/errors.ts";

/**
 * Returns this program's folder: `TOWOW_HOME`, or `.towow` in the person's own. Both are full paths, since a relative
 * one would depend on the open project. Throws {@link HomeInvalid}.
 */
export function homeOf(env: NodeJS.ProcessEnv): string {
  const own = env.TOWOW_HOME;
  return own === undefined ? defaultHome(env) : fullPath("TOWOW_HOME", own);
}

/** Returns the home where no folder is named. Throws {@link HomeInvalid}. */
export const defaultHome = (env: NodeJS.ProcessEnv): string => join(userHome(env), ".towow");

/** Returns the person's own folder. Throws {@link HomeInvalid} when the environment gives none, or a relative one. */
export function userHome(env: NodeJS.ProcessEnv): string {
  const variable = process.platform === "win32" ? "USERPROFILE" : "HOME";
  return fullPath(variable, env[variable] ?? systemHome());
}

/** Empty where no entry of this user names one, as is common in containers. */
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

/** Returns the environment for another program, without our variables, since they may hold a token. */
export const withoutOwnVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith("TOWOW_")));

/** Returns the locale of a person's terminal, in POSIX's order of the variables. */
export const localeOf = (env: NodeJS.ProcessEnv) => env.LC_ALL || env.LC_MESSAGES || env.LANG;
