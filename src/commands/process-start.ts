import { readFileSync } from "node:fs";

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
