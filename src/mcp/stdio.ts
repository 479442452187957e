import type { Readable, Writable } from "node:stream";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { failureOf } from "../log.ts";
import { withoutLongLines } from "./long-lines.ts";
import { buildServer, type ServerDeps } from "./server.ts";

/** Serves one client over the process's stdio, in whichever protocol era it opens with. */
export function serveOverStdio(deps: ServerDeps, stdin: Readable, stdout: Writable): { close: () => Promise<void> } {
  const lines = withoutLongLines(stdin, () => deps.log.warn("line_too_long"));
  return serveStdio(({ era }) => buildServer(era === "legacy" ? { ...deps, resourceUpdates: "session" } : deps), {
    transport: new StdioServerTransport(lines, stdout),
    onerror: (error) => deps.log.warn("stdio_error", { error: failureOf(error) }),
  });
}
