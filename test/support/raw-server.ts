import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { needsProcess } from "./cli.ts";
import { NODE_ENV } from "./node-env.ts";
import { program } from "./program.ts";

/** The built program on bare pipes, for what a client library does not let a test choose. */
export interface RawServer {
  child: ChildProcess;
  /** One JSON-RPC request and its result; rejects when the program ends first. */
  request(method: string, params?: object): Promise<Record<string, unknown>>;
  /** A tool's result, through a client of the 2025 era. */
  call(
    name: string,
    args?: object,
  ): Promise<{ error: { code: string } | null; data: { resume_with?: { params: object } }; text: string }>;
  stderr(): string;
  /** Ends stdin, and waits for the program's end. */
  end(): Promise<number | null>;
}

export const CLI = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

/**
 * Starts `command`, or the program itself, with nothing in its environment but `env` and PATH. The program runs in this
 * process, unless it is to be spawned in some way.
 */
export function rawServer(
  env: Record<string, string>,
  { command = [process.execPath, CLI], ...options }: SpawnOptions & { command?: string[]; spawned?: true } = {},
): RawServer {
  const [file, ...args] = command as [string, ...string[]];
  const isOurs = args.length === 1 && args[0] === CLI && Object.keys(options).length === 0 && !needsProcess(env);
  const child = isOurs
    ? program([], { env: { PATH: NODE_ENV.PATH, ...env } })
    : spawn(file, args, { env: { ...NODE_ENV, ...env }, stdio: "pipe", ...options });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const waiting = new Map<number, (message: Record<string, unknown>) => void>();
  let stderr = "";
  let ids = 0;
  child.stderr?.on("data", (chunk) => {
    stderr += chunk;
  });
  createInterface({ input: child.stdout! }).on("line", (line) => {
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  onTestFinished(async () => {
    if (isOurs) return;
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
    await exited;
  });

  const request = (method: string, params: object = {}) => {
    const id = ++ids;
    child.stdin!.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise<Record<string, unknown>>((resolve, reject) => {
      waiting.set(id, ({ result, error }) => resolve((result ?? { error }) as Record<string, unknown>));
      exited.then((code) => reject(new Error(`ended with ${code}: ${stderr}`)));
    });
  };
  return {
    child,
    request,
    async call(name, args = {}) {
      const { structuredContent, content } = (await request("tools/call", { name, arguments: args })) as never;
      const [{ text }] = content as [{ text: string }];
      return { ...(structuredContent as { error: null; data: { resume_with?: { params: object } } }), text };
    },
    stderr: () => stderr,
    async end() {
      child.stdin!.end();
      return exited;
    },
  };
}
