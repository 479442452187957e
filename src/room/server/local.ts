import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { PortUnusable } from "../../home/errors.ts";
import { createRoomApp, type RoomAppOptions } from "./app.ts";
import type { GuardOptions } from "./guard.ts";

export interface LocalRooms {
  /** The origin of the rooms' addresses. */
  origin: string;
  close(): Promise<void>;
}

/** What answers a request for a WebSocket. */
export interface Upgradable {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Rooms on this machine: on loopback only, at a port of their own. @throws PortUnusable */
export async function listenForRooms(
  options: Omit<RoomAppOptions, "hosts" | "origins" | "base">,
  wantedPort: number,
  sockets?: (own: GuardOptions) => Upgradable,
): Promise<LocalRooms> {
  const { createAdaptorServer } = await import("@hono/node-server");
  let port = wantedPort;
  const hosts = () => [`127.0.0.1:${port}`, `localhost:${port}`];
  const own = { hosts, origins: () => hosts().map((host) => `http://${host}`) };
  const app = createRoomApp({ ...options, base: "", ...own });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  const upgradable = sockets?.(own);
  if (upgradable) server.on("upgrade", (request, socket, head) => upgradable.upgrade(request, socket, head));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new PortUnusable({ port: wantedPort, reason: error.code ?? "unknown" }, { cause: error })),
    );
    server.listen(wantedPort, "127.0.0.1", resolve);
  });
  port = (server.address() as AddressInfo).port;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        upgradable?.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
