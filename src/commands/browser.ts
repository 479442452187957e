import { spawn } from "node:child_process";
import { asUnwritable } from "../config/file.ts";
import { TowowError } from "../errors.ts";
import { withoutOwnVariables } from "./home-folder.ts";
import { type RedirectDeps, Redirects } from "./redirects.ts";

const OPENERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "open",
  // `start` is a shell word; explorer takes the path as one argument and no shell reads it.
  win32: "explorer.exe",
  linux: "xdg-open",
};

export interface PersonsBrowser {
  /** Opens an address. False where there is no desktop, no program that opens it, or no place for the redirect. */
  open(url: string): Promise<boolean>;
  /** Removes the redirects that are left. */
  close(): void;
}

/** The person's browser on this machine. The address stands in no program's arguments. */
export function createBrowser(deps: RedirectDeps & { env: NodeJS.ProcessEnv }): PersonsBrowser {
  const { env, home } = deps;
  const redirects = new Redirects(deps);
  const opener = OPENERS[process.platform];
  const headless = process.platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY;
  return {
    async open(url) {
      if (opener === undefined || headless) return false;
      const path = written(() => redirects.write(url), home);
      if (path === undefined) return false;
      const opened = await run(opener, path, env);
      if (!opened) redirects.remove(path);
      return opened;
    },
    close: () => redirects.clear(),
  };
}

function written(write: () => string, home: string): string | undefined {
  try {
    return write();
  } catch (error) {
    if (asUnwritable(home, error) instanceof TowowError) return undefined;
    throw error;
  }
}

function run(opener: string, path: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(opener, [path], { stdio: "ignore", detached: true, env: withoutOwnVariables(env) });
    child.once("error", () => resolve(false));
    child.once("spawn", () => {
      child.unref();
      resolve(true);
    });
  });
}
