import type { Readable, Writable } from "node:stream";
import type { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { failureOf } from "../log.ts";
import { answeringTransport } from "./answering-transport.ts";
import { listeningTransport } from "./listening-transport.ts";
import { withoutLongLines } from "./long-lines.ts";
import { buildServer } from "./server.ts";
import type { ServerDeps } from "./server-deps.ts";
import { Subscriptions } from "./subscriptions.ts";

/** The most subscription streams that one client may hold open. */
const MAX_SUBSCRIPTIONS = 64;

/** Serves one client over the process's stdio, in whichever protocol era it opens with. */
export function serveOverStdio(deps: ServerDeps, stdin: Readable, stdout: Writable): { close: () => Promise<void> } {
  const { accounts, live, clock, log } = deps;
  const lines = withoutLongLines(stdin, () => log.warn("line_too_long"));
  let current: Server | undefined;
  const subscriptions = new Subscriptions({
    negotiations: () => accounts.at(live.current().backend_url).negotiations,
    updated(uri) {
      current?.sendResourceUpdated({ uri }).catch((error) => log.debug("update_unsent", { error: failureOf(error) }));
    },
    clock,
    log,
  });
  const serve = ({ era }: { era: string }): Server => {
    current = buildServer({ ...deps, resourceUpdates: era === "legacy" ? "session" : "listen" });
    return current;
  };
  return serveStdio(serve, {
    transport: listeningTransport(answeringTransport(lines, stdout), subscriptions, corking(stdout)),
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => log.warn("stdio_error", { error: failureOf(error) }),
  });
}

/**
 * While other calls are answered too, makes one write of all that is written until the end of the turn: a client wakes up
 * once for many results.
 */
function corking(stdout: Writable): (others: number) => void {
  let isCorked = false;
  return (others) => {
    if (isCorked || others === 0) return;
    isCorked = true;
    stdout.cork();
    setImmediate(() => {
      isCorked = false;
      stdout.uncork();
    });
  };
}
