import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Redis } from "ioredis";
import { endingWithTest } from "./children.ts";
import { freePort } from "./free-port.ts";

/** A redis-server of a test's own, on a free loopback port, that can be taken away and brought back. */
export interface RedisServer {
  url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const starts = (program: string, flag: string): boolean => {
  try {
    execFileSync(program, [flag], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
export const hasRedis = (): boolean => starts("redis-server", "--version");

/** All that stands under these keys, of whichever type: strings, members of sets, fields of hashes and their values. */
export async function valuesIn(client: Redis, keys: readonly string[]): Promise<string[]> {
  const values = await Promise.all(
    keys.map(async (key) => {
      const type = await client.type(key);
      if (type === "set") return client.smembers(key);
      if (type === "hash") return Object.entries(await client.hgetall(key)).flat();
      return [(await client.get(key)) ?? ""];
    }),
  );
  return values.flat();
}

/** `durable`: what was answered is still there after a `stop` and a `start`. */
export async function startRedis({ durable = false } = {}): Promise<RedisServer> {
  const port = await freePort();
  const dir = mkdtempSync(join(tmpdir(), "towow-redis-"));
  let child: ChildProcess | undefined;
  const start = async () => {
    const args = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--dir", dir];
    args.push(...(durable ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"]));
    child = endingWithTest(spawn("redis-server", args, { stdio: ["ignore", "pipe", "ignore"] }));
    await new Promise<void>((resolve, reject) => {
      child?.once("exit", () => reject(new Error("redis-server ended")));
      child?.stdout?.on("data", (chunk) => String(chunk).includes("Ready to accept connections") && resolve());
    });
  };
  const stop = async () => {
    const running = child;
    child = undefined;
    if (running === undefined) return;
    const ended = new Promise((resolve) => running.once("exit", resolve));
    running.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    async close() {
      await stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
