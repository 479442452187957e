import type { buildConnector, Dispatcher, Pool } from "undici";
import { decoded } from "./body.ts";
import { decompressed } from "./decompressed.ts";
import { BadPort, TunnelClosed, whileConnecting } from "./failure.ts";
import type { Upgrade } from "./feed/socket.ts";
import { GatheredAnswer } from "./gathered-answer.ts";
import { type ProxyOnTheWay, type ProxyVariables, proxyFor } from "./proxy.ts";
import { throughSocks } from "./socks.ts";
import type { Reply, Request } from "./wire.ts";

export interface PoolOptions {
  /** 5,000; with a proxy, of the connection to the proxy. */
  connectTimeoutMs?: number;
  proxy?: ProxyVariables;
}

/** Keep-alive pools of undici's: one for what goes straight, and one for each proxy. */
export async function loadPool({ connectTimeoutMs = 5_000, proxy: variables = {} }: PoolOptions) {
  const { default: undici } = await import("undici");
  const { default: constants } = await import("undici/lib/web/fetch/constants.js");
  const connect = { timeout: connectTimeoutMs };
  const factory = (origin: string | URL, options: Pool.Options) =>
    new undici.Pool(origin, withTunnelErrors(options)).on("connectionError", (_origin, _targets, error) =>
      whileConnecting(error),
    );
  const straight = new undici.Agent({ connect, factory });
  const proxies = new Map<string, Promise<Dispatcher>>();

  /** @throws ProxyInvalid */
  async function wayTo(url: URL): Promise<Dispatcher> {
    const proxy = proxyFor(url, variables);
    if (proxy === undefined) return straight;
    const known = proxies.get(proxy.variable) ?? dispatcherOf(proxy);
    proxies.set(proxy.variable, known);
    return known;
  }

  async function dispatcherOf({ kind, url }: ProxyOnTheWay): Promise<Dispatcher> {
    if (kind === "socks") {
      const tunnel = await throughSocks(url, undici.buildConnector(connect), connectTimeoutMs);
      return new undici.Agent({ connect: tunnel, factory });
    }
    // Plain http is forwarded, not tunnelled: many proxies allow CONNECT to port 443 only.
    return new undici.ProxyAgent({ uri: url.href, connect, proxyTls: connect, factory, proxyTunnel: false });
  }

  return {
    async send({ url, method, headers, body, ...bounds }: Request): Promise<Reply> {
      const { origin, port, pathname, search } = url;
      if (constants.badPortsSet.has(port)) throw new BadPort();
      const dispatcher = await wayTo(url);
      const answer = new GatheredAnswer(bounds);
      dispatcher.dispatch({ origin, path: `${pathname}${search}`, method, headers, body }, answer);
      const head = await answer.head;
      const get = (name: string) => one(head.headers[name]);
      const plain = async (body: readonly Buffer[]) =>
        decoded(await decompressed(body, get("content-encoding"), bounds.maxBytes));
      return {
        status: head.status,
        headers: { get },
        text: async () => plain(await answer.body),
        received: () => plain(answer.received),
        cancel: () => answer.end(new Error("nobody reads it")),
      };
    },
    /** A request whose connection speaks another protocol from then on. Its bound is the signal's. */
    async upgrade(url: URL, headers: Record<string, string>, signal: AbortSignal): ReturnType<Upgrade> {
      const { origin, pathname: path } = url;
      const dispatcher = await wayTo(url);
      const request = { origin, path, method: "GET", protocol: "websocket", headers, signal };
      return (dispatcher.upgrade as unknown as (o: object) => ReturnType<Upgrade>).call(dispatcher, request);
    },
    async close() {
      const opened = await Promise.all(proxies.values());
      await Promise.all([straight, ...opened].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/**
 * The same, where a tunnel that does not open ends the requests that wait for it. Its error can say that the socket of a
 * request broke, after which undici connects again at once, for as long as a request waits.
 */
function withTunnelErrors(options: Pool.Options): Pool.Options {
  const { connect } = options;
  if (typeof connect !== "function") return options;
  const connectOrFail: buildConnector.connector = (target, done) =>
    connect(target, (...[error, socket]) => {
      if (error === null) done(null, socket);
      else done(isOfSocket(error) ? new TunnelClosed("the proxy opened no tunnel", { cause: error }) : error, null);
    });
  return { ...options, connect: connectOrFail };
}

const isOfSocket = (error: Error): boolean => "code" in error && error.code === "UND_ERR_SOCKET";

/** Of a header that came twice, all of it, as fetch reads it. */
const one = (value: string | string[] | undefined): string | null =>
  Array.isArray(value) ? value.join(", ") : (value ?? null);
