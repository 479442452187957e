import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";
import { HomeInvalid } from "../home/errors.ts";

/**
 * The folder of this program: `TOWOW_HOME`, or `.towow` in the person's own. Both are full paths: a relative one would
 * lead into whatever project is open. Throws {@link HomeInvalid}.
 */
export function homeOf(env: NodeJS.ProcessEnv): string {
  const own = env.TOWOW_HOME;
  return own === undefined ? defaultHome(env) : fullPath("TOWOW_HOME", own);
}

/** Where no folder is named. Throws {@link HomeInvalid}. */
export const defaultHome = (env: NodeJS.ProcessEnv): string => join(userHome(env), ".towow");

/** The person's own folder. Throws {@link HomeInvalid} when the environment gives none, or a relative one. */
export function userHome(env: NodeJS.ProcessEnv): string {
  const variable = process.platform === "win32" ? "USERPROFILE" : "HOME";
  return fullPath(variable, env[variable] ?? systemHome());
}

/** Empty where no entry of this user names one: a container's user often has none. */
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

/** The environment for another program: our variables may hold a token, so it gets none of them. */
export const withoutOwnVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith("TOWOW_")));

/** The locale of a person's terminal, as POSIX ranks the variables. */
export const localeOf = (env: NodeJS.ProcessEnv) => env.LC_ALL || env.LC_MESSAGES || env.LANG;
