import type { buildConnector } from "undici";
import { systemClock } from "../clock.ts";
import { NotSocks, TunnelClosed } from "./failure.ts";

/**
 * Opens connections through a SOCKS5 proxy, which looks names up itself: undici's own way to one speaks TLS to it
 * where a time limit is set, and calls itself an experiment on stderr.
 */
export async function throughSocks(
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
