import type { ChildProcess, SpawnOptions } from "node:child_process";
import { EventEmitter } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { onTestFinished } from "vitest";

type Start = (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** Until this test ends, what the program starts as a process of its own is what `start` gives, in this process. */
export function startedHere(start: Start): void {
  const all = process.getBuiltinModule("node:child_process");
  const { spawn } = all;
  const set = (by: unknown) => {
    all.spawn = by as typeof spawn;
    syncBuiltinESMExports();
  };
  set(start);
  onTestFinished(() => set(spawn));
}

/** A process that does this and has ended. */
export function doing(work: () => void): ChildProcess {
  const child = new EventEmitter();
  setImmediate(() => {
    work();
    child.emit("close", 0);
  });
  return child as ChildProcess;
}
