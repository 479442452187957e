import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

export interface Running {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const CLI = new URL("../../dist/cli.js", import.meta.url).pathname;

/** Starts a server of its own process and waits for the address that it prints. */
async function start(args: string[], env: Record<string, string> = {}): Promise<Running> {
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? "", LANG: "en_US.UTF-8", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout! })) {
    const [url] = /http:\/\/\S+/.exec(line) ?? [];
    if (url === undefined) continue;
    const stop = async () => {
      child.kill("SIGTERM");
      await once(child, "exit");
    };
    return { url, pid: child.pid ?? 0, stop };
  }
  throw new Error(`${args.join(" ")} printed no address`);
}

export const startBare = () => start([new URL("bare.ts", import.meta.url).pathname]);
export const startPlain = () => start([new URL("plain.ts", import.meta.url).pathname]);
/** `given`: the result of its tool as JSON, or an address that it reads and the header for it; without one it is empty. */
export const startLibrary = (...given: [result: string] | [url: string, authorization: string] | []) =>
  start([new URL("library.ts", import.meta.url).pathname, ...given]);

/** `towow-mcp serve` with a home of its own, without limits that a measurement would meet. */
export async function startEndpoint(
  backendUrl: string,
  more: string[] = [],
  env: Record<string, string> = {},
): Promise<Running> {
  const home = mkdtempSync(join(tmpdir(), "towow-load-"));
  const limits = [
    "--rate",
    "1000000",
    "--at-once",
    "100000",
    "--max-sessions",
    "20000",
    "--drain",
    "2",
    "--metrics",
    "on",
  ];
  const running = await start([CLI, "serve", "--port", "0", "--backend-url", backendUrl, ...limits, ...more], {
    HOME: home,
    TOWOW_HOME: join(home, ".towow"),
    TOWOW_LOG_LEVEL: "silent",
    ...env,
  });
  return {
    ...running,
    async stop() {
      await running.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
