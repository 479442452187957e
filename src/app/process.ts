import { readFileSync, readlinkSync } from "node:fs";
import { nanoid } from "nanoid";
import type { Owner } from "../negotiation/facts.ts";
import type { Io } from "./io.ts";

/**
 * The state of a process, as the system shows it. `idle` means that the process has ended or was stopped. `unknown` means that it
 * runs on another machine or in another container, or that the system does not show it.
 */
export type Seen = "runs" | "idle" | "unknown";

const NO_PLACE = "unknown";
/**
 * The states of a process that does nothing (proc_pid_stat(5)): ended and not reaped, ended, stopped, stopped by a
 * debugger.
 */
const IDLE_STATES = "ZXxTt";

interface Stat {
  state: string;
  /** See {@link processStart}. */
  started: string;
}

function statOf(pid: number): Stat | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in brackets. The name may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { state: fields[0] ?? "", started: `${bootId()}:${fields[19]}` };
  } catch {
    return undefined;
  }
}

const bootId = () => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();

/**
 * Returns when a process began, as a text that no other process of this machine shares: the boot, and the ticks since
 * it (proc_pid_stat(5), field 22). Returns undefined if the system does not say, or if the process is gone.
 */
export const processStart = (pid: number): string | undefined => statOf(pid)?.started;

/** Returns an identifier of the place in which pids mean the same as here: the boot and the pid namespace. */
function thisPlace(): string {
  try {
    return `${bootId()}:${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return NO_PLACE;
  }
}

/** Returns what identifies this process to others. */
export function processName(): Pick<Owner, "pid" | "started" | "place"> {
  const started = processStart(process.pid);
  return { pid: process.pid, ...(started !== undefined && { started }), place: thisPlace() };
}

/** Returns this running program as the owner that the history names. */
export function thisProcess(io: Pick<Io, "once">): Owner {
  const instance = nanoid();
  ownInstances.add(instance);
  io.once("exit", () => ownInstances.delete(instance));
  return { instance, ...processName() };
}

/** The names of this process. It has several, because a server answers dry runs as another program. */
const ownInstances = new Set<string | undefined>();

/** Returns whether a program is this very process, under any of its names. */
export const isHere = ({ instance }: Partial<Owner>): boolean => ownInstances.has(instance);

/**
 * Returns what the system shows of a program. Pids are reused, so a different program with our own pid ran before us,
 * and a process that began at another time is not the owner. Version 0.2 recorded no place, so its programs are looked
 * up here.
 */
export function look(owner: Partial<Owner> & Pick<Owner, "pid">): Seen {
  const { pid, started, place } = owner;
  if (isHere(owner)) return "runs";
  if (place !== undefined && (place === NO_PLACE || place !== thisPlace())) return "unknown";
  if (pid === process.pid) return "idle";
  const stat = statOf(pid);
  if (stat !== undefined) {
    const isOther = started !== undefined && stat.started !== started;
    return isOther || IDLE_STATES.includes(stat.state) ? "idle" : "runs";
  }
  if (!exists(pid)) return "idle";
  return place === undefined ? "runs" : "unknown"; // The process exists but is hidden from this user.
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
