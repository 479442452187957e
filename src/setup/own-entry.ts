import type { Machine } from "./machine.ts";

/** An entry that starts this program, however it was written. */
export interface OwnEntry {
  /** `npx`: it runs what a project's folder holds under that name. */
  readonly from: "copy" | "path" | "npx";
  /** Of the copy that it names. */
  readonly version?: string;
  /** What it hands on to the server. */
  readonly flags: readonly string[];
}

/** Reads an entry of a client's file; undefined for one that starts something else. */
export function ownEntry(entry: unknown, machine: Pick<Machine, "copies">): OwnEntry | undefined {
  const words = commandLine(entry);
  const [command, first, ...rest] = words[0] === "cmd" && words[1] === "/c" ? words.slice(2) : words;
  if (command === "towow-mcp") return { from: "path", flags: first === undefined ? [] : [first, ...rest] };
  const isPackage = (word = "") => /^towow-mcp(@[\w.-]+)?$/.test(word);
  if (command === "npx" && first === "-y" && isPackage(rest[0])) return { from: "npx", flags: rest.slice(1) };
  const [version] = first === undefined ? [] : versionsIn(first, machine);
  const isCopy = version !== undefined && slashed(first!) === `${slashed(machine.copies)}/${version}/dist/cli.js`;
  return isCopy ? { from: "copy", version, flags: rest } : undefined;
}

/** The program that an entry starts and its arguments; empty for one that names an address instead. */
export function commandLine(entry: unknown): string[] {
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
