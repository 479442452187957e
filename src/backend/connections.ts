import type { Readable } from "node:stream";
import type { buildConnector, Dispatcher, Pool } from "undici";
import { systemClock } from "../clock.ts";
import { relativePathIn } from "../node-variables.ts";
import { RelativePath } from "./errors.ts";
import { NotSocks, TunnelClosed, whileConnecting } from "./failure.ts";
import type { Upgrade } from "./feed/socket.ts";
import { type ProxyOnTheWay, type ProxyVariables, proxyFor, proxyVariablesOf } from "./proxy.ts";

export interface ConnectionOptions {
  /** 5,000; with a proxy, of the connection to the proxy. */
  connectTimeoutMs?: number;
  proxy?: ProxyVariables;
  /** Whose certificate an https server must show, where requests name its address instead. */
  servername?: string;
  /** What Node was told to read from the working folder; nothing is sent then. */
  relativePath?: ReturnType<typeof relativePathIn>;
}

/** Picks from an environment what decides how connections are made, or that none may be made. */
export const connectionsIn = (env: Readonly<Record<string, string | undefined>>) => ({
  proxy: proxyVariablesOf(env),
  relativePath: relativePathIn(env),
});

/** Said of each connection: what is not said, Node takes from NODE_TLS_REJECT_UNAUTHORIZED. */
const CHECKED = { rejectUnauthorized: true };

export interface Connections {
  /**
   * What carries one request to an address, for `fetch`. `onSent` is called just before the first byte of it goes out:
   * until then a write has certainly not happened.
   * @throws ProxyInvalid, RelativePath
   */
  to(url: URL, onSent: () => void): Promise<Pick<Dispatcher, "dispatch">>;
  /** A request whose connection speaks another protocol from then on. Its bound is the signal's. */
  upgrade: Upgrade;
  /** One GET, which follows no redirect. `via` chooses the way where `url` names an address in place of the host. */
  get(url: URL, options: { via: URL; headers: Record<string, string>; signal: AbortSignal }): Promise<Got>;
  close(): Promise<void>;
}

/** What a GET was answered with. A body that is not read to its end has to be destroyed. */
export interface Got {
  statusCode: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
}

/** Keep-alive connections of undici's: one pool for what goes straight, and one for each proxy. */
export async function loadConnections(options: ConnectionOptions): Promise<Connections> {
  const { connectTimeoutMs = 5_000, proxy: variables = {}, servername, relativePath } = options;
  const { default: undici } = await import("undici"); // a CommonJS package in a chunk has no other name
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
    // Plain http is forwarded, not tunnelled: many proxies allow CONNECT to port 443 only.
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
      // Its types leave out what every request of undici has: origin and method.
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

/** fetch's handler, made for this request alone, with word of the moment at which it goes out, by the name that undici calls. */
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

/**
 * Opens connections through a SOCKS5 proxy, which looks names up itself: undici's own way to one speaks TLS to it
 * where a time limit is set, and calls itself an experiment on stderr.
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
      // The real clock, as for every connection.
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
