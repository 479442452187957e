import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { textsOf } from "../text/index.ts";
import { type ApprovalSite, PageBook, type SiteDeps } from "./site.ts";

/**
 * On this machine (agent layer §3): loopback only, one random address per question. The server starts with the first
 * question and ends with the process; nothing listens before.
 */
export function createLocalSite(deps: SiteDeps): ApprovalSite & { close(): Promise<void> } {
  const book = new PageBook(deps);
  let listening: Promise<{ server: Server; port: number }> | undefined;

  async function listen() {
    const [{ createAdaptorServer }, { createApprovalApp }] = await Promise.all([
      import("@hono/node-server"),
      import("./app.ts"),
    ]);
    let port = 0;
    const hosts = () => [`127.0.0.1:${port}`, `localhost:${port}`];
    const app = createApprovalApp({
      find: (token) => book.find(token),
      base: "/approve",
      hosts,
      origins: () => hosts().map((host) => `http://${host}`),
      newId: deps.newId,
      fallback: textsOf("en"),
    });
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    server.unref(); // a page nobody answers does not keep the process
    port = (server.address() as AddressInfo).port;
    return { server, port };
  }

  return {
    async addressOf(about, lang, make) {
      listening ??= listen();
      const { port } = await listening;
      return `http://127.0.0.1:${port}/approve/${book.put(about, lang, make)}`;
    },
    forget: (token) => book.forget(token),
    async close() {
      const running = await listening?.catch(() => undefined);
      running?.server.closeAllConnections();
      running?.server.close();
    },
  };
}
