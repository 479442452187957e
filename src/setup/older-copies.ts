import { TowowError } from "../errors.ts";
import { planOf } from "./change-plan.ts";
import { CLIENTS, type Client } from "./clients.ts";
import type { Machine } from "./machine.ts";
import { versionsIn } from "./own-entry.ts";

export interface OlderCopy {
  readonly client: Client;
  /** The version of the copy that it starts. */
  readonly version: string;
}

/** The clients, also such as have gone, whose entries start a copy that is older than this program. Reads only. */
export const olderCopies = (machine: Machine): OlderCopy[] =>
  CLIENTS.flatMap((client) => {
    const version = versionIn(client, machine);
    const isOlder = version !== undefined && version !== machine.version && !isNewer(version, machine.version);
    return isOlder ? [{ client, version }] : [];
  });

/** The one command that moves them all to this program. */
export const toThisVersion = (found: readonly OlderCopy[]): string =>
  `towow-mcp setup ${found.map(({ client }) => client.id).join(" ")}`;

function versionIn(client: Client, machine: Machine): string | undefined {
  try {
    return planOf(machine, client, { scope: "user", remove: false, flags: [] }).own?.version;
  } catch (error) {
    if (error instanceof TowowError) return undefined; // the doctor says what is wrong with the file
    throw error;
  }
}

/** Whether one version of this program came after another, by numbers; a pre-release comes before its release. */
export function isNewer(one: string, other: string): boolean {
  const [[a, preA], [b, preB]] = [partsOf(one), partsOf(other)];
  const order = a.localeCompare(b, "en", { numeric: true });
  if (order !== 0) return order > 0;
  if (preA === "" || preB === "") return preA === "" && preB !== "";
  return preA.localeCompare(preB, "en", { numeric: true }) > 0;
}

/** The numbers, and what names a pre-release. What was built of them says nothing. */
function partsOf(version: string): [numbers: string, preRelease: string] {
  const [numbers = "", ...pre] = (version.split("+")[0] ?? "").split("-");
  return [numbers, pre.join("-")];
}

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
