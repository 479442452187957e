import { readFileSync } from "node:fs";
import { nanoid } from "nanoid";
import type { Owner } from "../negotiation/facts.ts";

/**
 * When a process began, as one text that no other process of this machine shares: the boot and the ticks since it
 * (proc_pid_stat(5), field 22). Undefined where the system does not say, and for a process that is gone.
 */
export function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets, which may hold anything.
    const ticks = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}:${ticks}`;
  } catch {
    return undefined;
  }
}

/** This running program, as the history names it. */
export function thisProcess(): Owner {
  const started = processStart(process.pid);
  const instance = nanoid();
  ownInstances.add(instance);
  return { instance, pid: process.pid, ...(started !== undefined && { started }) };
}

/** What runs in this process under names of its own: a server answers dry runs as another program. */
const ownInstances = new Set<string | undefined>();

/** Pids are reused: another program with our own is one that ran before us, and one that began later is no owner. */
export async function isAlive({ instance, pid, started }: Partial<Owner> & Pick<Owner, "pid">): Promise<boolean> {
  if (pid === process.pid) return ownInstances.has(instance);
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false;
  }
  const now = started === undefined ? undefined : processStart(pid);
  return now === undefined || now === started;
}
