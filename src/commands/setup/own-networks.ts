import { TowowError } from "../../errors.ts";
import type { ConfigFile } from "../../home/file.ts";
import { planOf } from "../../setup/change-plan.ts";
import { CLIENTS, type Client } from "../../setup/clients.ts";
import type { Machine } from "../../setup/machine.ts";
import { networkOfEntry } from "../../setup/own-entry.ts";
import { isInstalled } from "../../setup/programs.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import { networkOf } from "../network/choose.ts";

/** A client whose entry names a network itself, so that the home's choice has no effect on it. */
export interface OwnNetwork {
  client: Client;
  path: string;
  /** The address as the home would store it, or as the entry has it if it is no valid address. */
  network: string;
}

/** Finds the installed clients whose entries name a network other than `network`. Changes nothing. */
export function ownNetworks(machine: Machine, network: string | undefined, file: ConfigFile): OwnNetwork[] {
  return CLIENTS.filter((client) => isInstalled(machine, client)).flatMap((client) => {
    const named = namedBy(client, machine, file);
    return named === undefined || named.network === network ? [] : [named];
  });
}

/** Returns the command after which these clients use the home's network, with `network` as that network. */
export const toHomesNetwork = (found: readonly OwnNetwork[], network: string): string =>
  `towow-mcp setup ${found.map(({ client }) => client.id).join(" ")} --backend-url ${shellWord(network)}`;

function namedBy(client: Client, machine: Machine, file: ConfigFile): OwnNetwork | undefined {
  try {
    const { before, own, path } = planOf(machine, client, { scope: "user", remove: false, flags: [] });
    const network = own && networkOfEntry(before, own);
    return network === undefined ? undefined : { client, path, network: normal(network, file) };
  } catch (error) {
    if (error instanceof TowowError) return undefined; // The doctor reports what is wrong with the file.
    throw error;
  }
}

function normal(address: string, file: ConfigFile): string {
  try {
    return networkOf(address, file);
  } catch (error) {
    if (error instanceof TowowError) return address;
    throw error;
  }
}
