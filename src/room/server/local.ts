import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type Context, Hono } from "hono";
import { refuseForeign } from "../../ask/page/foreign-requests.ts";
import { pageContextOf } from "../../ask/page/frame.ts";
import { setVisitCookie, textsIn, VISIT_MS, Visits, visitCookie } from "../../ask/page/visitor.ts";
import { Failure } from "../../errors.ts";
import { isLoopbackHost } from "../../home/origin.ts";
import { textsOf } from "../../text/index.ts";
import type { Room } from "../room.ts";
import { closedPage } from "./message-page.ts";
import { createRoomRoutes, type RoomRoutesDeps } from "./routes.ts";

export interface LocalRoomDeps extends RoomRoutesDeps {
  room: Room;
  lang: () => "zh" | "en";
}

/** Decides which hosts and origins in a request count as this server's own. */
export interface Own {
  isHost: (host: string) => boolean;
  isOrigin: (origin: string, host: string) => boolean;
}

/** Answers requests for a WebSocket. */
export interface Upgradable {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

export interface LocalRoomSite {
  origin: string;
  /** Returns an address that opens the room once, in one browser. */
  entrance: () => string;
  close(): Promise<void>;
}

/** How long an address that nobody has opened stays valid, in ms. */
const ENTRANCE_MS = 10 * 60_000;

/** An entrance by which one browser may come in. */
interface Entrance {
  until: number;
}

/** The entrances, by the secret in their address. */
type Entrances = Map<string, Entrance>;

/**
 * Makes a path that nobody can guess. A browser sends a host's cookies to every port, but only below their path, so the
 * path keeps them from other programs on this machine, including those of other users.
 */
const freshBase = (newId: () => string): string => `/room/${newId()}`;

/** Serves the room on this machine to browsers that came in by one of its entrances. */
function createLocalApp(base: string, entrances: Entrances, { platform, room, files, lang }: LocalRoomDeps): Hono {
  const app = new Hono();
  const { clock } = platform;
  const visits = new Visits<Entrance>(platform);
  const serve = createRoomRoutes({ platform, files });
  const hosts = {
    isHost: isLoopbackHost,
    originOf: (host: string) => `http://${host}`,
  };
  app.use((c, next) => refuseForeign(c, next, hosts, textsOf(lang())));

  const closed = (c: Context) => c.html(closedPage(pageContextOf(c, textsIn(c, textsOf(lang()), textsOf))), 403);
  const visitOf = (c: Context) => visits.of(visitCookie(c));
  const keep = (c: Context, cookie: string) =>
    setVisitCookie(c, cookie, { path: base, isSecure: false, keptMs: VISIT_MS });

  app.get(`${base}/enter/:secret`, (c) => {
    const entrance = entrances.get(c.req.param("secret"));
    // A browser that is already in the room and loads its first address again stays where it was.
    if (entrance === undefined || entrance.until <= clock.monotonic() || visits.isOpened(entrance))
      return visitOf(c) === undefined ? closed(c) : c.redirect(base, 303);
    keep(c, visits.open(entrance, "own_window"));
    return c.redirect(base, 303);
  });

  const visit = async (c: Context) => {
    const cookie = visitCookie(c);
    const here = visits.of(cookie);
    const isUnnamed = c.req.method !== "GET" && c.req.header("origin") === undefined;
    if (cookie === undefined || here === undefined || isUnnamed) return closed(c);
    const mayStay = async () => visitOf(c) !== undefined;
    const response = await serve(c.req.raw, { room, base, browser: here.proof, mayStay });
    keep(c, cookie); // Each visit extends the cookie's life.
    return c.newResponse(response.body, response);
  };
  app.all(base, visit);
  app.all(`${base}/*`, visit);
  app.notFound(closed);
  return app;
}

/** Listens on loopback only. @throws Failure `tool.config.unavailable.port` */
export async function listenForRoom(
  deps: LocalRoomDeps,
  wantedPort: number,
  sockets?: (own: Own) => Upgradable,
): Promise<LocalRoomSite> {
  const { createAdaptorServer } = await import("@hono/node-server");
  let port = wantedPort;
  const hosts = () => [`127.0.0.1:${port}`, `localhost:${port}`];
  const { clock, newId } = deps.platform;
  const base = freshBase(newId);
  const entrances: Entrances = new Map();
  const server = createAdaptorServer({ fetch: createLocalApp(base, entrances, deps).fetch }) as Server;
  const upgradable = sockets?.({
    isHost: (host) => hosts().includes(host),
    isOrigin: (origin, host) => hosts().includes(host) && origin === `http://${host}`,
  });
  if (upgradable) server.on("upgrade", (request, socket, head) => upgradable.upgrade(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(
        new Failure(
          "tool.config.unavailable.port",
          { port: wantedPort, listener: "open", reason: error.code ?? "unknown" },
          { cause: error },
        ),
      ),
    );
    server.listen(wantedPort, "127.0.0.1", resolve);
  });
  port = (server.address() as AddressInfo).port;
  const origin = `http://127.0.0.1:${port}`;
  return {
    origin,
    entrance() {
      const secret = newId() + newId();
      entrances.set(secret, { until: clock.monotonic() + ENTRANCE_MS });
      return `${origin}${base}/enter/${secret}`;
    },
    close: () =>
      new Promise((resolve) => {
        upgradable?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
