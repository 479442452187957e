import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { HomeInvalid } from "../home/errors.ts";

/**
 * The folder of this program: `TOWOW_HOME`, or `.towow` in the person's own. Both are full paths: a relative one would
 * lead into whatever project is open. Throws {@link HomeInvalid}.
 */
export function homeOf(env: NodeJS.ProcessEnv): string {
  const own = env.TOWOW_HOME;
  return own === undefined ? join(userHome(), ".towow") : fullPath("TOWOW_HOME", own);
}

/** The person's own folder. Throws {@link HomeInvalid} when the environment gives none, or a relative one. */
export const userHome = (): string => fullPath(process.platform === "win32" ? "USERPROFILE" : "HOME", systemHome());

/** Empty where neither a variable nor an entry of this user names one: a container's user often has no entry. */
function systemHome(): string {
  try {
    return homedir();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_SYSTEM_ERROR") return "";
    throw error;
  }
}

function fullPath(variable: string, value: string): string {
  if (!isAbsolute(value)) throw new HomeInvalid({ variable, value });
  return value;
}

/** The environment for another program: our variables may hold a token, and are none of its business. */
export const withoutOwnVariables = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith("TOWOW_")));
