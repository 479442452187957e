import { posix, win32 } from "node:path";
import type { Machine } from "./machine.ts";
import { findProgram } from "./programs.ts";

/** Whose entry it is: the person's everywhere, or a project's. */
export type Scope = "user" | "project";

/** How a client starts the server. `from` says which of the three ways it is. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly from: "path" | "folder" | "npx";
}

/** Folders that a package runner puts on the PATH, or keeps a program in, for one run. */
const FOR_ONE_RUN = /[\\/](_npx|dlx)([\\/-]|$)|[\\/]node_modules[\\/]\.bin[\\/]?$/;

/**
 * An installed `towow-mcp` before `npx`, which costs half a second of every start. A desktop program is given the Node
 * and the file by their full names, since it may have another PATH; a project's file is shared with others, so that it
 * never names a folder of this machine.
 */
export function launchOf(
  machine: Machine,
  client: { readonly desktop?: true },
  scope: Scope,
  flags: readonly string[],
): Launch {
  const windows = machine.platform === "win32";
  const shell = (command: string, ...args: string[]): Pick<Launch, "command" | "args"> =>
    windows ? { command: "cmd", args: ["/c", command, ...args, ...flags] } : { command, args: [...args, ...flags] };
  const { join } = windows ? win32 : posix;

  const installed = findProgram(machine, "towow-mcp", FOR_ONE_RUN);
  const isForOneRun = FOR_ONE_RUN.test(machine.root);
  const byFile = (file: string) => ({ command: machine.node, args: [file, ...flags] });
  if (installed !== undefined) {
    const plain = windows || !client.desktop || scope === "project";
    return { ...(plain ? shell("towow-mcp") : byFile(machine.real(installed))), from: "path" };
  }
  if (!isForOneRun && scope === "user") return { ...byFile(join(machine.root, "dist", "cli.js")), from: "folder" };
  return { ...shell("npx", "-y", "towow-mcp"), from: "npx" };
}
