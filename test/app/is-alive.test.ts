import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { isAlive, processStart, thisProcess } from "../../src/app/process.ts";

/** Some other program. */
async function other(): Promise<{ pid: number; end: () => Promise<void> }> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await once(child, "spawn");
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  onTestFinished(end);
  return { pid: child.pid!, end };
}

it("an owner is alive until its process ends", async () => {
  const { pid, end } = await other();
  const started = processStart(pid);
  expect(await isAlive({ pid })).toBe(true);
  expect(await isAlive({ pid, ...(started !== undefined && { started }) })).toBe(true);
  await end();
  expect(await isAlive({ pid })).toBe(false);
});

it.runIf(existsSync("/proc/self/stat"))("a pid that somebody else has by now is no owner", async () => {
  const { pid } = await other();
  expect(await isAlive({ pid, started: `${processStart(pid)}0` })).toBe(false);
  expect(await isAlive({ pid, started: processStart(process.pid)! })).toBe(false);
});

it("with the pid of this process, only what runs in it is alive", async () => {
  expect(await isAlive({ pid: process.pid })).toBe(false);
  expect(await isAlive({ instance: "from before", pid: process.pid })).toBe(false);
  expect(await isAlive(thisProcess())).toBe(true);
});
