import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { onTestFinished } from "vitest";
import { type Auth, type BackendClient, createBackendClient } from "../../src/backend/client.ts";
import { createHttp, type Http, type HttpOptions } from "../../src/backend/http.ts";
import type { Clock } from "../../src/clock.ts";
import { TowowError } from "../../src/errors.ts";
import type { Platform } from "../../src/platform.ts";
import { platformWith } from "../support/platform.ts";

/** A clock whose sleep is over at once; it notes each pause and moves on by it. */
export class ImmediateClock implements Clock {
  readonly pauses: number[] = [];
  time = Date.parse("2026-11-21T00:00:00Z");

  now = () => this.time;
  monotonic = () => this.time;
  after = () => () => {};
  sleep = async (ms: number, signal?: AbortSignal) => {
    signal?.throwIfAborted();
    this.pauses.push(ms);
    this.time += ms;
  };
}

export const noAuth: Auth = { bearer: async () => undefined, renew: async () => undefined };

type Options = Partial<HttpOptions & Platform>;

export function http(options: Options = {}): Http {
  const version = "0.0.0-test";
  const made = createHttp(platformWith(new ImmediateClock(), options), { version, ...options });
  onTestFinished(() => made.close());
  return made;
}

export function client(baseUrl: string, options: Options = {}, auth: Auth = noAuth): BackendClient {
  return createBackendClient({ baseUrl, auth, http: http(options) });
}

export interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

export interface TestServer {
  url: string;
  port: number;
  /** Every request that arrived whole, in order. */
  seen: Seen[];
  /** Connections that were opened. */
  connections: number;
  sockets: Set<Socket>;
}

/** A real server on an ephemeral loopback port; `answer` gets the request's number, from 0. */
export async function serve(
  answer: (response: ServerResponse, seen: Seen, number: number) => void | Promise<void>,
): Promise<TestServer> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const seen = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
    await answer(response, seen, test.seen.push(seen) - 1);
  });
  const test: TestServer = { url: "", port: 0, seen: [], connections: 0, sockets: new Set() };
  server.on("connection", (socket) => {
    test.connections += 1;
    test.sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  test.port = (server.address() as AddressInfo).port;
  test.url = `http://127.0.0.1:${test.port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    for (const socket of test.sockets) socket.destroy();
    server.close();
  });
  return test;
}

export function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

export const negotiation = { negotiation_id: "neg_1", state: "created", demand_raw: "x" };
export const demand = { scene_id: "scene_1", user_id: "u", intent: "x" };

/** What a call failed with, as one comparable value. */
export async function failure(work: Promise<unknown>): Promise<TowowError> {
  const error = await work.then(
    (value) => new Error(`succeeded with ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof TowowError) return error;
  throw error;
}
