import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { Relay } from "../../src/relay/relay.ts";
import { RelaySocket } from "../../src/relay/socket.ts";
import { platformWith } from "./platform.ts";
import type { openRoom } from "./room.ts";
import type { Process, World } from "./world.ts";

export interface Frame {
  v: string;
  type: string;
  replyTo?: string;
  // biome-ignore lint/suspicious/noExplicitAny: payloads of many types
  payload: any;
}

export const TOKEN = "token-of-the-room";

/** A room's relay behind a real server, and what it wrote down. */
export async function openRelay(
  world: World,
  { room }: Awaited<ReturnType<typeof openRoom>>,
  { deps }: Pick<Process, "deps">,
  isStudy = false,
) {
  const { clock } = world;
  const lines: string[] = [];
  let ids = 0;
  const relay = new Relay({
    platform: platformWith(clock, { newId: () => `id${++ids}` }),
    room,
    taints: () => deps.session.taint.mark(undefined),
    isStudy,
    openLog: (id) => ({ name: `logs/study/${id}.jsonl`, append: (line) => void lines.push(line) }),
  });
  const server = createServer();
  let port = 0;
  const hosts = () => [`127.0.0.1:${port}`];
  const log = {
    debug() {},
    info() {},
    warn() {},
    error: (event: string, fields?: object) => failures.push([event, fields]),
  };
  const failures: unknown[] = [];
  const sockets = new RelaySocket({
    platform: platformWith(clock, { log }),
    isHost: (host) => hosts().includes(host),
    isOrigin: (origin, host) => origin === `http://${host}`,
    relayFor: (token) =>
      token === undefined || token === TOKEN ? { relay, hasToken: token !== undefined } : undefined,
  });
  server.on("upgrade", (request, socket, head) => sockets.upgrade(request, socket, head));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
  onTestFinished(() => {
    sockets.close();
    server.close();
    expect(failures).toEqual([]);
  });
  return {
    relay,
    /** What went to the log as an error; a test takes out what it expects. */
    failures,
    url: (query = `?token=${TOKEN}`) => `ws://127.0.0.1:${port}/agent/ws${query}`,
    /** The log's lines. */
    events: () => lines.map((line) => JSON.parse(line)),
  };
}

/** An outside agent's connection: what it was sent, and what answers a message. */
export async function agentAt(url: string, options: { headers?: Record<string, string> } = {}) {
  const socket = new WebSocket(url, options);
  const frames: Frame[] = [];
  let closed: { code: number; reason: string } | undefined;
  const waiting = new Set<() => void>();
  socket.on("message", (data) => {
    frames.push(JSON.parse(data.toString()));
    for (const look of waiting) look();
  });
  socket.on("close", (code, reason) => {
    closed = { code, reason: reason.toString() };
  });
  onTestFinished(() => socket.terminate());
  await new Promise<void>((resolve, reject) => socket.once("open", resolve).once("error", reject));
  let ids = 0;
  const sees = (what: (frame: Frame) => boolean) =>
    new Promise<Frame>((resolve) => {
      const look = () => {
        const found = frames.find(what);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return {
    socket,
    frames,
    sees,
    closed: () => closed,
    raw: (text: string) => socket.send(text),
    tell: (type: string, payload: object) => socket.send(JSON.stringify({ v: "mvp-0.2", type, payload })),
    async ask(type: string, payload: object): Promise<Frame> {
      const id = `req-${++ids}`;
      socket.send(JSON.stringify({ v: "mvp-0.2", type, id, payload }));
      return sees((frame) => frame.replyTo === id);
    },
  };
}

export type Agent = Awaited<ReturnType<typeof agentAt>>;

/** Joined and started. */
export async function startedAgent(url: string): Promise<Agent & { sessionId: string }> {
  const agent = await agentAt(url);
  expect((await agent.ask("relay.join", { role: "agent", sessionId: "default" })).type).toBe("relay.joined");
  const { payload } = await agent.ask("session.start", { studyId: "pilot-01", participantId: "P07" });
  return { ...agent, sessionId: payload.sessionId };
}
