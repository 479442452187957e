import { TowowError } from "../errors.ts";
import { CLIENTS } from "./clients.ts";
import type { Machine } from "./machine.ts";
import { versionsIn } from "./own-entry.ts";

/**
 * The versions whose copies any known client's file names, in whatever entry; undefined when one of the files cannot
 * be read, since what it names may not be taken away.
 */
export function namedCopies(machine: Machine): ReadonlySet<string> | undefined {
  try {
    const paths = CLIENTS.flatMap(({ files }) => [...files.user(machine), ...(files.project?.(machine) ?? [])]);
    return new Set(paths.flatMap((path) => versionsIn(machine.read(path) ?? "", machine)));
  } catch (error) {
    if (error instanceof TowowError) return undefined; // also where the project's own folder is gone
    throw error;
  }
}
