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

/** One user's calls at once, as a rule; more servers than that are made anew. */
const MAX_IDLE = 16;

interface Idle {
  key: string;
  server: AskingServer;
  /** Ends what the server listens to. */
  release: (() => void) | undefined;
}

/**
 * One user's servers whose request is over, for the next request: a server serves one at a time, and making one takes a
 * seventh of a call.
 */
export class IdleServers {
  readonly #idle: Idle[] = [];

  /** `key`: requests that name the same one could be served by the same server; undefined: this one gets its own. */
  take(key: string | undefined, make: () => AskingServer): AskingServer {
    const at = this.#idle.findLastIndex((idle) => idle.key === key);
    const [idle] = at < 0 ? [] : this.#idle.splice(at, 1);
    if (idle !== undefined) return idle.server;
    const server = make();
    const release = server.onclose;
    const isOver = () => {
      // What a handler says whose client has gone must not reach another client.
      if (key === undefined || server.isHandling) return release?.();
      if (this.#idle.some((other) => other.server === server)) return;
      this.#idle.push({ key, server, release });
      if (this.#idle.length > MAX_IDLE) this.#idle.shift()?.release?.();
    };
    server.onclose = isOver;
    const close = server.close.bind(server);
    // The SDK closes one that it only asked for its capabilities; without a connection nobody would hear of that.
    server.close = async () => {
      const isConnected = server.transport !== undefined;
      await close();
      if (!isConnected) isOver();
    };
    return server;
  }
}
