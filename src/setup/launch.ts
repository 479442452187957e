import { posix, win32 } from "node:path";
import type { Machine } from "./machine.ts";

/** Where an entry applies: to all projects of the person, or to one project. */
export type Scope = "user" | "project";

/** How a client starts the server, which is by this program's copy in its home or by its name on the PATH. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly from: "copy" | "path";
}

/** Keeps cmd from first looking for a program in the folder that it runs in, which is the project's. */
const NOT_IN_THIS_FOLDER = { NoDefaultCurrentDirectoryInExePath: "1" };

/**
 * Returns how a client starts the server. In the user scope it starts the copy in this program's home, by the full
 * paths of Node and the file. A client starts its servers in the open project, where `npx` would run that project's own
 * `node_modules` and read its `.npmrc`. A project's file is shared with others, so it never names a folder of this
 * machine.
 */
export function launchOf(machine: Machine, scope: Scope, flags: readonly string[]): Launch {
  if (scope === "user")
    return { command: lastingNode(machine), args: [entryFile(machine, machine.version), ...flags], from: "copy" };
  return machine.platform === "win32"
    ? { command: "cmd", args: ["/c", "towow-mcp", ...flags], env: NOT_IN_THIS_FOLDER, from: "path" }
    : { command: "towow-mcp", args: flags, from: "path" };
}

/** Returns the file with which a copy of this program is started. */
const entryFile = (machine: Pick<Machine, "platform" | "copies">, version: string): string =>
  pathOf(machine).join(machine.copies, version, "dist", "cli.js");

const pathOf = ({ platform }: Pick<Machine, "platform">) => (platform === "win32" ? win32 : posix);

/**
 * Returns a path of Node that lasts. Homebrew removes the folder of a version when it updates, but the link to the
 * newest version stays.
 */
function lastingNode({ node, real }: Machine): string {
  const [, prefix, formula] = /^(.*)\/Cellar\/([^/]+)\//.exec(node) ?? [];
  const link = `${prefix}/opt/${formula}/bin/node`;
  return prefix !== undefined && real(link) === node ? link : node;
}
