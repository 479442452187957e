import type { ChildProcess } from "node:child_process";

/** And the signal that each ends by. */
const running = new Map<ChildProcess, NodeJS.Signals>();
const endAll = () => running.forEach((signal, child) => void child.kill(signal));

/** A program of a test ends with it, also when the test's own program breaks off. */
export function endingWithTest<T extends ChildProcess>(child: T, signal: NodeJS.Signals = "SIGKILL"): T {
  if (running.size === 0) process.on("exit", endAll);
  running.set(child, signal);
  child.once("exit", () => {
    running.delete(child);
    if (running.size === 0) process.off("exit", endAll);
  });
  return child;
}
