import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

/** A server over stdio that was started, and greeted as a client of the 2025 era does. */
export interface StartedServer {
  pid: number;
  /** Resolves with the result of one request. */
  request(method: string, params: object): Promise<Record<string, unknown>>;
  callTool(name: string, args: object): Promise<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** Starts `command`; no client library stands between it and the clock. */
export async function startServer(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<StartedServer> {
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, (result: Record<string, unknown>) => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    const { id, result, error } = JSON.parse(line);
    waiting.get(id)?.(result ?? { error });
    waiting.delete(id);
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  let ids = 0;
  const request = (method: string, params: object) =>
    new Promise<Record<string, unknown>>((resolve) => {
      const id = ++ids;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const clientInfo = { name: "bench", version: "1" };
  await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  return {
    pid: child.pid ?? 0,
    request,
    callTool: (name, args) => request("tools/call", { name, arguments: args }),
    async stop() {
      child.stdin.end();
      await new Promise((resolve) => child.once("exit", resolve));
    },
  };
}
