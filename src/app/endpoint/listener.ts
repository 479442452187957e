import { createServer, type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { Failure } from "../../errors.ts";
import { errorBody, errorResponse, HTTP_ERRORS, HttpError, type HttpErrorCode } from "../../mcp/http/http-error.ts";

export interface ListenerOptions {
  fetch: Parameters<typeof getRequestListener>[0];
  /** Answers requests for a WebSocket. Without it, none are accepted. */
  sockets?: { upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void } | undefined;
  host: string;
  port: number;
  /**
   * A request must arrive whole within this time, in milliseconds, and its headers within a third of it. A slower
   * request is treated as an attack (slow loris).
   */
  receiveMs: number;
  /** A client that reads nothing of its answer is disconnected after this time, in milliseconds. */
  unreadMs: number;
}

export interface Listener {
  port: number;
  /** Takes no more connections. Open connections go on. */
  refuse(): void;
  /** Takes no more connections, and waits until the open ones are done or `ms` milliseconds are over. */
  close(ms: number): Promise<void>;
}

/** How often late requests are looked for, in milliseconds. */
const CONNECTIONS_CHECK_MS = 1_000;

/** Maps errors of Node's HTTP parser, which refuses a request before our code sees it, to our own error codes. */
const PARSER_REFUSALS: Readonly<Record<string, HttpErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "too_slow",
  HPE_HEADER_OVERFLOW: "headers_too_large",
};

/** Opens the endpoint's socket. @throws `tool.config.unavailable.port` if it cannot listen there */
export async function listen({ fetch, sockets, host, port, receiveMs, unreadMs }: ListenerOptions): Promise<Listener> {
  const errorHandler = (error: unknown) =>
    errorResponse(new HttpError((error as Error).name === "RequestError" ? "malformed_request" : "internal"));
  const server = createServer(
    {
      headersTimeout: Math.ceil(receiveMs / 3),
      requestTimeout: receiveMs,
      connectionsCheckingInterval: Math.min(CONNECTIONS_CHECK_MS, Math.ceil(receiveMs / 3)),
      requireHostHeader: false, // Our own checks refuse a request without a Host header, with a JSON body.
      // A request that offers another protocol is answered as usual. Node before 24.9 refuses it instead.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === "websocket",
    },
    getRequestListener(fetch, { errorHandler }),
  );
  if (sockets !== undefined)
    server.on("upgrade", (request, socket: Duplex, head: Buffer) => sockets.upgrade(request, socket, head));
  // Node would refuse an unknown expectation without a body and before our checks. RFC 9110 §10.1.1 allows us to ignore
  // it.
  server.on("checkExpectation", (...exchange) => server.emit("request", ...exchange));
  const answering = new WeakMap<Socket, ServerResponse>();
  server.on("request", ({ socket }, response) => {
    answering.set(socket, response);
    response.once("close", () => answering.delete(socket));
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === "ECONNRESET" || !socket.writable || answering.get(socket)?.headersSent) socket.destroy();
    else socket.end(rawRefusal(PARSER_REFUSALS[error.code ?? ""] ?? "malformed_request"));
  });
  // A connection is also silent while its call waits for an answer. So only clients that are idle or do not read are
  // disconnected.
  server.setTimeout(unreadMs, (socket: Socket) => {
    if (!answering.has(socket) || socket.writableLength > 0) socket.destroy();
  });
  const address = await start(server, host, port);
  return { port: address.port, refuse: () => void server.close(), close: (ms) => stop(server, ms) };
}

function start(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new Failure("tool.config.unavailable.port", {
          port,
          listener: "serve",
          reason: error.code ?? "unknown",
        }),
      ),
    );
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

async function stop(server: Server, ms: number): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeIdleConnections();
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, ms))]);
  server.closeAllConnections();
}

function rawRefusal(code: HttpErrorCode): string {
  const [status] = HTTP_ERRORS[code];
  const body = errorBody(code);
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    "Connection: close",
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}
