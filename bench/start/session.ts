import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { residentMb } from "../resident-mb.ts";

/** A program that speaks MCP on stdin and stdout. */
export interface Program {
  command: string;
  args: readonly string[];
  env?: Record<string, string>;
  /** The tool that is called first, and its arguments; without one nothing is called. */
  call?: { name: string; arguments: Record<string, unknown> };
}

/** From the start of the process, in milliseconds; resident memory in MB. */
export interface Start {
  listedMs: number;
  calledMs: number;
  residentListedMb: number;
  residentCalledMb: number;
}

/** Starts a program once, as a client of the 2025 era does: initialize, initialized, tools/list, and then the call. */
export async function startOnce({ command, args, env, call }: Program): Promise<Start> {
  const from = performance.now();
  const child = spawn(command, args, {
    env: { PATH: process.env.PATH ?? "", ...env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, () => void>();
  createInterface({ input: child.stdout }).on("line", (line) => waiting.get(JSON.parse(line).id)?.());
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const ask = (id: number, method: string, params: object) =>
    new Promise<void>((resolve) => {
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const clientInfo = { name: "bench", version: "1" };
  await ask(1, "initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  send({ method: "notifications/initialized" });
  await ask(2, "tools/list", {});
  const listedMs = performance.now() - from;
  const residentListedMb = residentMb(child.pid);
  if (call !== undefined) await ask(3, "tools/call", call);
  const calledMs = performance.now() - from;
  const residentCalledMb = residentMb(child.pid);
  child.stdin.end();
  await new Promise((resolve) => child.once("exit", resolve));
  return { listedMs, calledMs, residentListedMb, residentCalledMb };
}
