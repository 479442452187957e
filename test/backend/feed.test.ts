import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { expect, it, onTestFinished } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import type { FeedEvent } from "../../src/backend/feed/events.ts";
import { createOpenFeed } from "../../src/backend/feed/open-feed.ts";
import { World } from "../mock-backend/world.ts";
import { untilHolds } from "../support/soon.ts";
import { http, noAuth } from "./support.ts";

/** The feed over real sockets: the mock's, and those of servers that do as they like. */

/** Listens to one negotiation's feed at this address. */
function listenAt(url: string, { bearer, openTimeoutMs = 5_000 }: { bearer?: string; openTimeoutMs?: number } = {}) {
  const auth = { ...noAuth, bearer: async () => bearer };
  const open = createOpenFeed({ baseUrl: url, auth, http: http(), openTimeoutMs });
  return async (id = "neg_1") => {
    const heard: FeedEvent[] = [];
    let closed = 0;
    const listener = { event: (event: FeedEvent) => void heard.push(event), closed: () => void closed++ };
    const end = await open(id, listener, new AbortController().signal);
    return { heard, end, closed: () => closed };
  };
}

/** A server that answers upgrade requests as a test has it. */
async function upgrading(onUpgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void) {
  const open = new Set<Duplex>();
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on("upgrade", (request, socket, head) => {
    open.add(socket);
    socket.on("error", () => {});
    socket.on("end", () => socket.destroy()); // such a socket may stay half open
    socket.on("close", () => open.delete(socket));
    onUpgrade(request, socket, head);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, open };
}

async function speaking(speak: (client: WebSocket) => void) {
  const wss = new WebSocketServer({ noServer: true });
  return upgrading((request, socket, head) =>
    wss.handleUpgrade(request, socket, head, (client) => {
      client.on("error", () => {});
      speak(client);
    }),
  );
}

it("hears a whole run of the mock, and the history of one that is over", async () => {
  const world = new World();
  onTestFinished(() => world.mock.close());
  const { url } = await world.mock.listen();
  const id = await world.negotiationAt("formulated", await world.peopledScene());
  const whole = ["formulation.ready", "resonance.activated", "barrier.complete", "center.tool_call", "plan.ready"];
  const live = await listenAt(url)(id);
  await untilHolds(() => expect(live.heard).toHaveLength(1));
  await world.confirm(id);
  await world.reach(id, "completed");
  await untilHolds(() => expect(live.heard.map(({ type }) => type)).toEqual(whole));
  expect(live.closed()).toBe(0);
  const replayed = await listenAt(`${url}/`)(id);
  await untilHolds(() => expect(replayed.heard).toEqual(live.heard));
  live.end();
  replayed.end();
  await untilHolds(() => expect(world.mock.feedConnections()).toBe(0));
  expect(live.closed()).toBe(1);
  await expect(listenAt(url)("neg_none")).rejects.toThrow();
});

it("a side that floods is cut off at once, also one that ignores that it is", async () => {
  for (const size of [100, 300_000, 2_000_000]) {
    const text = JSON.stringify({ event_type: "x", negotiation_id: "neg_1", pad: "y".repeat(size) });
    const { url, open } = await speaking((client) => {
      const flood = () => {
        if (client.readyState !== client.OPEN) return;
        for (let i = 0; i < 20; i++) client.send(text);
        setImmediate(flood);
      };
      flood();
    });
    const { closed } = await listenAt(url)();
    await untilHolds(() => expect([open.size, closed()], `${size}`).toEqual([0, 1]));
  }
});

it("one frame that never ends is cut off as well", async () => {
  const { url, open } = await speaking((client) => {
    const fragment = () => {
      if (client.readyState !== client.OPEN) return;
      for (let i = 0; i < 50; i++) client.send("x", { fin: false });
      setImmediate(fragment);
    };
    fragment();
  });
  const { closed } = await listenAt(url)();
  await untilHolds(() => expect([open.size, closed()]).toEqual([0, 1]));
});

it("an upgrade that is never answered is given up, and holds nothing open", async () => {
  const { url, open } = await upgrading((_request, socket) => void socket.resume());
  await expect(listenAt(url, { openTimeoutMs: 50 })()).rejects.toThrow();
  await untilHolds(() => expect(open.size).toBe(0));
});

it("what is no event costs nothing but itself; a ping is answered", async () => {
  const good = {
    event_type: "barrier.complete",
    negotiation_id: "neg_1",
    event_id: "evt_1",
    data: { total_participants: 1, offers_received: 0, exited_count: 1 },
  };
  let pongs = 0;
  const { url } = await speaking((client) => {
    client.on("pong", () => void pongs++);
    for (const frame of [
      "{",
      randomBytes(100),
      "[".repeat(50_000),
      JSON.stringify({ ...good, negotiation_id: "neg_2" }),
    ])
      client.send(frame);
    client.ping();
    client.send(JSON.stringify(good));
  });
  const { heard } = await listenAt(url)();
  await untilHolds(() => expect([heard.length, pongs]).toEqual([1, 1]));
  expect(heard[0]).toMatchObject({ type: "barrier.complete", id: "evt_1" });
});

it("a server that only says that it switched is no feed", async () => {
  const { url, open } = await upgrading((_request, socket) =>
    socket
      .resume()
      .write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\nnonsense"),
  );
  await expect(listenAt(url)()).rejects.toThrow();
  await untilHolds(() => expect(open.size).toBe(0));
});

it("the token goes along to the backend's own address, and no redirect is followed", async () => {
  const seen: (string | undefined)[] = [];
  const elsewhere = await upgrading((request) => void seen.push(`elsewhere ${request.headers.authorization}`));
  const { url } = await upgrading((request, socket) => {
    seen.push(request.headers.authorization);
    socket.end(`HTTP/1.1 307 Moved\r\nLocation: ${elsewhere.url}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  });
  await expect(listenAt(url, { bearer: "tok_1" })()).rejects.toThrow();
  expect(seen).toEqual(["Bearer tok_1"]);
});

it("a token that is no header value takes no place among the sockets", async () => {
  const { url } = await speaking(() => {});
  const made = http();
  const address = new URL(`${url}/v1/ws/negotiation/neg_1`);
  const listener = { frame() {}, closed() {} };
  const listen = (bearer: string) =>
    made.listen(address, { bearer, requestId: "r" }, listener, new AbortController().signal);
  for (let n = 0; n < 200; n += 1)
    await expect(listen("tökén")).rejects.toMatchObject({ code: "tool.auth.unauthorized.token_rejected" });
  (await listen("good-token"))();
});
