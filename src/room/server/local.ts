import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { refuseForeign } from "../../ask/page/guard.ts";
import { Failure } from "../../errors.ts";
import { isLoopbackHost } from "../../home/origin.ts";
import { textsOf } from "../../text/index.ts";
import type { Doors } from "./doors.ts";
import { closedPage } from "./message-page.ts";
import { createRoomRoutes, type RoomRoutesDeps } from "./routes.ts";

export interface LocalRoomsDeps extends RoomRoutesDeps {
  doors: Doors;
  /** Fresh unguessable text. */
  newId: () => string;
  lang: () => "zh" | "en";
}

/** As what requests may name this server, and where a page that makes them may come from. */
export interface Own {
  isHost: (host: string) => boolean;
  isOrigin: (origin: string, host: string) => boolean;
}

/** What answers a request for a WebSocket. */
export interface Upgradable {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

export interface LocalRooms {
  origin: string;
  /** Where a browser comes in with a secret. */
  entrance: (secret: string) => string;
  close(): Promise<void>;
}

/**
 * A browser sends cookies to every port of a host, but only below their path: one that nobody guesses keeps them from other
 * programs here, and from those of other users of the machine.
 */
const freshBase = (newId: () => string): string => `/room/${newId()}`;
/** Two windows of one browser may be in two rooms. */
const cookieAt = (host: string): string => `towow_room_${host.split(":")[1] ?? ""}`;

/** Rooms on this machine, each for those who came in by its address. */
function createLocalApp(base: string, { doors, lang, ...deps }: LocalRoomsDeps): Hono {
  const app = new Hono();
  const serve = createRoomRoutes(deps);
  const guard = {
    isHost: isLoopbackHost,
    originOf: (host: string) => `http://${host}`,
  };
  app.use((c, next) => refuseForeign(c, next, guard, textsOf(lang())));

  const roomOf = (c: Context) => doors.roomOf(getCookie(c, cookieAt(c.req.header("host") ?? "")));

  app.get(`${base}/enter/:secret`, (c) => {
    // A browser that is in a room already, and loads its first address again, is where it was.
    if (roomOf(c) !== undefined && !doors.isOpen(c.req.param("secret"))) return c.redirect(base, 303);
    const visit = doors.enter(c.req.param("secret"));
    if (visit === undefined) return c.html(closedPage(lang()), 403);
    const name = cookieAt(c.req.header("host") ?? "");
    setCookie(c, name, visit, { httpOnly: true, sameSite: "Strict", path: base });
    return c.redirect(base, 303);
  });

  const visit = (c: Context) => {
    const room = roomOf(c);
    const isUnnamed = c.req.method !== "GET" && c.req.header("origin") === undefined;
    if (room === undefined || isUnnamed) return c.html(closedPage(lang()), 403);
    const mayStay = async () => roomOf(c) === room;
    return serve(c.req.raw, { room, base, browser: "own_window", mayStay });
  };
  app.all(base, visit);
  app.all(`${base}/*`, visit);
  app.notFound((c) => c.html(closedPage(lang()), 403));
  return app;
}

/** Listens on loopback only, at a port of its own. @throws `tool.config.unavailable.port` */
export async function listenForRooms(
  deps: LocalRoomsDeps,
  wantedPort: number,
  sockets?: (own: Own) => Upgradable,
): Promise<LocalRooms> {
  const { createAdaptorServer } = await import("@hono/node-server");
  let port = wantedPort;
  const hosts = () => [`127.0.0.1:${port}`, `localhost:${port}`];
  const base = freshBase(deps.newId);
  const server = createAdaptorServer({ fetch: createLocalApp(base, deps).fetch }) as Server;
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
          { port: wantedPort, listener: "towow-mcp open", reason: error.code ?? "unknown" },
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
    entrance: (secret) => `${origin}${base}/enter/${secret}`,
    close: () =>
      new Promise((resolve) => {
        upgradable?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
