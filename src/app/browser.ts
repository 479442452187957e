import { TowowError } from "../errors.ts";
import { asUnwritable } from "../home/file.ts";
import { withoutOwnVariables } from "./home-folder.ts";
import { type RedirectDeps, Redirects } from "./redirect-files.ts";

const OPENERS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: "open",
  // `start` is a shell word; explorer takes the path as one argument and no shell reads it.
  win32: "explorer.exe",
  linux: "xdg-open",
};

/** How long an opener may take to say that it failed. */
const OPENER_MS = 2_000;

type BrowserDeps = RedirectDeps & { env: NodeJS.ProcessEnv };

export interface Browser {
  /** Whether there is a desktop, and a program that opens addresses. */
  isHere: boolean;
  /** Opens an address. False where there is no desktop, no program that opens it, or no place for the redirect. */
  open(url: string): Promise<boolean>;
  /** Opens a file. False as above. */
  openFile(path: string): Promise<boolean>;
  /** Removes the redirects that are left. */
  close(): void;
}

/** The person's browser on this machine. The address stands in no program's arguments. */
export function createBrowser(deps: BrowserDeps): Browser {
  const { env, home } = deps;
  const redirects = new Redirects(deps);
  const opener = OPENERS[process.platform];
  const headless = process.platform === "linux" && !env.DISPLAY && !env.WAYLAND_DISPLAY;
  return {
    isHere: opener !== undefined && !headless,
    async open(url) {
      if (opener === undefined || headless || !(await readsHome(deps))) return false;
      const path = written(() => redirects.write(url), home);
      if (path === undefined) return false;
      const opened = await run(opener, path, deps);
      if (!opened) redirects.remove(path);
      return opened;
    },
    openFile: async (path) => opener !== undefined && !headless && run(opener, path, deps),
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

/**
 * Whether the person's browser can read files of the home. One that was installed as a snap, as Ubuntu's is, sees no
 * hidden folder; its name is the snap's, a line, and the program's.
 */
async function readsHome({ env, home }: BrowserDeps): Promise<boolean> {
  if (process.platform !== "linux" || !/\/\./.test(home)) return true;
  const { execFile } = await import("node:child_process");
  const options = { env: withoutOwnVariables(env), timeout: OPENER_MS };
  return new Promise((resolve) => {
    execFile("xdg-settings", ["get", "default-web-browser"], options, (error, name) =>
      resolve(error !== null || !/^[\w.-]+_[\w.-]+\.desktop$/.test(name.trim())),
    );
  });
}

/** False when the opener says within a moment that it could not. Some stay as long as the browser does. */
async function run(opener: string, path: string, { env, clock }: BrowserDeps): Promise<boolean> {
  const { spawn } = await import("node:child_process"); // most programs open nothing
  return new Promise((resolve) => {
    const child = spawn(opener, [path], { stdio: "ignore", detached: true, env: withoutOwnVariables(env) });
    // Until it is known, the child keeps the program alive: it may have nothing else to wait for.
    const stop = clock.after(OPENER_MS, () => {
      child.unref();
      resolve(true);
    });
    child.once("error", () => {
      stop();
      resolve(false);
    });
    child.once("exit", (code) => {
      stop();
      resolve(code === 0 || process.platform === "win32"); // explorer's code is 1 whatever it does
    });
  });
}
