import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PortUnusable } from "../../home/errors.ts";
import { createRoomApp, type RoomAppOptions } from "./app.ts";

export interface LocalRooms {
  /** The origin of the rooms' addresses. */
  origin: string;
  close(): Promise<void>;
}

/** Rooms on this machine: on loopback only, at a port of their own. @throws PortUnusable */
export async function listenForRooms(
  options: Omit<RoomAppOptions, "hosts" | "origins" | "base">,
  wantedPort: number,
): Promise<LocalRooms> {
  const { createAdaptorServer } = await import("@hono/node-server");
  let port = wantedPort;
  const hosts = () => [`127.0.0.1:${port}`, `localhost:${port}`];
  const app = createRoomApp({ ...options, base: "", hosts, origins: () => hosts().map((host) => `http://${host}`) });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
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
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
