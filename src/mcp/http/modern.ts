import { createMcpHandler, InMemoryServerEventBus, type McpHttpHandler } from "@modelcontextprotocol/server";
import { failureOf, type Log } from "../../log.ts";
import { buildServer } from "../server.ts";
import type { ServerDeps } from "../server-deps.ts";

/** Subscription streams of one user at once. */
const SUBSCRIPTIONS = 64;

/** Serves one user's requests of the 2026 era, each by a server of its own. */
export const createModernHandler = (serverDeps: (request: Request) => ServerDeps, log: Log): McpHttpHandler =>
  createMcpHandler(({ requestInfo }) => buildServer(serverDeps(requestInfo as Request)), {
    legacy: "reject",
    bus: new InMemoryServerEventBus((error) => log.warn("event_unsent", { error: failureOf(error) })),
    maxSubscriptions: SUBSCRIPTIONS,
    onerror: (error) => log.debug("http_rejected", { error: failureOf(error) }),
  });
