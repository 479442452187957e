import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Outcome } from "./exchange.ts";
import type { Feed } from "./feed.ts";

export interface Listening {
  url: string;
  port: number;
  close: () => Promise<void>;
}

/**
 * Puts the mock on a loopback port. Written on `node:http` itself because dropped connections and bodies cut in
 * half need the socket. Throws when the port is taken.
 */
export async function listen(
  port: number,
  handle: (request: Request) => Promise<Outcome>,
  feed: Feed,
  prefix = "",
): Promise<Listening> {
  /** Takes the prefix away; false where it is missing. */
  const isInside = (incoming: IncomingMessage): boolean => {
    const { url = "" } = incoming;
    if (!url.startsWith(`${prefix}/`)) return false;
    incoming.url = url.slice(prefix.length);
    return true;
  };
  const server = createServer((incoming, outgoing) => {
    if (!isInside(incoming)) return void outgoing.writeHead(404).end();
    serve(incoming, outgoing, handle).catch(() => incoming.socket.destroy());
  });
  // As uvicorn: a client that keeps the connection longer finds it closed.
  server.keepAliveTimeout = 5_000;
  server.on("upgrade", (request, socket, head) =>
    isInside(request) ? feed.upgrade(request, socket, head) : socket.destroy(),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${actual}${prefix}`,
    port: actual,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  handle: (request: Request) => Promise<Outcome>,
): Promise<void> {
  const socket: Socket = incoming.socket;
  const outcome = await handle(await toRequest(incoming));
  if (outcome.kind === "drop") {
    socket.destroy();
    return;
  }
  const { status, headers } = outcome.response;
  const body = Buffer.from(await outcome.response.arrayBuffer());
  outgoing.writeHead(status, { ...Object.fromEntries(headers), "content-length": body.length });
  if (outcome.kind === "cut") {
    outgoing.write(body.subarray(0, outcome.at ?? body.length >> 1), () => socket.destroy());
    return;
  }
  // A 500 closes the connection without having announced it.
  outgoing.end(body, () => outcome.close && socket.end());
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    if (value !== undefined) headers.set(name, String(value));
  const { method = "GET" } = incoming;
  const hasBody = chunks.length > 0 && method !== "GET" && method !== "HEAD";
  return new Request(`http://${headers.get("host") ?? "127.0.0.1"}${incoming.url}`, {
    method,
    headers,
    ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
  });
}
