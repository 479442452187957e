import { readFileSync } from "node:fs";

/** What a process holds in memory now, as Linux counts it. */
export const residentMb = (pid = 0): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
