import { chmodSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { byCodeUnits } from "../../by-code-units.ts";
import { isObject, makeFolder } from "../../home/file.ts";
import { readPlainSync } from "../../home/plain-file.ts";

/** The process that is this home's sandbox, as `<home>/sandbox/running.json` names it. */
export interface Running {
  instance: string;
  pid: number;
  /** When the process began, as `processStart` returns it. Absent if the system does not say. */
  started?: string;
  /** The machine and the pid namespace of the process, as in a fact's `owner`. */
  place?: string;
  /** The address. Nobody can guess its path, and nothing outside that path is answered. */
  url: string;
}

/** Returns the folder of a home's sandbox, which holds its data and the name of its process. */
export const sandboxFolder = (home: string): string => join(home, "sandbox");
export const sandboxData = (home: string): string => join(sandboxFolder(home), "data.json");
/** Returns the file to which unreadable data is moved. */
export const brokenData = (home: string, instance: string): string => `${sandboxData(home)}.broken-${instance}`;

/** Lists the data files that were set aside, by name. */
export function keptAside(home: string): string[] {
  const folder = sandboxFolder(home);
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.startsWith(basename(brokenData(home, ""))));
  return names.sort(byCodeUnits).map((name) => join(folder, name));
}

const fileOf = (home: string): string => join(sandboxFolder(home), "running.json");

/** Returns the process that the file names, or undefined if there is none. Never throws. */
export function readRunning(home: string): Running | undefined {
  try {
    const value: unknown = JSON.parse(readPlainSync(fileOf(home)).toString("utf8"));
    if (!isObject(value)) return undefined;
    const { instance, pid, started, place, url } = value;
    const isWhole = typeof instance === "string" && Number.isInteger(pid) && typeof url === "string";
    if (!isWhole || !URL.canParse(url as string)) return undefined;
    return {
      instance,
      pid: pid as number,
      url: url as string,
      ...(typeof started === "string" && { started }),
      ...(typeof place === "string" && { place }),
    };
  } catch {
    return undefined;
  }
}

/**
 * Names this process in a file. Only its owner can read the file, and it is whole at any moment. Throws the system's
 * error if the home cannot be written.
 */
export function writeRunning(home: string, running: Running): void {
  makeFolder(sandboxFolder(home));
  const temporary = `${fileOf(home)}.${running.instance}`;
  writeFileSync(temporary, `${JSON.stringify(running)}\n`, { mode: 0o600 });
  chmodSync(temporary, 0o600);
  renameSync(temporary, fileOf(home));
}

/** Removes the file, unless it already names another process. */
export function removeRunning(home: string, instance: string): void {
  if (readRunning(home)?.instance === instance) rmSync(fileOf(home), { force: true });
}
