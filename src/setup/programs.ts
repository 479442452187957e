import { HomeInvalid } from "../home/errors.ts";
import { findProgram } from "../search-path.ts";
import type { Machine } from "./machine.ts";

/** What shows that a client is here: one of its programs, or a folder that it keeps. */
interface Findable {
  readonly programs: readonly string[];
  folders(machine: Machine): string[];
  /** It has a command of its own for its servers. */
  readonly own?: object;
}

/** Whether a client is on this machine: one of its programs, or a folder that it keeps. */
export const isInstalled = (machine: Machine, client: Findable): boolean =>
  client.programs.some((name) => findProgram(machine, name) !== undefined) ||
  keptFolders(machine, client).some((folder) => machine.isFolder(folder));

/** None for a person without a home. */
function keptFolders(machine: Machine, client: Findable): string[] {
  try {
    return client.folders(machine);
  } catch (error) {
    if (error instanceof HomeInvalid) return [];
    throw error;
  }
}

/** The client's own program, where it can be started without a shell (on Windows a `.cmd` cannot). */
export function ownProgram(machine: Machine, client: Findable): string | undefined {
  const [name] = client.programs;
  const found = client.own && name !== undefined ? findProgram(machine, name) : undefined;
  return found !== undefined && /\.(cmd|bat)$/i.test(found) ? undefined : found;
}
