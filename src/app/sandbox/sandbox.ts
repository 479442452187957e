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

/** The sandbox of a home, which is a simulated backend for the home's programs. */
export interface Sandbox {
  /**
   * Returns the sandbox's address, and starts the sandbox if it does not run. If several programs start it at once, one
   * process stays. @throws `tool.config.unavailable.sandbox` if it cannot be started
   */
  address(): Promise<string>;
  /** Returns the running process, or undefined if none runs. Starts nothing. */
  running(): Promise<Running | undefined>;
}

const START_PATIENCE_MS = 20_000;

export function createSandbox(options: SandboxOptions): Sandbox {
  const { home } = options;
  /**
   * The instance that has answered once. After that its process only has to live, if the system can tell it from
   * others.
   */
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

/** Returns whether the named process lives. If the system cannot tell it from others, it has to answer. */
export async function isRunning(named: Running): Promise<boolean> {
  const seen = look(named);
  if (seen === "runs" && named.started !== undefined) return true;
  return seen !== "idle" && answers(named);
}

/** Why a sandbox did not start, and the path that this is about. */
type Unstarted = { reason: string; path: string };

/** Starts the process, which outlives this one. Returns undefined once it answers, or else why it does not. */
async function started({ home, root, env }: SandboxOptions): Promise<Unstarted | undefined> {
  const { spawn } = await import("node:child_process"); // Loaded here, because most programs start no sandbox.
  return new Promise((resolve) => {
    const program = fileURLToPath(new URL("dist/cli.js", root));
    const child = spawn(process.execPath, [program, "sandbox", "--run"], {
      // The process starts in the root folder, because a running process can keep its folder from being removed.
      cwd: parse(home).root,
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
    // "exit" would be too early, because output may follow it. A process that ends without output is an incomplete copy
    // of the program.
    child.once("close", (code, signal) => end({ reason: `exit ${code ?? signal}`, path: program }));
  });
}

/** Reads a failure from the one line of the process: a code, and the path that it is about. */
function failureIn(line: string, home: string): Unstarted {
  const [reason = ""] = line.split(" ", 1);
  return { reason: reason.trim(), path: line.slice(reason.length).trim() || sandboxFolder(home) };
}

const PATIENCE_MS = 2_000;
/** The route that only a sandbox has. Its answer is the process's `instance`. */
export const SANDBOX_ROUTE = "/sandbox";

/** Returns whether the named process answers and confirms that it still serves this home. Never throws. */
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
