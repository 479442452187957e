import { createMcpHandler, InMemoryServerEventBus, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { Clock } from "../../clock.ts";
import type { LiveSettings } from "../../home/live-settings.ts";
import { failureOf, type Log } from "../../log.ts";
import type { Negotiations } from "../../negotiation/service.ts";
import type { AskingServer } from "../asking-server.ts";
import { onModeChange } from "../mode.ts";
import { buildServer } from "../server.ts";
import type { ServerDeps } from "../server-deps.ts";
import { Subscriptions } from "../subscriptions.ts";
import { IdleServers } from "./idle-servers.ts";
import type { User } from "./user.ts";

/** Subscription streams of one user at once. */
const MAX_SUBSCRIPTIONS = 64;

export interface ModernDeps {
  serverDeps: (request: Request) => ServerDeps;
  /**
   * Requests for which it gives the same text get the same deps, and may share a server, one after the other; undefined for
   * a request that gets its own.
   */
  sharedBy?: (request: Request) => string | undefined;
  /** The user's own: a change of the mode in them is announced. */
  live: LiveSettings;
  /** Of the backend in use. */
  negotiations: () => Negotiations;
  clock: Clock;
  log: Log;
}

/** What serves one user's clients of the 2026 era, with news of negotiations and of the mode. */
export function createModern({
  serverDeps,
  sharedBy = () => undefined,
  live,
  ...deps
}: ModernDeps): Pick<User, "modern" | "subscriptions"> {
  const idle = new IdleServers();
  const serverFor = (request: Request) => idle.take(sharedBy(request), () => buildServer(serverDeps(request)));
  const modern = createModernHandler(serverFor, deps.log);
  const subscriptions = new Subscriptions({ ...deps, updated: (uri) => modern.notify.resourceUpdated(uri) });
  onModeChange(live, () => modern.notify.toolsChanged());
  return { modern, subscriptions };
}

/** Serves each request by a server that serves no other meanwhile. */
const createModernHandler = (serverFor: (request: Request) => AskingServer, log: Log): McpHttpHandler =>
  createMcpHandler(({ requestInfo }) => serverFor(requestInfo as Request), {
    legacy: "reject",
    bus: new InMemoryServerEventBus((error) => log.warn("event_unsent", { error: failureOf(error) })),
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => log.debug("http_rejected", { error: failureOf(error) }),
  });
