import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import { type Clock, every } from "../clock.ts";
import { failureOf } from "../log.ts";
import type { Platform } from "../platform.ts";
import type { AgentConnection } from "./agent-connection.ts";
import type { Relay } from "./relay.ts";

export interface RelaySocketDeps {
  platform: Platform;
  /** The paths at which agents connect, by default `/agent/ws` alone. */
  paths?: readonly string[];
  /**
   * Returns whether requests may name this `host:port`. `isOrigin` returns whether a page of this origin may connect to
   * that host.
   */
  isHost: (host: string) => boolean;
  isOrigin: (origin: string, host: string) => boolean;
  /** Returns the room that a request may enter, or undefined if it may enter none. */
  relayFor: (token: string | undefined) => { relay: Relay; hasToken: boolean } | undefined;
}

const PATH = "/agent/ws";
/** The largest message. A field of 200,000 characters fits. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
/**
 * The most connections of one room with its token. There is one agent at a time, but the connections that it has lost
 * may still be open.
 */
const MAX_CONNECTIONS = 16;
/**
 * The most connections of one room without a token. Anybody who reaches the port may knock, and must not take a place
 * from those with a token.
 */
const MAX_STRANGERS = 4;
/** How many messages of one agent are handled in a second. Faster ones are queued, and a full queue stops the reading. */
const MAX_RATE = 100;
/**
 * Work that takes at least this long, in ms, is followed by a pause this many times as long, so that one agent leaves
 * the others their turn.
 */
const COSTLY_MS = 5;
const PAUSE_FACTOR = 3;
/** The most characters of messages that have come and wait for their turn. The rest waits on the wire. */
const MAX_WAITING_CHARS = 2 * MAX_MESSAGE_BYTES;
/** The most bytes that are sent and not read yet. If more is unread, only the newest state is kept for the agent. */
const FULL_BYTES = 256 * 1024;
/** How often a connection is asked if it is still there, and how long it may be silent, in ms. */
const HEARTBEAT_MS = 15_000;
const SILENT_MS = 45_000;
/** How often a full connection is checked, in ms. */
const DRAIN_POLL_MS = 50;

/** The relay's WebSocket, `/agent/ws` on the room's own server (seed 002 §2). */
export class RelaySocket {
  readonly #deps: RelaySocketDeps;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });

  constructor(deps: RelaySocketDeps) {
    this.#deps = deps;
  }

  /** Takes over a WebSocket upgrade of the room's server, or refuses the upgrade. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => {});
    const { isHost, isOrigin, relayFor, paths = [PATH] } = this.#deps;
    const { host = "", origin } = request.headers;
    const url = URL.parse(request.url ?? "/", "http://localhost"); // Anybody may send any path.
    const isOurs = isHost(host) && (origin === undefined || isOrigin(origin, host));
    const entry = isOurs && url !== null ? relayFor(url.searchParams.get("token") ?? undefined) : undefined;
    if (!isOurs) refuse(socket, "403 Forbidden");
    else if (url === null || !paths.includes(url.pathname)) refuse(socket, "404 Not Found");
    else if (entry === undefined) refuse(socket, "401 Unauthorized");
    else if (entry.relay.connections(entry) >= (entry.hasToken ? MAX_CONNECTIONS : MAX_STRANGERS))
      refuse(socket, "503 Service Unavailable");
    else this.#server.handleUpgrade(request, socket, head, (client) => this.#serve(client, entry));
  }

  close(): void {
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
  }

  #serve(client: WebSocket, { relay, hasToken }: { relay: Relay; hasToken: boolean }): void {
    const { clock, log } = this.#deps.platform;
    const wire = new Wire(client, clock, () => connection.drained());
    const connection: AgentConnection = relay.connect(
      {
        send: (text) => client.send(text, () => {}),
        isReady: () => wire.isReady(),
        whenArrived: arrivals(client),
        close: (code, reason) => client.close(code, reason),
      },
      { hasToken },
    );
    const stop = [this.#keepAlive(client, clock), () => wire.close()];
    const inOrder = paced(client, clock, async (text) => {
      await wire.untilReady(); // An agent that reads no answers gets no more of them.
      if (client.readyState !== client.OPEN) return;
      await connection.receive(text).catch((error) => log.error("relay_failed", { error: failureOf(error) }));
    });
    client.on("error", () => {}); // `close` follows.
    client.on("message", (data, isBinary) => inOrder(isBinary ? "" : data.toString()));
    client.on("close", () => {
      for (const end of stop) end();
      connection.gone();
    });
  }

  /** Ends a connection that answers no ping, because the other end is gone, whatever the network reports. */
  #keepAlive(client: WebSocket, clock: Clock): () => void {
    let lastAt = clock.monotonic();
    const alive = () => {
      lastAt = clock.monotonic();
    };
    client.on("pong", alive).on("message", alive);
    return every(clock, HEARTBEAT_MS, () => {
      if (clock.monotonic() - lastAt > SILENT_MS) return client.terminate();
      client.ping();
    });
  }
}

