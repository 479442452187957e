import { TowowError } from "../errors.ts";
import { planOf } from "./change-plan.ts";
import { CLIENTS, type Client } from "./clients.ts";
import type { Machine } from "./machine.ts";
import { isNewer } from "./version.ts";

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
