import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { buildServer, type ServerDeps } from "./server.ts";

/** Serves one client over the process's stdio, in whichever protocol era it opens with. */
export function serveOverStdio(deps: ServerDeps): { close: () => Promise<void> } {
  return serveStdio(({ era }) => buildServer(era === "legacy" ? { ...deps, following: "session" } : deps), {
    onerror: (error) => deps.log.warn("stdio_error", { error: String(error) }),
  });
}