/**
 * Knows whether more may be sent to the client. Calls `drained` when more may be sent again after the connection was
 * full.
 */
class Wire {
  readonly #client: WebSocket;
  readonly #clock: Clock;
  readonly #drained: () => void;
  #cancel: (() => void) | undefined;

  constructor(client: WebSocket, clock: Clock, drained: () => void) {
    this.#client = client;
    this.#clock = clock;
    this.#drained = drained;
  }

  isReady(): boolean {
    const isReady = this.#client.bufferedAmount < FULL_BYTES;
    if (!isReady) this.#cancel ??= this.#clock.after(DRAIN_POLL_MS, () => this.#check());
    return isReady;
  }

  /** Resolves when more may be sent, or when the connection has ended. */
  async untilReady(): Promise<void> {
    while (this.#client.readyState === this.#client.OPEN && this.#client.bufferedAmount >= FULL_BYTES)
      await this.#clock.sleep(DRAIN_POLL_MS);
  }

  close(): void {
    this.#cancel?.();
  }

  #check(): void {
    this.#cancel = undefined;
    if (this.isReady()) this.#drained();
  }
}

/**
 * Returns a function that calls `then` once everything that was sent has reached the other end. The answer to a ping
 * that follows the messages, or to a later ping, shows that.
 */
function arrivals(client: WebSocket): (then: () => void) => void {
  const waiting: (() => void)[] = [];
  let arrived = 0;
  client.on("pong", (data) => {
    const upTo = Number(data.toString());
    for (; arrived < upTo && waiting.length > 0; arrived++) waiting.shift()?.();
  });
  return (then) => {
    waiting.push(then);
    client.ping(String(arrived + waiting.length));
  };
}

/**
 * Returns a function that handles messages one after the other, at most 100 a second, which is more than any agent
 * means to send. The rest waits on the wire.
 */
function paced(client: WebSocket, clock: Clock, work: (text: string) => Promise<void>): (text: string) => void {
  let last = Promise.resolve();
  let from = clock.monotonic();
  let count = 0;
  let waiting = 0;
  let waitingChars = 0;
  const isFull = (share: number) => waiting >= MAX_RATE * share || waitingChars >= MAX_WAITING_CHARS * share;
  return (text) => {
    waiting += 1;
    waitingChars += text.length;
    if (isFull(1) && !client.isPaused) client.pause();
    last = last.then(async () => {
      if (clock.monotonic() - from >= 1_000) [from, count] = [clock.monotonic(), 0];
      if (++count > MAX_RATE) await clock.sleep(Math.max(0, from + 1_000 - clock.monotonic()));
      const began = clock.monotonic();
      if (client.readyState === client.OPEN) await work(text);
      const tookMs = clock.monotonic() - began;
      if (tookMs >= COSTLY_MS) await clock.sleep(tookMs * PAUSE_FACTOR);
      waiting -= 1;
      waitingChars -= text.length;
      if (client.isPaused && !isFull(0.5)) client.resume();
    });
  };
}

function refuse(socket: Duplex, status: string): void {
  socket.once("finish", () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
