import { parse } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "../../clock.ts";
import { Failure } from "../../errors.ts";
import { withoutOwnVariables } from "../home-folder.ts";
import { look } from "../process.ts";
import { type Running, readRunning, sandboxFolder } from "./running-file.ts";

export interface SandboxOptions {
  home: string;
  /** The package's folder. */
  root: URL;
  env: NodeJS.ProcessEnv;
}

/** Gives the programs of this home their sandbox. */
export interface Sandbox {
  /**
   * Returns its address, and starts it where it does not run. If several programs start it at once, one process stays.
   * @throws `tool.config.unavailable.sandbox`
   */
  address(): Promise<string>;
  /** Returns the running process, or undefined while it sleeps. Starts nothing. */
  running(): Promise<Running | undefined>;
}

const START_PATIENCE_MS = 20_000;

export function createSandbox(options: SandboxOptions): Sandbox {
  const { home } = options;
  /** It was seen to answer once. After that a look at its process is enough, where that can be told from others. */
  let seen: string | undefined;
  let starting: Promise<string> | undefined;

  async function running(): Promise<Running | undefined> {
    const named = readRunning(home);
    if (named === undefined || !(await isRunning(named))) return undefined;
    if (named.instance !== seen && !(await answers(named))) return undefined;
    seen = named.instance;
    return named;
  }

  async function begin(): Promise<string> {
    const failure = await started(options);
    const now = await running();
    if (now === undefined)
      throw new Failure(
        "tool.config.unavailable.sandbox",
        failure ?? { reason: "no answer", path: sandboxFolder(home) },
      );
    return now.url;
  }

  return {
    running,
    async address() {
      const now = await running();
      if (now !== undefined) return now.url;
      starting ??= begin().finally(() => {
        starting = undefined;
      });
      return starting;
    },
  };
}

/** Returns whether the named process lives. Where the system cannot tell it from others, it has to answer. */
export async function isRunning(named: Running): Promise<boolean> {
  const seen = look(named);
  if (seen === "runs" && named.started !== undefined) return true;
  return seen !== "idle" && answers(named);
}

/** Says what keeps a sandbox from starting, and why. */
type Unstarted = { reason: string; path: string };

/** Starts the process, which outlives this one. Returns undefined once one answers, or why none does. */
async function started({ home, root, env }: SandboxOptions): Promise<Unstarted | undefined> {
  const { spawn } = await import("node:child_process"); // Most programs start none.
  return new Promise((resolve) => {
    const program = fileURLToPath(new URL("dist/cli.js", root));
    const child = spawn(process.execPath, [program, "sandbox", "--run"], {
      cwd: parse(home).root, // Nobody wants to remove this folder meanwhile.
      env: { ...withoutOwnVariables(env), TOWOW_HOME: home },
      detached: true,
      windowsHide: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    const end = (failure: Unstarted | undefined) => {
      stopWaiting();
      child.stdout.destroy();
      child.unref();
      resolve(failure);
    };
    const stopWaiting = systemClock.after(START_PATIENCE_MS, () =>
      end({ reason: "timeout", path: sandboxFolder(home) }),
    );
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      said += chunk;
      if (said.includes("\n")) end(said.startsWith("ready") ? undefined : failureIn(said, home));
    });
    child.once("error", (error: NodeJS.ErrnoException) =>
      end({ reason: error.code ?? error.name, path: process.execPath }),
    );
    // "exit" would be too early, since output may follow it. A process without output is an incomplete copy of the
    // program.
    child.once("close", (code, signal) => end({ reason: `exit ${code ?? signal}`, path: program }));
  });
}

/** Reads the failure from the process's one line: a code, and what it is about. */
function failureIn(line: string, home: string): Unstarted {
  const [reason = ""] = line.split(" ", 1);
  return { reason: reason.trim(), path: line.slice(reason.length).trim() || sandboxFolder(home) };
}

const PATIENCE_MS = 2_000;
/** Only a sandbox has this route. Its answer is the name of the process. */
export const SANDBOX_ROUTE = "/sandbox";

/** Returns whether the named process answers, and says that this home is still its own. Never throws. */
export async function answers({ url, instance }: Running): Promise<boolean> {
  const { get } = await import("node:http");
  return new Promise((resolve) => {
    const request = get(`${url}${SANDBOX_ROUTE}`, { agent: false, timeout: PATIENCE_MS }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text = (text + chunk).slice(0, 1_000);
      });
      response.on("end", () => resolve(response.statusCode === 200 && text === instance));
      response.on("error", () => resolve(false));
    });
    request.on("timeout", () => request.destroy(new Error("timeout")));
    request.on("error", () => resolve(false));
  });
}
