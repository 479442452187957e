import { TowowError } from "../errors.ts";
import { planOf } from "./change-plan.ts";
import { CLIENTS, type Client } from "./clients.ts";
import type { Machine } from "./machine.ts";
import { versionsIn } from "./own-entry.ts";

export interface OlderCopy {
  readonly client: Client;
  /** The version of the copy that the client starts. */
  readonly version: string;
}

/**
 * Finds the clients whose entries start a copy that is older than this program, even if the client itself is gone. Only
 * reads.
 */
export const olderCopies = (machine: Machine): OlderCopy[] =>
  CLIENTS.flatMap((client) => {
    const version = versionIn(client, machine);
    const isOlder = version !== undefined && version !== machine.version && !isNewer(version, machine.version);
    return isOlder ? [{ client, version }] : [];
  });

/** Returns one command that moves all these clients to the version of this program. */
export const toThisVersion = (found: readonly OlderCopy[]): string =>
  `towow-mcp setup ${found.map(({ client }) => client.id).join(" ")}`;

function versionIn(client: Client, machine: Machine): string | undefined {
  try {
    return planOf(machine, client, { scope: "user", remove: false, flags: [] }).own?.version;
  } catch (error) {
    if (error instanceof TowowError) return undefined; // The doctor reports what is wrong with the file.
    throw error;
  }
}

/**
 * Returns whether one version of this program came after another. Numbers are compared, and a pre-release comes before
 * its release.
 */
export function isNewer(one: string, other: string): boolean {
  const [[a, preA], [b, preB]] = [partsOf(one), partsOf(other)];
  const order = a.localeCompare(b, "en", { numeric: true });
  if (order !== 0) return order > 0;
  if (preA === "" || preB === "") return preA === "" && preB !== "";
  return preA.localeCompare(preB, "en", { numeric: true }) > 0;
}

/** Splits a version into its numbers and its pre-release. The build metadata has no meaning here. */
function partsOf(version: string): [numbers: string, preRelease: string] {
  const [numbers = "", ...pre] = (version.split("+")[0] ?? "").split("-");
  return [numbers, pre.join("-")];
}

/**
 * Returns the versions of all copies that the files of known clients name, in any entry. Returns undefined if one of
 * the files cannot be read, because the copy that it names must not be removed.
 */
export function namedCopies(machine: Machine): ReadonlySet<string> | undefined {
  try {
    const paths = CLIENTS.flatMap(({ files }) => [...files.user(machine), ...(files.project?.(machine) ?? [])]);
    return new Set(paths.flatMap((path) => versionsIn(machine.read(path) ?? "", machine)));
  } catch (error) {
    if (error instanceof TowowError) return undefined; // The folder of the project may be gone, too.
    throw error;
  }
}
