import { posix, win32 } from "node:path";
import { parse } from "jsonc-parser";
import { TowowError } from "../errors.ts";
import { ENTRY } from "./document.ts";
import type { Machine } from "./machine.ts";
import { isTable } from "./own-entry.ts";

/** A setting that keeps a client from starting its entry. */
export interface SwitchedOff {
  readonly path: string;
  /** The key, as it is written in that file. */
  readonly key: string;
  /**
   * What switches the entry on again, which is removing the key, taking the name out of a list or putting it in, or a command.
   */
  readonly on: "no key" | "not listed" | "listed" | { readonly command: string };
  /** The projects to which this applies. Undefined if it applies everywhere. */
  readonly projects?: readonly string[];
}

/** A client's file and its content. */
interface ClientFile {
  readonly path: string;
  readonly key: string;
  readonly all: unknown;
  readonly entry: unknown;
  readonly machine: Machine;
}

export type FindOff = (file: ClientFile) => readonly SwitchedOff[];

/** Looks for a key in the entry itself. */
export const inEntry =
  (name: string, value: boolean): FindOff =>
  ({ path, key, entry }) =>
    isTable(entry) && entry[name] === value ? [{ path, key: `${key}.${ENTRY}.${name}`, on: "no key" }] : [];

/**
 * Looks where Gemini CLI may have switched the entry off: two lists in its settings, and the file that `gemini mcp
 * disable` writes beside them. The order is Gemini CLI's own.
 */
export const inGemini: FindOff = ({ path, all, machine }) => {
  const { allowed, excluded } = tableIn(all, "mcp");
  if (Array.isArray(allowed) && allowed.length > 0 && !names(allowed))
    return [{ path, key: "mcp.allowed", on: "listed" }];
  if (names(excluded)) return [{ path, key: "mcp.excluded", on: "not listed" }];
  const beside = fileBeside(machine, path, "mcp-server-enablement.json");
  if (tableIn(readJson(machine, beside), ENTRY).enabled !== false) return [];
  return [{ path: beside, key: `${ENTRY}.enabled`, on: { command: `gemini mcp enable ${ENTRY}` } }];
};

/** Looks in the list of disabled servers that Claude Code keeps for each project. */
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

/** Parses a file. Returns undefined even if it cannot be read, because the result only informs the person. */
function readJson(machine: Machine, path: string): unknown {
  try {
    return parse(machine.read(path) ?? "");
  } catch (error) {
    if (error instanceof TowowError) return undefined;
    throw error;
  }
}
