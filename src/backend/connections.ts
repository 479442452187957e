import type { ClientRequest, IncomingMessage } from "node:http";
import { systemClock } from "../clock.ts";
import { BAD_PORTS } from "./bad-ports.ts";
import { decompressed } from "./decompressed.ts";
import { BadPort, ConnectTimeout, NotUpgraded, ProxyUnreachable, whileConnecting } from "./failure.ts";
import type { Upgrade } from "./feed/socket.ts";
import type { ProxyOptions } from "./proxies.ts";
import { directRoutes } from "./routes.ts";
import type { Reply, Request } from "./wire.ts";

export interface ConnectionOptions {
  /** 5,000; with a proxy, for the way through it too. */
  connectTimeoutMs?: number;
  proxy?: ProxyOptions;
}

type Fail = (reason: unknown) => void;

/** Node's own client, on connections that are kept, with the proxies that were handed in. */
export async function openConnections({ connectTimeoutMs = 5_000, proxy = {} }: ConnectionOptions) {
  const direct = directRoutes();
  const hasProxy = [proxy.httpProxy ?? "", proxy.httpsProxy ?? ""].some((value) => value !== "");
  const routes = hasProxy ? (await import("./proxies.ts")).proxiedRoutes(proxy, direct) : direct;

  /** Sends a request as soon as there is a connection, and gives what `hear` resolves with. */
  async function ask<T>(
    { url, method, headers, body, signal }: Request,
    hear: (request: ClientRequest, resolve: (heard: T) => void, fail: Fail) => void,
  ): Promise<T> {
    if (BAD_PORTS.has(Number(url.port))) throw new BadPort();
    const { request: make, agent, options, isProxy = false } = await routes.to(url);
    signal.throwIfAborted();
    const request = make({ ...options, agent, method, headers: { ...options.headers, ...headers } });
    return new Promise((resolve, fail) => {
      hear(request, resolve, fail);
      const isSecure = options.protocol === "https:"; // the proxy's, where the proxy is asked
      connect(request, { isSecure, isProxy, connectTimeoutMs, signal }, fail, () => {
        request.end(body ?? undefined);
      });
    });
  }

  return {
    async send(request: Request): Promise<Reply> {
      const answer = await ask<IncomingMessage>(request, (sent, resolve) => sent.once("response", resolve));
      const get = (name: string) => one(answer.headers[name]);
      const codings = get("content-encoding");
      return {
        status: answer.statusCode!,
        headers: { get },
        body: codings === null ? answer : await decompressed(answer, codings),
        cancel: () => void answer.destroy(),
      };
    },
    /** A request whose connection speaks another protocol from then on. Its bound is the signal's. */
    async upgrade(url: URL, headers: Record<string, string>, signal: AbortSignal): ReturnType<Upgrade> {
      const asking = { ...headers, Connection: "Upgrade", Upgrade: "websocket" };
      return ask({ url, method: "GET", headers: asking, body: null, signal }, (request, resolve, fail) => {
        request.once("upgrade", (answer, socket, begun) => {
          socket.setTimeout(0);
          if (begun.length > 0) socket.unshift(begun);
          resolve({ socket, headers: answer.headers });
        });
        request.once("response", (answer) => {
          answer.destroy();
          fail(new NotUpgraded());
        });
      });
    },
    close: () => routes.close(),
  };
}

interface Way {
  isSecure: boolean;
  /** Whether what is connected to is a proxy. */
  isProxy: boolean;
  connectTimeoutMs: number;
  signal: AbortSignal;
}

/**
 * Calls `connected` when there is a connection, on which nothing has been sent of this request. Ends a request that gets
 * none in time, that fails, or whose caller leaves; `fail` hears why.
 */
function connect(
  request: ClientRequest,
  { isSecure, isProxy, connectTimeoutMs, signal }: Way,
  fail: Fail,
  connected: () => void,
): void {
  let isConnected = false;
  // A request that has no socket yet does not say that it was destroyed.
  const end = (reason: unknown) => {
    fail(reason);
    request.destroy();
  };
  const notConnected = (error: Error) => (isProxy ? new ProxyUnreachable(error) : whileConnecting(error));
  const cancelTimer = systemClock.after(connectTimeoutMs, () => end(notConnected(new ConnectTimeout())));
  const goOn = () => {
    isConnected = true;
    cancelTimer();
    connected();
  };
  signal.addEventListener("abort", () => end(signal.reason), { once: true });
  request
    .on("socket", (socket) => {
      if (request.reusedSocket) goOn();
      else socket.once(isSecure ? "secureConnect" : "connect", goOn);
    })
    .on("error", (error) => {
      cancelTimer();
      fail(isConnected ? error : notConnected(error));
    });
}

/** Of a header that came twice, all of it, as fetch reads it. */
const one = (value: string | string[] | undefined): string | null =>
  Array.isArray(value) ? value.join(", ") : (value ?? null);
