import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { PortUnusable } from "../config/errors.ts";
import { createHttpApp } from "../mcp/http/app.ts";
import { checkToolNames } from "../tools/index.ts";
import { createEndpoint } from "./serve-endpoint.ts";
import { readServeOptions, type ServeArguments } from "./serve-options.ts";

/** A client must have sent its headers, and then its whole request, within these times (slow loris). */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** How long readiness is off before new requests are refused, so that a load balancer notices. */
const LEAVING_MS = 2_000;
const LOOK_MS = 100;

/** `towow-mcp serve`: one endpoint for many users, until it is stopped. */
export async function serve(args: ServeArguments): Promise<void> {
  const options = readServeOptions(args);
  const endpoint = await createEndpoint(args, options);
  checkToolNames(endpoint.settings());
  let phase: "serving" | "leaving" | "closed" = "serving";
  const app = createHttpApp({ ...endpoint.app, phase: () => phase });
  const server = createAdaptorServer({ fetch: app.fetch }) as Server;
  server.headersTimeout = HEADERS_TIMEOUT_MS;
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  const { port } = await listen(server, options.host, options.port);
  const { log } = endpoint;
  process.stdout.write(`towow-mcp serves http://${bracketed(options.host)}:${port}/mcp\n`);
  log.info("serving", { port, replica: options.replica });

  const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  let ending = false;
  const end = async (why: string) => {
    if (ending) return;
    ending = true;
    log.info("draining", { why });
    phase = "leaving";
    const giveUpAt = Date.now() + options.drainMs;
    await sleep(Math.min(LEAVING_MS, options.drainMs));
    phase = "closed";
    server.close(); // a refused connection sends a load balancer to another replica, before anything was sent
    while (endpoint.running() > 0 && Date.now() < giveUpAt) await sleep(LOOK_MS);
    await endpoint.close().catch((error) => log.error("drain_failed", { error: String(error) }));
    server.closeAllConnections();
    log.info("drained", {});
    process.exit(0);
  };
  process.on("SIGTERM", () => void end("SIGTERM"));
  process.on("SIGINT", () => void end("SIGINT"));
}

function listen(server: Server, host: string, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new PortUnusable({ port, reason: error.code ?? "unknown" })),
    );
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

const bracketed = (host: string): string => (host.includes(":") ? `[${host}]` : host);
