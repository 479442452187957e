import { endpointIn } from "./endpoint.ts";
import type { Machine } from "./machine.ts";

/** An entry that starts this program, however it was written, or calls an endpoint of it. */
export interface OwnEntry {
  /** `npx`: it runs what a project's folder holds under that name. */
  readonly from: "copy" | "path" | "npx" | "endpoint";
  /** The address of the endpoint. */
  readonly url?: string;
  /** Of the copy that it names. */
  readonly version?: string;
  /** What it hands on to the server. */
  readonly flags: readonly string[];
}

/** Reads an entry of a client's file; undefined for one that starts something else. */
export function ownEntry(entry: unknown, machine: Pick<Machine, "copies">): OwnEntry | undefined {
  const endpoint = endpointEntry(entry);
  if (endpoint !== undefined) return endpoint;
  const words = commandOf(entry);
  const [command, first, ...rest] = words[0] === "cmd" && words[1] === "/c" ? words.slice(2) : words;
  if (command === "towow-mcp") return { from: "path", flags: first === undefined ? [] : [first, ...rest] };
  const isPackage = (word = "") => /^towow-mcp(@[\w.-]+)?$/.test(word);
  if (command === "npx" && first === "-y" && isPackage(rest[0])) return { from: "npx", flags: rest.slice(1) };
  const [version] = first === undefined ? [] : versionsIn(first, machine);
  const isCopy = version !== undefined && slashed(first!) === `${slashed(machine.copies)}/${version}/dist/cli.js`;
  return isCopy ? { from: "copy", version, flags: rest } : undefined;
}

/** What names an address in an entry: in Gemini CLI `httpUrl`, in every other client `url`. */
const ADDRESSES = ["url", "httpUrl"];

/** A bare address. One that has a token or a header beside it is a person's own way in, and not written by setup. */
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

/** An entry without what it starts or calls. */
export const withoutStart = (entry: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !["command", "args", ...ADDRESSES].includes(name)));

const NETWORK_FLAG = "--backend-url";
const NETWORK_VARIABLE = "TOWOW_BACKEND_URL";

/** The network that an entry of this program names by itself, by flag or variable; undefined leaves it to the home. */
export function networkOfEntry(entry: unknown, { flags }: Pick<OwnEntry, "flags">): string | undefined {
  const at = flags.findLastIndex((flag) => flag.split("=")[0] === NETWORK_FLAG);
  const flag = flags[at]?.includes("=") ? flags[at].slice(NETWORK_FLAG.length + 1) : flags[at + 1];
  if (at >= 0 && flag !== undefined) return flag;
  const tables = isTable(entry) ? Object.values(entry).filter(isTable) : [];
  const named = tables.map((table) => table[NETWORK_VARIABLE]);
  return named.find((value): value is string => typeof value === "string" && value !== "");
}

/** An entry that leaves the network to the home: without its flag among `flags`, and without its variable. */
export const withoutNetwork = {
  flags: (flags: readonly string[]): string[] =>
    flags.filter((flag, at) => flag.split("=")[0] !== NETWORK_FLAG && flags[at - 1] !== NETWORK_FLAG),
  variables: (table: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
    if (!(NETWORK_VARIABLE in table)) return table;
    const { [NETWORK_VARIABLE]: _, ...rest } = table;
    return rest;
  },
};

/** Whether a value of an entry is a table of others. */
export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The program that an entry starts and its arguments; empty for one that names an address instead. */
export function commandOf(entry: unknown): string[] {
  if (typeof entry !== "object" || entry === null) return [];
  const { command, args } = entry as { command?: unknown; args?: unknown };
  const words = [...(Array.isArray(command) ? command : [command]), ...(Array.isArray(args) ? args : [])];
  return words.every((word) => typeof word === "string") ? words : [];
}

/** The versions whose copies a text names: a path, or a whole file of whatever format. */
export function versionsIn(text: string, { copies }: Pick<Machine, "copies">): string[] {
  const folder = `${slashed(copies)}/`;
  return slashed(text)
    .split(folder)
    .slice(1)
    .flatMap((rest) => /^[\w.+-]+(?=\/)/.exec(rest)?.[0] ?? []);
}

/** One way to write a path: Windows' own, and as it stands in JSON and TOML. */
const slashed = (text: string): string => text.replaceAll(/\\+/g, "/");
