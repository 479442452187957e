import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type WebSocket, WebSocketServer } from "ws";
import type { Store, WireEvent } from "./data.ts";
import type { Engine } from "./engine.ts";

/**
 * The WebSocket feed `/v1/ws/negotiation/{id}`: the whole history on connecting, then each event as it comes.
 * Nothing closes the socket at the end, nothing announces a cancel, and it asks for no token, as recorded.
 */
export class Feed {
  readonly #store: Store;
  readonly #server = new WebSocketServer({ noServer: true });
  readonly #sockets = new Map<string, Set<WebSocket>>();
  readonly #stop: () => void;

  constructor(store: Store, engine: Engine) {
    this.#store = store;
    this.#stop = engine.onEvent((event) => this.#send(event));
  }

  /** Takes over an upgrade request, or refuses it: an unknown id is 403 on the upgrade. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => {});
    const id = /^\/v1\/ws\/negotiation\/([^/?]+)(\?.*)?$/.exec(request.url ?? "")?.[1];
    const negotiation = this.#store.negotiations.get(id ?? "");
    if (negotiation === undefined) {
      // Nobody reads this socket any more, so nobody would notice that the other side has gone.
      socket.once("finish", () => socket.destroy());
      socket.end(
        "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n",
      );
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (client) => this.#connect(negotiation.negotiation_id, client));
  }

  get connections(): number {
    return this.#server.clients.size;
  }

  close(): void {
    this.#stop();
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
  }

  #connect(id: string, client: WebSocket): void {
    const sockets = this.#sockets.get(id) ?? new Set();
    this.#sockets.set(id, sockets.add(client));
    client.on("error", () => {});
    client.on("message", (_data, isBinary) => {
      // Text is ignored; a binary frame breaks the connection's handler, without a closing frame.
      if (isBinary) client.terminate();
    });
    // A trap of the real feed: who leaves takes every other listener of that negotiation along. They stay
    // connected and hear nothing more.
    client.on("close", () => this.#sockets.delete(id));
    for (const event of this.#store.negotiations.get(id)?.events ?? []) client.send(JSON.stringify(event));
  }

  #send(event: WireEvent): void {
    for (const client of this.#sockets.get(event.negotiation_id) ?? []) client.send(JSON.stringify(event));
  }
}
