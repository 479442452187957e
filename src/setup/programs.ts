import { HomeInvalid } from "../home/errors.ts";
import { findProgram } from "../search-path.ts";
import type { Machine } from "./machine.ts";

/** The programs and folders that show that a client is installed. */
interface Findable {
  readonly programs: readonly string[];
  folders(machine: Machine): string[];
  /** Set if the client has a command of its own for its servers. */
  readonly own?: object;
}

/** Returns whether a client is on this machine, for which one of its programs or one of its folders is enough. */
export const isInstalled = (machine: Machine, client: Findable): boolean =>
  client.programs.some((name) => findProgram(machine, name) !== undefined) ||
  keptFolders(machine, client).some((folder) => machine.isFolder(folder));

/** Returns the client's folders, or none for a person without a home. */
function keptFolders(machine: Machine, client: Findable): string[] {
  try {
    return client.folders(machine);
  } catch (error) {
    if (error instanceof HomeInvalid) return [];
    throw error;
  }
}

/** Returns the client's own program if it can be started without a shell. On Windows a `.cmd` cannot. */
export function ownProgram(machine: Machine, client: Findable): string | undefined {
  const [name] = client.programs;
  const found = client.own && name !== undefined ? findProgram(machine, name) : undefined;
  return found !== undefined && /\.(cmd|bat)$/i.test(found) ? undefined : found;
}
