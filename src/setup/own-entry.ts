import { endpointIn } from "./endpoint.ts";
import type { Machine } from "./machine.ts";

/** An entry that starts this program, however it is written, or calls one of its endpoints. */
export interface OwnEntry {
  /** How the entry starts the program. `npx` runs what the project's folder holds under that name. */
  readonly from: "copy" | "path" | "npx" | "endpoint";
  /** The address of the endpoint. */
  readonly url?: string;
  /** The version of the copy that the entry names. */
  readonly version?: string;
  /** The flags that the entry passes to the server. */
  readonly flags: readonly string[];
}

/** Reads an entry of a client's file. Returns undefined if it starts something else. */
export function ownEntry(entry: unknown, machine: Pick<Machine, "copies">): OwnEntry | undefined {
  const endpoint = endpointEntry(entry);
  if (endpoint !== undefined) return endpoint;
  const words = commandLineOf(entry);
  const [command, first, ...rest] = words[0] === "cmd" && words[1] === "/c" ? words.slice(2) : words;
  if (command === "towow-mcp") return { from: "path", flags: first === undefined ? [] : [first, ...rest] };
  const isPackage = (word = "") => /^towow-mcp(@[\w.-]+)?$/.test(word);
  if (command === "npx" && first === "-y" && isPackage(rest[0])) return { from: "npx", flags: rest.slice(1) };
  const [version] = first === undefined ? [] : versionsIn(first, machine);
  const isCopy = version !== undefined && slashed(first!) === `${slashed(machine.copies)}/${version}/dist/cli.js`;
  return isCopy ? { from: "copy", version, flags: rest } : undefined;
}

/** The keys that hold an address in an entry: `httpUrl` in Gemini CLI, and `url` in every other client. */
const ADDRESSES = ["url", "httpUrl"];

/**
 * Reads an entry that has only an address. Setup never writes a token or a header, so an entry that has one is the person's
 * own.
 */
function endpointEntry(entry: unknown): OwnEntry | undefined {
  if (!isTable(entry) || "command" in entry) return undefined;
  const { type = "http", bearer_token_env_var: token } = entry;
  const [address, ...others] = ADDRESSES.flatMap((name) => entry[name] ?? []);
  const carries =
    token !== undefined || Object.values(entry).some((one) => isTable(one) && Object.keys(one).length > 0);
  if (carries || others.length > 0 || typeof address !== "string" || (type !== "http" && type !== "remote"))
    return undefined;
  const url = endpointIn(address)?.url;
  return url === address ? { from: "endpoint", url, flags: [] } : undefined;
}

/** Returns an entry without its command and address. */
export const withoutStart = (entry: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !["command", "args", ...ADDRESSES].includes(name)));

const NETWORK_FLAG = "--backend-url";
const NETWORK_VARIABLE = "TOWOW_BACKEND_URL";

/**
 * Returns the network that an entry of this program names by flag or variable, or undefined if it leaves that to the
 * home.
 */
export function networkOfEntry(entry: unknown, { flags }: Pick<OwnEntry, "flags">): string | undefined {
  const at = flags.findLastIndex((flag) => flag.split("=")[0] === NETWORK_FLAG);
  const flag = flags[at]?.includes("=") ? flags[at].slice(NETWORK_FLAG.length + 1) : flags[at + 1];
  if (at >= 0 && flag !== undefined) return flag;
  const tables = isTable(entry) ? Object.values(entry).filter(isTable) : [];
  const named = tables.map((table) => table[NETWORK_VARIABLE]);
  return named.find((value): value is string => typeof value === "string" && value !== "");
}

/**
 * Removes the network from an entry, so that it is left to the home: its flag from `flags`, and its variable from a
 * table.
 */
export const withoutNetwork = {
  flags: (flags: readonly string[]): string[] =>
    flags.filter((flag, at) => flag.split("=")[0] !== NETWORK_FLAG && flags[at - 1] !== NETWORK_FLAG),
  variables: (table: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    if (!(NETWORK_VARIABLE in table)) return table;
    const { [NETWORK_VARIABLE]: _, ...rest } = table;
    return rest;
  },
};

/** Returns whether a value of an entry is a table with values of its own. */
export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Returns the program that an entry starts and its arguments. The list is empty if the entry names an address instead.
 */
export function commandLineOf(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { command, args } = entry as { command?: unknown; args?: unknown };
  const words = [...(Array.isArray(command) ? command : [command]), ...(Array.isArray(args) ? args : [])];
  return words.every((word) => typeof word === "string") ? words : [];
}

/** Returns the versions of all copies that a text names. The text may be a path, or a whole file of any format. */
export function versionsIn(text: string, { copies }: Pick<Machine, "copies">): string[] {
  const folder = `${slashed(copies)}/`;
  return slashed(text)
    .split(folder)
    .slice(1)
    .flatMap((rest) => /^[\w.+-]+(?=\/)/.exec(rest)?.[0] ?? []);
}

/** Normalises a path's separators, which may be written as in Windows or escaped as in JSON and TOML. */
const slashed = (text: string): string => text.replaceAll(/\\+/g, "/");
