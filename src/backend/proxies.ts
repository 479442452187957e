import type { ClientRequest } from "node:http";
import { type RequestOptions, Agent as SecureAgent } from "node:https";
import { isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import { ConnectTimeout, ProxyRefused, ProxyUnreachable } from "./failure.ts";
import { isSecure, KEEP_ALIVE, type Route, type Routes } from "./routes.ts";

export interface ProxyOptions {
  /** The values of HTTP_PROXY, HTTPS_PROXY and NO_PROXY; nothing is read from the environment here. */
  httpProxy?: string | undefined;
  httpsProxy?: string | undefined;
  noProxy?: string | undefined;
}

type SecureConnection = RequestOptions & { socket?: Duplex };

/** How long a proxy may say nothing. */
const TUNNEL_MS = 5_000;

interface Proxy {
  url: URL;
  /** What it asks for: its password. */
  headers: Record<string, string>;
}

/**
 * By way of the proxies that were handed in, as curl and others read these values. Node's own agent can do this from
 * 22.21 on; this program runs on earlier ones too. @throws TypeError or URIError for a proxy that is no address
 */
export function proxiedRoutes({ httpProxy, httpsProxy, noProxy = "" }: ProxyOptions, direct: Routes): Routes {
  const http = proxyOf(httpProxy);
  const https = proxyOf(httpsProxy) ?? http;
  let tunnels: TunnelAgent | undefined;
  const isLeftOut = leftOut(noProxy);
  return {
    async to(url) {
      const proxy = isSecure(url) ? https : http;
      const straight = await direct.to(url);
      if (proxy === undefined || isLeftOut(url)) return straight;
      const toProxy = await direct.to(proxy.url);
      if (!isSecure(url)) return forwarded(url, proxy, toProxy);
      tunnels ??= new TunnelAgent(toProxy, proxy);
      return { ...straight, agent: tunnels };
    },
    close() {
      tunnels?.destroy();
      direct.close();
    },
  };
}

/** Plain http is forwarded, not tunnelled: many proxies allow CONNECT to port 443 only. */
function forwarded({ origin, pathname, search, host }: URL, { headers }: Proxy, toProxy: Route): Route {
  const options = { ...toProxy.options, path: `${origin}${pathname}${search}`, headers: { ...headers, Host: host } };
  return { ...toProxy, options, isProxy: true };
}

/** Asks the proxy for a way through, and speaks TLS with the backend on it. */
class TunnelAgent extends SecureAgent {
  readonly #toProxy: Route;
  readonly #headers: Record<string, string>;

  constructor(toProxy: Route, { headers }: Proxy) {
    super(KEEP_ALIVE);
    this.#toProxy = toProxy;
    this.#headers = headers;
  }

  override createConnection(
    options: SecureConnection,
    done: (error: Error | null, socket?: Duplex) => void,
  ): undefined {
    const { request, options: address } = this.#toProxy;
    const host = options.host ?? "localhost";
    const path = `${isIPv6(host) ? `[${host}]` : host}:${options.port}`;
    const headers = { ...this.#headers, Host: path };
    request({ ...address, method: "CONNECT", path, headers, agent: false })
      .setTimeout(TUNNEL_MS, function (this: ClientRequest) {
        this.destroy(new ConnectTimeout());
      })
      .once("error", (error) => done(new ProxyUnreachable(error)))
      .once("connect", ({ statusCode }, socket) => {
        socket.setTimeout(0);
        if (statusCode === 200) return done(null, super.createConnection({ ...options, socket } as SecureConnection)!);
        socket.destroy();
        done(new ProxyRefused());
      })
      .end();
  }
}

/** `proxy:8080` as people write it is http. */
function proxyOf(value = ""): Proxy | undefined {
  if (value === "") return undefined;
  const url = new URL(value.includes("://") ? value : `http://${value}`);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw new TypeError("not an HTTP proxy");
  const login = [url.username, url.password].map(decodeURIComponent).join(":");
  return {
    url,
    headers: login === ":" ? {} : { "Proxy-Authorization": `Basic ${Buffer.from(login).toString("base64")}` },
  };
}

/** For whom the list in NO_PROXY says that they are reached straight: names with those below them, `name:port`, or `*`. */
export function leftOut(list: string): (url: URL) => boolean {
  const entries = list.split(/[,\s]+/).filter((entry) => entry !== "");
  const known = entries.map((entry) => {
    const [, name = "", port] = /^(.+?)(?::(\d+))?$/.exec(entry) ?? [];
    return { name: name.replace(/^\*?\./, "").toLowerCase(), port };
  });
  return (url) => {
    const port = url.port === "" ? (isSecure(url) ? "443" : "80") : url.port;
    const isHere = (name: string) => url.hostname === name || url.hostname.endsWith(`.${name}`);
    return known.some((one) => (one.name === "*" || isHere(one.name)) && (one.port ?? port) === port);
  };
}
