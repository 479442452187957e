import { parse, win32 } from "node:path";
import { TowowError } from "../errors.ts";
import { asUnwritable } from "../home/file.ts";
import type { Platform } from "../platform.ts";
import { findProgram } from "../search-path.ts";
import type { Io } from "./io.ts";
import { environmentForOthers, programsHere } from "./programs.ts";
import { type RedirectDeps, Redirects } from "./redirect-files.ts";

/** How long an opener may take to report a failure, in ms. */
const OPENER_MS = 2_000;

type BrowserDeps = RedirectDeps & { io: Pick<Io, "env" | "cwd"> };

export interface Browser {
  /** True if there is a desktop, so that this program can open addresses for the person. */
  isHere: boolean;
  /**
   * Opens an address. Returns false if there is no desktop, no program that opens addresses, or no place for the redirect
   * file.
   */
  open(url: string): Promise<boolean>;
  /** Opens a file. Returns false if there is no desktop or no program that opens files. */
  openFile(path: string): Promise<boolean>;
  /** Removes the remaining redirects. */
  close(): void;
}

/**
 * Opens the person's browser on this machine. The address appears in no program's arguments, which every user can read.
 */
export function createBrowser(platform: Platform, deps: BrowserDeps): Browser {
  const { io, home } = deps;
  const { env } = io;
  const redirects = new Redirects(platform, deps);
  const isHere = ["darwin", "win32"].includes(process.platform) || isLinuxDesktop(env);
  return {
    isHere,
    async open(url) {
      const opener = isHere ? openerHere(io) : undefined;
      if (opener === undefined || !(await readsHome(deps))) return false;
      const path = written(() => redirects.write(url), home);
      if (path === undefined) return false;
      const opened = await run(opener, path, platform, deps);
      if (!opened) redirects.remove(path);
      return opened;
    },
    async openFile(path) {
      const opener = isHere ? openerHere(io) : undefined;
      return opener !== undefined && run(opener, path, platform, deps);
    },
    close: () => redirects.clear(),
  };
}

const isLinuxDesktop = (env: NodeJS.ProcessEnv): boolean =>
  process.platform === "linux" && Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);

/**
 * Returns the program that opens files and addresses. The system's own program is named by its full path, and any other
 * is searched for in the PATH.
 */
function openerHere(io: BrowserDeps["io"]): string | undefined {
  if (process.platform === "darwin") return "/usr/bin/open";
  // `start` is a shell command. explorer takes the path as one argument, and no shell reads it.
  if (process.platform === "win32") return win32.join(io.env.SystemRoot || "C:\\Windows", "explorer.exe");
  return findProgram(programsHere(io), "xdg-open");
}

/**
 * Returns options that start another program outside the project, because that program itself looks for programs and
 * settings where it is started.
 */
const outsideProject = ({ io, home }: BrowserDeps) => ({ cwd: parse(home).root, env: environmentForOthers(io) });

function written(write: () => string, home: string): string | undefined {
  try {
    return write();
  } catch (error) {
    if (asUnwritable(home, error) instanceof TowowError) return undefined;
    throw error;
  }
}

/**
 * Returns whether the person's browser can read files of the home. A browser installed as a snap, as on Ubuntu, sees no
 * hidden folder. A snap's desktop entry is named `<snap>_<program>.desktop`.
 */
async function readsHome(deps: BrowserDeps): Promise<boolean> {
  if (process.platform !== "linux" || !/\/\./.test(deps.home)) return true;
  const settings = findProgram(programsHere(deps.io), "xdg-settings");
  if (settings === undefined) return true;
  const { execFile } = await import("node:child_process");
  const options = { ...outsideProject(deps), timeout: OPENER_MS };
  return new Promise((resolve) => {
    execFile(settings, ["get", "default-web-browser"], options, (error, name) =>
      resolve(error !== null || !/^[\w.-]+_[\w.-]+\.desktop$/.test(name.trim())),
    );
  });
}

/** Starts the opener. Returns false if it soon reports a failure. Some openers run as long as the browser does. */
async function run(opener: string, path: string, { clock }: Platform, deps: BrowserDeps): Promise<boolean> {
  const { spawn } = await import("node:child_process"); // Loaded here, because most programs open nothing.
  return new Promise((resolve) => {
    const child = spawn(opener, [path], { stdio: "ignore", detached: true, ...outsideProject(deps) });
    // The child keeps the program alive until the result is known, because there may be nothing else to wait for.
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
      resolve(code === 0 || process.platform === "win32"); // explorer's exit code is always 1.
    });
  });
}
