import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

export type Outcome = "passed" | "failed" | "timeout";

export interface Run {
  outcome: Outcome;
  ms: number;
  /** The first failing test, as Vitest names it, or what else went wrong. */
  failed?: string;
  /** The test files that failed. */
  notOk: string[];
}

interface Answer {
  ok: boolean;
  failed?: string;
  notOk: string[];
}

const groups = new Set<number>();
const endGroup = (pid: number) => {
  groups.delete(pid);
  try {
    process.kill(-pid, "SIGKILL");
  } catch {} // it has ended
};
process.on("exit", () => groups.forEach(endGroup));

/** The tests in a copy of the tree, run by a Vitest that stays: started again when it hangs, and all it started with it. */
export class Tests {
  private child: ChildProcess | undefined;
  private changed = new Set<string>();
  readonly tree: string;

  constructor(tree: string) {
    this.tree = tree;
  }

  /** What Vitest has read of this file is not what stands there. */
  hasChanged(file: string): void {
    this.changed.add(file);
  }

  end(): void {
    if (this.child) endGroup(this.child.pid!);
    this.child = undefined;
  }

  private async started(): Promise<ChildProcess> {
    if (this.child) return this.child;
    const child = spawn(process.execPath, [join(this.tree, "checks/mutations/host.ts")], {
      cwd: this.tree,
      env: { ...process.env, XDG_DATA_HOME: join(this.tree, ".vitest-data") }, // Vitest keeps a token there
      detached: true, // its own group: workers in an endless loop end with it
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    groups.add(child.pid!);
    this.child = child;
    await once(child, "message");
    return child;
  }

  /** Runs test files in this order until one fails, or all of them, or until the time is over. */
  async run(tests: readonly string[], limitMs: number, all = false): Promise<Run> {
    const child = await this.started();
    const began = performance.now();
    const over = new AbortController();
    const { signal } = over;
    const timer = setTimeout(() => over.abort(), limitMs);
    child.send({ tests, all, changed: [...this.changed] });
    this.changed.clear();
    const ended = once(child, "exit", { signal }).then(() => [
      { ok: false, failed: "Vitest ended", notOk: [...tests] },
    ]);
    const answer = await Promise.race([once(child, "message", { signal }), ended]).catch(() => undefined);
    clearTimeout(timer);
    ended.catch(() => {});
    over.abort(); // nothing listens any more
    const ms = Math.round(performance.now() - began);
    if (answer === undefined || child.exitCode !== null) this.end();
    if (answer === undefined) return { outcome: "timeout", ms, notOk: [] };
    const { ok, failed, notOk } = answer[0] as Answer;
    return ok
      ? { outcome: "passed", ms, notOk }
      : { outcome: "failed", ms, notOk, failed: failed ?? "an error outside the tests" };
  }
}
