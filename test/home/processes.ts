import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { NODE_ENV } from "../support/node-env.ts";

/** Runs as many processes of `child.ts`, lets all of them go at the same moment, and gives what each printed. */
export async function runTogether(count: number, args: string[]): Promise<Record<string, unknown>[]> {
  const script = join(import.meta.dirname, "child.ts");
  const children = Array.from({ length: count }, () => {
    // With few descriptors, so that one that is to run out of them does so soon.
    const child = spawn("sh", ["-c", 'ulimit -n 256 && exec "$0" "$@"', process.execPath, script, ...args], {
      env: { ...process.env, ...NODE_ENV },
      stdio: ["pipe", "pipe", "inherit"],
    });
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
  });
  for (const { lines } of children) await lines.next();
  for (const { child } of children) child.stdin.end();
  return Promise.all(children.map(async ({ lines }) => JSON.parse(String((await lines.next()).value))));
}
