import type { buildConnector, Pool } from "undici";
import { decoded } from "./body.ts";
import { decompressed } from "./decompressed.ts";
import { BadPort, TunnelClosed, whileConnecting } from "./failure.ts";
import type { Upgrade } from "./feed/socket.ts";
import { GatheredAnswer } from "./gathered-answer.ts";
import type { Reply, Request } from "./wire.ts";

export interface PoolOptions {
  /** 5,000; with a proxy, of the connection to the proxy. */
  connectTimeoutMs?: number;
  /** The values of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; nothing is read from the environment here. */
  proxy?: { httpProxy?: string | undefined; httpsProxy?: string | undefined; noProxy?: string | undefined };
}

/** One keep-alive pool of undici's, with the proxies that were handed in. */
export async function loadPool({ connectTimeoutMs = 5_000, proxy = {} }: PoolOptions) {
  const { default: undici } = await import("undici");
  const { default: constants } = await import("undici/lib/web/fetch/constants.js");
  const connect = { timeout: connectTimeoutMs };
  const factory = (origin: string | URL, options: Pool.Options) =>
    new undici.Pool(origin, withTunnelErrors(options)).on("connectionError", (_origin, _targets, error) =>
      whileConnecting(error),
    );
  const { httpProxy = "", httpsProxy = "", noProxy = "" } = proxy;
  const dispatcher =
    httpProxy === "" && httpsProxy === ""
      ? new undici.Agent({ connect, factory })
      : new undici.EnvHttpProxyAgent({
          connect,
          proxyTls: connect,
          factory,
          // Plain http is forwarded, not tunnelled: many proxies allow CONNECT to port 443 only.
          proxyTunnel: false,
          // Empty and not absent: an absent value would be read from the environment.
          httpProxy: proxyUrl(httpProxy),
          httpsProxy: proxyUrl(httpsProxy),
          noProxy,
        });
  return {
    async send({ url, method, headers, body, ...bounds }: Request): Promise<Reply> {
      const { origin, port, pathname, search } = url;
      if (constants.badPortsSet.has(port)) throw new BadPort();
      const answer = new GatheredAnswer(bounds);
      dispatcher.dispatch({ origin, path: `${pathname}${search}`, method, headers, body }, answer);
      const head = await answer.head;
      const get = (name: string) => one(head.headers[name]);
      return {
        status: head.status,
        headers: { get },
        text: async () => decoded(await decompressed(await answer.body, get("content-encoding"), bounds.maxBytes)),
        cancel: () => answer.end(new Error("nobody reads it")),
      };
    },
    /** A request whose connection speaks another protocol from then on. Its bound is the signal's. */
    async upgrade(url: URL, headers: Record<string, string>, signal: AbortSignal): ReturnType<Upgrade> {
      const { origin, pathname: path } = url;
      const request = { origin, path, method: "GET", protocol: "websocket", headers, signal };
      return (dispatcher.upgrade as unknown as (o: object) => ReturnType<Upgrade>).call(dispatcher, request);
    },
    close: () => dispatcher.destroy(),
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

/** `proxy:8080` as people write it is http. */
const proxyUrl = (value: string): string => (value === "" || value.includes("://") ? value : `http://${value}`);
