import { CLIENTS } from "./clients.ts";
import { ClientConfigUnusable } from "./errors.ts";
import type { Machine } from "./machine.ts";
import { versionsIn } from "./own-entry.ts";

/**
 * The versions whose copies any known client's file names, in whatever entry; undefined when one of the files cannot
 * be read, since what it names may not be taken away.
 */
export function namedCopies(machine: Machine): ReadonlySet<string> | undefined {
  const paths = CLIENTS.flatMap(({ files }) => [...files.user(machine), ...(files.project?.(machine) ?? [])]);
  try {
    return new Set(paths.flatMap((path) => versionsIn(machine.read(path) ?? "", machine)));
  } catch (error) {
    if (error instanceof ClientConfigUnusable) return undefined;
    throw error;
  }
}
