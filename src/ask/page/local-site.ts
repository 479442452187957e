import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { isLoopbackHost } from "../../home/origin.ts";
import type { Platform } from "../../platform.ts";
import { boundedWindows, type Opening } from "./open-page.ts";
import { type ApprovalSite, PageBook } from "./site.ts";

export interface LocalSite extends ApprovalSite {
  /** Opens the page behind one of our addresses in the person's browser. */
  open(address: string): Promise<Opening>;
  close(): Promise<void>;
}

/**
 * Serves the pages on this machine (agent layer §3), on loopback only, with random addresses for each question. The
 * server starts with the first question and ends with the process. A client passes an address to the browser in a
 * program's arguments, which every user of the machine can read. Such an address therefore only makes `openWindow` open
 * another, secret address of the page in this person's browser. If no window can be opened, as on a machine without a
 * desktop, `admit` in `visitor.ts` decides what the address proves.
 */
export function createLocalSite(
  platform: Platform,
  { textsOf, ...deps }: Pick<ApprovalSite, "textsOf"> & { openWindow: (url: string) => Promise<boolean> },
): LocalSite {
  const openWindow = boundedWindows(deps.openWindow, platform.clock);
  const book = new PageBook(platform);
  let listening: Promise<{ server: Server; port: number }> | undefined;

  async function listen() {
    const [{ createAdaptorServer }, { createApprovalApp }] = await Promise.all([
      import("@hono/node-server"),
      import("./app.ts"),
    ]);
    let port = 0;
    const app = createApprovalApp({
      book,
      openWindow: (path) => openWindow(pageAt(port, path)),
      base: BASE,
      // A browser sends cookies to every port of a host, and other programs on this machine should not get this one.
      cookiePath: BASE,
      isSecure: false,
      // Any port is allowed, because a tunnel's port is the person's choice, and a loopback name cannot be rebound.
      isHost: isLoopbackHost,
      originOf: (host) => `http://${host}`,
      textsOf,
    });
    const server = createAdaptorServer({ fetch: app.fetch }) as Server;
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(0, "127.0.0.1", resolve);
    });
    server.unref(); // A page that nobody answers does not keep the process alive.
    port = (server.address() as AddressInfo).port;
    return { server, port };
  }

  return {
    textsOf,
    async addressesOf(about, page) {
      listening ??= listen().catch((error) => {
        listening = undefined;
        throw error;
      });
      const { port } = await listening;
      const { client, result } = book.put(about, page);
      return { forClient: pageAt(port, client), forResult: pageAt(port, result) };
    },
    async open(address) {
      const { port, pathname } = new URL(address);
      const found = book.find(pathname.slice(`${BASE}/`.length));
      return found === undefined ? "failed" : openWindow(pageAt(Number(port), found.paths.window));
    },
    async close() {
      book.close();
      const running = await listening?.catch(() => undefined);
      running?.server.closeAllConnections();
      running?.server.close();
    },
  };
}

const BASE = "/approve";
const pageAt = (port: number, path: string): string => `http://127.0.0.1:${port}${BASE}/${path}`;
