import type { AskingServer } from "../asking-server.ts";

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
