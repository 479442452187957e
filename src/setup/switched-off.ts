import { posix, win32 } from "node:path";
import { parse } from "jsonc-parser";
import { TowowError } from "../errors.ts";
import { ENTRY } from "./document.ts";
import type { Machine } from "./machine.ts";
import { isTable } from "./own-entry.ts";

/** Where a client is told not to start the entry that it has. */
export interface SwitchedOff {
  readonly path: string;
  /** As it stands in that file. */
  readonly key: string;
  /** What switches it on: the key goes, the name goes out of a list or into it, or a command. */
  readonly on: "no key" | "not listed" | "listed" | { readonly command: string };
  /** Only in these projects; undefined for everywhere. */
  readonly projects?: readonly string[];
}

/** A client's file, and what stands in it. */
interface ClientFile {
  readonly path: string;
  readonly key: string;
  readonly all: unknown;
  readonly entry: unknown;
  readonly machine: Machine;
}

export type FindOff = (file: ClientFile) => readonly SwitchedOff[];

/** A key of the entry itself. */
export const inEntry =
  (name: string, value: boolean): FindOff =>
  ({ path, key, entry }) =>
    isTable(entry) && entry[name] === value ? [{ path, key: `${key}.${ENTRY}.${name}`, on: "no key" }] : [];

/** Gemini CLI: two lists in its settings, and what `gemini mcp disable` writes beside them. It asks in this order. */
export const inGemini: FindOff = ({ path, all, machine }) => {
  const { allowed, excluded } = tableIn(all, "mcp");
  if (Array.isArray(allowed) && allowed.length > 0 && !names(allowed))
    return [{ path, key: "mcp.allowed", on: "listed" }];
  if (names(excluded)) return [{ path, key: "mcp.excluded", on: "not listed" }];
  const beside = fileBeside(machine, path, "mcp-server-enablement.json");
  if (tableIn(readJson(machine, beside), ENTRY).enabled !== false) return [];
  return [{ path: beside, key: `${ENTRY}.enabled`, on: { command: `gemini mcp enable ${ENTRY}` } }];
};

/** Claude Code keeps for each project what is off there. */
export const inClaudeProjects: FindOff = ({ path, all }) => {
  const projects = Object.entries(tableIn(all, "projects"))
    .filter(([, project]) => isTable(project) && names(project.disabledMcpServers))
    .map(([project]) => project);
  if (projects.length === 0) return [];
  return [{ path, key: "disabledMcpServers", on: { command: `/mcp enable ${ENTRY}` }, projects }];
};

const names = (list: unknown): boolean =>
  Array.isArray(list) && list.some((name) => typeof name === "string" && name.trim().toLowerCase() === ENTRY);

const tableIn = (value: unknown, name: string): Record<string, unknown> => {
  const found = isTable(value) ? value[name] : undefined;
  return isTable(found) ? found : {};
};

function fileBeside({ platform }: Machine, path: string, name: string): string {
  const { dirname, join } = platform === "win32" ? win32 : posix;
  return join(dirname(path), name);
}

/** Undefined also for one that cannot be read: it is only looked at. */
function readJson(machine: Machine, path: string): unknown {
  try {
    return parse(machine.read(path) ?? "");
  } catch (error) {
    if (error instanceof TowowError) return undefined;
    throw error;
  }
}
