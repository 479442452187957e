import { createMcpHandler, InMemoryServerEventBus, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { Clock } from "../../clock.ts";
import type { LiveSettings } from "../../home/live-settings.ts";
import { failureOf, type Log } from "../../log.ts";
import type { Negotiations } from "../../negotiation/service.ts";
import { onModeChange } from "../mode-change.ts";
import { buildServer } from "../server.ts";
import type { ServerDeps } from "../server-deps.ts";
import { Subscriptions } from "../subscriptions.ts";
import type { User } from "./user.ts";

/** Subscription streams of one user at once. */
const SUBSCRIPTIONS = 64;

export interface ModernDeps {
  serverDeps: (request: Request) => ServerDeps;
  /** The user's own: a change of the mode in them is announced. */
  live: LiveSettings;
  /** Of the backend in use. */
  negotiations: () => Negotiations;
  clock: Clock;
  log: Log;
}

/** What serves one user's clients of the 2026 era, with news of negotiations and of the mode. */
export function createModern({ serverDeps, live, ...deps }: ModernDeps): Pick<User, "modern" | "subscriptions"> {
  const modern = createModernHandler(serverDeps, deps.log);
  const subscriptions = new Subscriptions({ ...deps, updated: (uri) => modern.notify.resourceUpdated(uri) });
  onModeChange(live, () => modern.notify.toolsChanged());
  return { modern, subscriptions };
}

/** Serves each request by a server of its own. */
const createModernHandler = (serverDeps: ModernDeps["serverDeps"], log: Log): McpHttpHandler =>
  createMcpHandler(({ requestInfo }) => buildServer(serverDeps(requestInfo as Request)), {
    legacy: "reject",
    bus: new InMemoryServerEventBus((error) => log.warn("event_unsent", { error: failureOf(error) })),
    maxSubscriptions: SUBSCRIPTIONS,
    onerror: (error) => log.debug("http_rejected", { error: failureOf(error) }),
  });
