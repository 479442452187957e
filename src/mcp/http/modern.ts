import { createMcpHandler, InMemoryServerEventBus, type McpHttpHandler } from "@modelcontextprotocol/server";
import type { LiveSettings } from "../../home/live-settings.ts";
import { failureOf, type Log } from "../../log.ts";
import type { Negotiations } from "../../negotiation/service.ts";
import type { Platform } from "../../platform.ts";
import type { AskingServer } from "../asking-server.ts";
import { onModeChange } from "../mode.ts";
import { buildServer } from "../server.ts";
import type { ServerDeps } from "../server-deps.ts";
import { Subscriptions } from "../subscriptions.ts";
import type { User } from "./user.ts";

/** The most subscription streams of one user at once. */
const MAX_SUBSCRIPTIONS = 64;

export interface ModernDeps {
  platform: Platform;
  serverDeps: (request: Request) => ServerDeps;
  /**
   * Returns the key of a request. Requests with the same key get the same deps, and may use one server in turn.
   * Undefined if the request needs a server of its own.
   */
  sharedBy?: (request: Request) => string | undefined;
  /** The user's own settings. A change of the mode in them is announced. */
  live: LiveSettings;
  /** Returns the negotiations of the backend in use. */
  negotiations: () => Negotiations;
}

/**
 * Creates the handler for one user's clients of the 2026 era, and the subscriptions by which they get news of
 * negotiations. The handler also announces each change of the mode.
 */
export function createModern({
  platform,
  serverDeps,
  sharedBy = () => undefined,
  live,
  negotiations,
}: ModernDeps): Pick<User, "modern" | "subscriptions"> {
  const idle = new IdleServers();
  const serverFor = (request: Request) => idle.take(sharedBy(request), () => buildServer(serverDeps(request)));
  const modern = createModernHandler(serverFor, platform.log);
  const subscriptions = new Subscriptions(platform, {
    negotiations,
    updated: (uri) => modern.notify.resourceUpdated(uri),
  });
  onModeChange(live, () => modern.notify.toolsChanged());
  return { modern, subscriptions };
}

/** Serves each request with a server that no other request uses meanwhile. */
const createModernHandler = (serverFor: (request: Request) => AskingServer, log: Log): McpHttpHandler =>
  createMcpHandler(({ requestInfo }) => serverFor(requestInfo as Request), {
    legacy: "reject",
    bus: new InMemoryServerEventBus((error) => log.warn("event_unsent", { error: failureOf(error) })),
    maxSubscriptions: MAX_SUBSCRIPTIONS,
    onerror: (error) => log.debug("http_rejected", { error: failureOf(error) }),
  });

/** The most idle servers that are kept for one user, who seldom has more calls at once. */
const MAX_IDLE = 16;

interface Idle {
  key: string;
  server: AskingServer;
  /** Releases what the server listens to. */
  release: (() => void) | undefined;
}

/**
 * Keeps one user's idle servers for later requests. A server serves one request at a time, and making one takes a
 * seventh of a call's time.
 */
export class IdleServers {
  readonly #idle: Idle[] = [];

  /** Returns an idle server with this key, or makes one. Without a key, the request gets a server of its own. */
  take(key: string | undefined, make: () => AskingServer): AskingServer {
    const at = this.#idle.findLastIndex((idle) => idle.key === key);
    const [idle] = at < 0 ? [] : this.#idle.splice(at, 1);
    if (idle !== undefined) return idle.server;
    const server = make();
    const release = server.onclose;
    const isOver = () => {
      // A handler may still run after its client has gone, and what it sends must not reach another client.
      if (key === undefined || server.isHandling) return release?.();
      if (this.#idle.some((other) => other.server === server)) return;
      this.#idle.push({ key, server, release });
      if (this.#idle.length > MAX_IDLE) this.#idle.shift()?.release?.();
    };
    server.onclose = isOver;
    const close = server.close.bind(server);
    // The SDK also closes a server that it only asked for its capabilities. Such a server never connected, so `onclose`
    // is not called.
    server.close = async () => {
      const isConnected = server.transport !== undefined;
      await close();
      if (!isConnected) isOver();
    };
    return server;
  }
}
