import type { Readable } from "node:stream";
import type { buildConnector, Dispatcher, Pool } from "undici";
import { systemClock } from "../clock.ts";
import { relativePathIn } from "../node-variables.ts";
import { RelativePath } from "./errors.ts";
import { NotSocks, TunnelClosed, whileConnecting } from "./failure.ts";
import type { Upgrade } from "./feed/socket.ts";
import { type ProxyOnTheWay, type ProxyVariables, proxyFor, proxyVariablesOf } from "./proxy.ts";

export interface ConnectionOptions {
  /**
   * The time limit for connecting, in milliseconds, 5,000 by default. With a proxy it is for the connection to the
   * proxy.
   */
  connectTimeoutMs?: number;
  proxy?: ProxyVariables;
  /** The name on the certificate that an https server must show, if requests name the server's address instead. */
  servername?: string;
  /** The file that Node would read from the working folder. If there is one, nothing is sent. */
  relativePath?: ReturnType<typeof relativePathIn>;
}

/** Returns the settings of an environment that decide how connections are made, or whether they may be made. */
export const connectionsIn = (env: Readonly<Record<string, string | undefined>>) => ({
  proxy: proxyVariablesOf(env),
  relativePath: relativePathIn(env),
});

/**
 * Options that are set on each connection, because Node would otherwise take them from NODE_TLS_REJECT_UNAUTHORIZED.
 */
const CHECKED = { rejectUnauthorized: true };

export interface Connections {
  /**
   * Returns the dispatcher that carries one request to an address, for `fetch`. `onSent` is called just before the first byte
   * goes out. Until then a write has certainly not happened.
   * @throws ProxyInvalid, RelativePath
   */
  to(url: URL, onSent: () => void): Promise<Pick<Dispatcher, "dispatch">>;
  /** Sends a request whose connection then speaks another protocol. Only the signal limits its time. */
  upgrade: Upgrade;
  /**
   * Sends one GET, which follows no redirect. `via` decides on the proxy if `url` names an address in place of the
   * host.
   */
  get(url: URL, options: { via: URL; headers: Record<string, string>; signal: AbortSignal }): Promise<Got>;
  close(): Promise<void>;
}

/** The answer to a GET. A body that is not read to its end must be destroyed. */
export interface Got {
  statusCode: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
}

/** Opens undici's keep-alive connections, in one pool for direct requests and one for each proxy. */
export async function loadConnections(options: ConnectionOptions): Promise<Connections> {
  const { connectTimeoutMs = 5_000, proxy: variables = {}, servername, relativePath } = options;
  const { default: undici } = await import("undici"); // In a chunk, a CommonJS package has no other name than `default`.
  const asked = { ...CHECKED, ...(servername !== undefined && { servername }) };
  const connect = { timeout: connectTimeoutMs, ...CHECKED };
  const factory = (origin: string | URL, options: Pool.Options) =>
    new undici.Pool(origin, withTunnelErrors(options)).on("connectionError", (_origin, _targets, error) =>
      whileConnecting(error),
    );
  const straight = new undici.Agent({ connect: { ...connect, ...asked }, factory });
  const proxies = new Map<string, Promise<Dispatcher>>();

  async function wayTo(url: URL): Promise<Dispatcher> {
    if (relativePath !== undefined) throw new RelativePath(relativePath);
    const proxy = proxyFor(url, variables);
    if (proxy === undefined) return straight;
    const known = proxies.get(proxy.variable) ?? dispatcherOf(proxy);
    proxies.set(proxy.variable, known);
    return known;
  }

  async function dispatcherOf({ kind, url }: ProxyOnTheWay): Promise<Dispatcher> {
    if (kind === "socks") {
      const tunnel = await throughSocks(url, undici.buildConnector({ ...connect, ...asked }), connectTimeoutMs);
      return new undici.Agent({ connect: tunnel, factory });
    }
    // Plain http is forwarded rather than tunnelled, because many proxies allow CONNECT to port 443 only.
    return new undici.ProxyAgent({
      uri: url.href,
      connect,
      proxyTls: connect,
      requestTls: asked,
      factory,
      proxyTunnel: false,
    });
  }

  return {
    async to(url, onSent) {
      const way = await wayTo(url);
      return { dispatch: (request, handler) => way.dispatch(request, noting(onSent, handler)) };
    },
    async upgrade(url, headers, signal) {
      const { origin, pathname: path } = url;
      const way = await wayTo(url);
      const request = { origin, path, method: "GET", protocol: "websocket", headers, signal };
      // The types of `upgrade` leave out what every request of undici has: origin and method.
      return (way.upgrade as unknown as (o: object) => ReturnType<Upgrade>).call(way, request);
    },
    async get(url, { via, ...options }) {
      return undici.request(url, { ...options, dispatcher: await wayTo(via) });
    },
    async close() {
      const opened = await Promise.all(proxies.values());
      await Promise.all([straight, ...opened].map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/**
 * Returns fetch's handler, which is made for this request alone, extended so that `onSent` is called when the request
 * goes out. The method is extended under the name that undici calls.
 */
function noting<T extends object>(onSent: () => void, handler: T): T {
  const name = "onRequestStart" in handler ? "onRequestStart" : "onConnect";
  const begin = Reflect.get(handler, name) as (...heard: unknown[]) => unknown;
  const begun = (...heard: unknown[]) => {
    onSent();
    return begin.apply(handler, heard);
  };
  return Object.assign(handler, { [name]: begun });
}

/**
 * Returns pool options with which a tunnel that does not open ends the requests that wait for it. The tunnel's error
 * may say that the socket of a request broke, and undici would then reconnect at once for as long as a request waits.
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

/**
 * Opens connections through a SOCKS5 proxy, which looks names up itself. undici's own support for such a proxy speaks TLS to
 * the proxy if a time limit is set, and prints on stderr that it is experimental.
 */
async function throughSocks(
  proxy: URL,
  connect: buildConnector.connector,
  timeoutMs: number,
): Promise<buildConnector.connector> {
  const { default: undici } = await import("undici/lib/core/socks5-client.js");
  const { hostname, port, username, password } = proxy;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const account = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  return (target, done) =>
    connect({ hostname: host, host, protocol: "http:", port: port || "1080" }, (...[error, socket]) => {
      if (error !== null) return done(error, null);
      const socks = new undici.Socks5Client(socket, account);
      let isOver = false;
      const end = () => {
        if (isOver) return false;
        isOver = true;
        cancelTimer();
        socket.off("error", socks.onSocketError).off("close", socks.onSocketClose);
        return true;
      };
      const fail = (cause?: Error) => {
        if (!end()) return;
        socket.on("error", () => {}).destroy();
        const isOther = cause !== undefined && "code" in cause && cause.code === "UND_ERR_SOCKS5_VERSION";
        done(isOther ? new NotSocks() : new TunnelClosed("the proxy opened no tunnel", { cause }), null);
      };
      // The real clock is used, as for every connection.
      const cancelTimer = systemClock.after(timeoutMs, () => fail());
      socks.once("error", fail).once("close", () => fail());
      socks.once("authenticated", () =>
        socks.connect(target.hostname, Number(target.port || (target.protocol === "https:" ? 443 : 80))),
      );
      socks.once("connected", () => {
        if (!end()) return;
        if (target.protocol === "https:") connect({ ...target, httpSocket: socket }, done);
        else done(null, socket);
      });
      socks.handshake();
    });
}
