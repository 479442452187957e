import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:https";
import { type AddressInfo, connect, createServer as createGate } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import tls from "node:tls";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import type { FeedEvent } from "../../src/backend/feed/events.ts";
import { createOpenFeed } from "../../src/backend/feed/open-feed.ts";
import { localCertificate } from "../support/certificate.ts";
import { proxy } from "./proxy.ts";
import { socksProxy } from "./socks-proxy.ts";
import { client, demand, failure, http, negotiation } from "./support.ts";

/** A backend that speaks TLS, with a certificate that only this process trusts. */

const folder = mkdtempSync(join(tmpdir(), "towow-tls-"));
const { key, cert } = localCertificate(folder);
const trusted = tls.getCACertificates("default");

afterAll(() => rmSync(folder, { recursive: true }));

async function secureBackend({ isTrusted = true } = {}) {
  const seen: { url: string; headers: object }[] = [];
  let connections = 0;
  const server = createServer(
    { key: readFileSync(key), cert: readFileSync(cert) },
    ({ url = "", headers }, response) => {
      seen.push({ url, headers });
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(negotiation));
    },
  );
  server.on("secureConnection", () => void connections++);
  const wss = new WebSocketServer({ server });
  const data = { total_participants: 1, offers_received: 1, exited_count: 0 };
  const event = { event_type: "barrier.complete", negotiation_id: "neg_1", event_id: "evt_1", data };
  wss.on("connection", (socket) => socket.send(JSON.stringify(event)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  if (isTrusted) tls.setDefaultCACertificates([...trusted, readFileSync(cert, "utf8")]);
  onTestFinished(() => {
    tls.setDefaultCACertificates(trusted);
    server.closeAllConnections();
    for (const socket of wss.clients) socket.terminate();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `https://localhost:${port}`, port, seen, connections: () => connections };
}

const token = { bearer: async () => "secret", renew: async () => undefined };

test("straight, on connections that are kept", async () => {
  const backend = await secureBackend();
  const api = client(backend.url, {}, token);
  await api.submitDemand(demand);
  for (let read = 0; read < 10; read++) await api.getNegotiation("neg_1");
  expect(backend.seen).toHaveLength(11);
  expect(backend.seen[0]).toMatchObject({ headers: { authorization: "Bearer secret" } });
  expect(backend.connections()).toBeLessThanOrEqual(2);
});

test("a certificate that nobody vouches for: refused here, with nothing sent", async () => {
  const backend = await secureBackend({ isTrusted: false });
  expect(await failure(client(backend.url, {}, token).submitDemand(demand))).toMatchObject({
    code: "tool.backend.blocked.connection",
    params: { reason: "DEPTH_ZERO_SELF_SIGNED_CERT" },
  });
  expect(backend.seen).toEqual([]);
});

test.each(["straight", "in a proxy's tunnel", "through socks"])(
  "NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing of that: %s",
  async (way) => {
    vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
    onTestFinished(() => void vi.unstubAllEnvs());
    const backend = await secureBackend({ isTrusted: false });
    const through =
      way === "straight"
        ? undefined
        : way.includes("socks")
          ? await socksProxy(backend.port)
          : await proxy(backend.port);
    const HTTPS_PROXY = through && ("url" in through ? through.url : `socks5://${through.host}`);
    const error = await failure(client(backend.url, { proxy: { HTTPS_PROXY } }, token).submitDemand(demand));
    expect(error).toMatchObject({ params: { reason: "DEPTH_ZERO_SELF_SIGNED_CERT" } });
    expect(backend.seen).toEqual([]);
  },
);

/** A way to the backend that lets nothing of a handshake through until it is opened; what comes later goes straight on. */
async function heldWay(port: number) {
  const opened = Promise.withResolvers<void>();
  const count = { came: 0, ended: 0 };
  const gate = createGate((socket) => {
    count.came += 1;
    const through = connect(port, "127.0.0.1");
    void opened.promise.then(() => socket.pipe(through).pipe(socket));
    socket.on("error", () => {}).on("close", () => count.ended++);
    through.on("error", () => {});
    onTestFinished(() => void [socket, through].map((one) => one.destroy()));
  });
  await new Promise<void>((resolve) => gate.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void gate.close());
  return { url: `https://localhost:${(gate.address() as AddressInfo).port}`, count, open: opened.resolve };
}

test("a write that is given up while it connects is never sent, and the next one goes its own way", async () => {
  const backend = await secureBackend();
  const { url, count, open } = await heldWay(backend.port);
  const api = client(url, {}, token);
  const gone = new AbortController();
  const write = api.submitDemand(demand, { signal: gone.signal }).catch((error: unknown) => error);
  await expect.poll(() => count.came).toBe(1);
  const reason = new Error("gone");
  gone.abort(reason);
  expect(await write).toBe(reason);
  open();
  await expect.poll(() => count.ended).toBe(1);
  expect(await api.getNegotiation("neg_1")).toMatchObject({ negotiation_id: "neg_1" });
  expect(backend.seen).toMatchObject([{ url: "/v1/api/negotiations/neg_1" }]);
});

test("a write whose time runs out while it connects says that it did not arrive, and does not", async () => {
  const backend = await secureBackend();
  const { url, count, open } = await heldWay(backend.port);
  const api = client(url, {}, token);
  expect(await failure(api.submitDemand(demand, { timeoutMs: 300 }))).toMatchObject({
    code: "tool.backend.unavailable.unreachable",
    params: { reason: "timeout" },
  });
  open();
  await expect.poll(() => count.came > 0 && count.ended === count.came).toBe(true);
  expect(backend.seen).toEqual([]);
});

test("in a proxy's tunnel; the proxy's password is for the proxy, the token for the backend", async () => {
  const backend = await secureBackend();
  const through = await proxy(backend.port);
  const httpsProxy = through.url.replace("http://", "http://me:p%40ss@");
  const api = client(backend.url, { proxy: { HTTPS_PROXY: httpsProxy } }, token);
  await api.submitDemand(demand);
  await api.getNegotiation("neg_1");
  const basic = `Basic ${Buffer.from("me:p@ss").toString("base64")}`;
  expect(new Set(through.tunnels.map(({ target }) => target))).toEqual(new Set([`localhost:${backend.port}`]));
  expect(through.tunnels[0]?.headers).toContain(basic);
  expect(JSON.stringify(through)).not.toContain("secret");
  expect(JSON.stringify(backend.seen)).not.toContain(basic);
  expect(backend.seen).toHaveLength(2);
});

test.each(["straight", "in a proxy's tunnel"])("a feed, %s", async (way) => {
  const backend = await secureBackend();
  const through = await proxy(backend.port);
  const wire = http(way === "straight" ? {} : { proxy: { HTTPS_PROXY: through.url } });
  const heard: FeedEvent[] = [];
  const listener = { event: (event: FeedEvent) => void heard.push(event), closed: () => {} };
  const open = createOpenFeed({ baseUrl: backend.url, auth: token, http: wire, openTimeoutMs: 60_000 });
  const end = await open("neg_1", listener, new AbortController().signal);
  onTestFinished(end);
  await expect.poll(() => heard).toMatchObject([{ type: "barrier.complete" }]);
  expect(through.tunnels).toHaveLength(way === "straight" ? 0 : 1);
});
