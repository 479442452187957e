import type { ChildProcess, SpawnOptions } from "node:child_process";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";
import { program } from "./program.ts";

type Start = (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** Until this test ends, what the program starts as a process of its own is what `start` gives, in this process. */
export function startedHere(start: Start): void {
  const all = process.getBuiltinModule("node:child_process");
  const { spawn } = all;
  const set = (by: unknown) => {
    all.spawn = by as typeof spawn;
    syncBuiltinESMExports();
  };
  set((...started: Parameters<Start>) => {
    const child = start(...started);
    setImmediate(() => child.emit("spawn"));
    return child;
  });
  onTestFinished(() => set(spawn));
}

/** The program's own server, as who starts it with Node means it. */
export const ownServer: Start = (_node, [, ...args], { env }) => program(args, { env: env as Record<string, string> });

/** A process that does this and ends with the status that it gives. */
export function doing(work: () => number): ChildProcess {
  const child = new EventEmitter();
  setImmediate(() => {
    child.emit("close", work());
  });
  return child as ChildProcess;
}
