import { posix, win32 } from "node:path";
import type { Machine } from "./machine.ts";

/** Whose entry it is: the person's everywhere, or a project's. */
export type Scope = "user" | "project";

/** How a client starts the server: this program's copy in its home, or whatever the PATH knows by its name. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly from: "copy" | "path";
}

/** cmd looks for a program in the folder that it is in first, which is the project's; this takes that away. */
const NOT_IN_THIS_FOLDER = { NoDefaultCurrentDirectoryInExePath: "1" };

/**
 * The copy in this program's home, by the full names of Node and the file: a client starts its servers in the project
 * that is open, where `npx` would run that project's own `node_modules` and read its `.npmrc`. A project's file is
 * shared with others, so that it never names a folder of this machine.
 */
export function launchOf(machine: Machine, scope: Scope, flags: readonly string[]): Launch {
  if (scope === "user")
    return { command: lastingNode(machine), args: [entryFile(machine, machine.version), ...flags], from: "copy" };
  return machine.platform === "win32"
    ? { command: "cmd", args: ["/c", "towow-mcp", ...flags], env: NOT_IN_THIS_FOLDER, from: "path" }
    : { command: "towow-mcp", args: flags, from: "path" };
}

/** The file that a copy of this program is started by. */
const entryFile = (machine: Pick<Machine, "platform" | "copies">, version: string): string =>
  pathOf(machine).join(machine.copies, version, "dist", "cli.js");

const pathOf = ({ platform }: Pick<Machine, "platform">) => (platform === "win32" ? win32 : posix);

/** Homebrew takes the folder of a version away when it updates; the link to the newest one stays. */
function lastingNode({ node, real }: Machine): string {
  const [, prefix, formula] = /^(.*)\/Cellar\/([^/]+)\//.exec(node) ?? [];
  const link = `${prefix}/opt/${formula}/bin/node`;
  return prefix !== undefined && real(link) === node ? link : node;
}
