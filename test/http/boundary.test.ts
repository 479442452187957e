import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HTTP_ERRORS, type HttpErrorCode } from "../../src/mcp/http/http-error.ts";
import {
  type Endpoint,
  initialize,
  modernRequest,
  openSession,
  type RawAnswer,
  send,
  startEndpoint,
  toolCall,
} from "../support/endpoint.ts";
import { ACCESS } from "./boundary/access.ts";
import { REQUEST } from "./boundary/request.ts";
import { as, bearer, homeKeys, ORIGIN, PING, PUBLIC, type Row, sessions, tokens } from "./boundary/row.ts";
import { SESSION } from "./boundary/session.ts";

/** `local`: as it starts by itself. `open`: with a public address. `tight`: with the smallest limits. */
const endpoints = {} as Record<"local" | "open" | "tight", Endpoint>;

beforeAll(async () => {
  const [local, open, tight] = await Promise.all([
    startEndpoint({ args: ["--allowed-origins", ORIGIN, "--rate", "100000"] }),
    startEndpoint({ args: ["--public-url", PUBLIC] }),
    startEndpoint({
      args: [..."--metrics on --rate 20 --at-once 1 --max-sessions 2 --session-idle 1 --receive-timeout 1".split(" ")],
      mock: { stepMs: 300 },
    }),
  ]);
  Object.assign(endpoints, { local, open, tight });
  tokens.a = await local.token();
  tokens.b = await local.token();
  Object.assign(homeKeys, { local: local.homeKey(), tight: tight.homeKey() });
  sessions.a = await openSession(local.port, as("a"));
  sessions.ended = await openSession(local.port, as("a"));
  await send(local.port, { method: "DELETE", headers: { ...as("a"), "Mcp-Session-Id": sessions.ended } });
});
afterAll(() => Promise.all(Object.values(endpoints).map((endpoint) => endpoint.close())));

function expectRefusal(answer: RawAnswer, status: number, code: HttpErrorCode, id?: string | number | null) {
  expect({ status: answer.status, code: answer.json?.error?.data?.code }, answer.text).toEqual({
    status,
    code: `http.${code}`,
  });
  expect(answer.json).toMatchObject({
    jsonrpc: "2.0",
    error: { code: expect.any(Number), message: expect.any(String) },
  });
  expect(answer.headers["content-type"]).toMatch(/^application\/json/);
  expect(answer.text).not.toMatch(/\n +at |node_modules|\/src\//);
  if (id !== undefined) expect(answer.json.id).toBe(id);
}

/** What the endpoint answers to what it should not get, and to what looks like it. */
describe("the boundary", () => {
  /** As this machine's person, unless the row says who. */
  const byThePerson = (row: Row): Row => ({
    ...row,
    request() {
      const { headers, ...request } = row.request();
      return { ...request, headers: { ...bearer(homeKeys.local), ...headers } };
    },
  });
  it.each([...ACCESS, ...[...REQUEST, ...SESSION].map(byThePerson)])(
    "$name: $status $code",
    async ({ at = "local", request, status, code, id, headers = {} }) => {
      const answer = await send(endpoints[at].port, request());
      if (code === undefined) {
        expect(answer.status, answer.text).toBe(status);
        expect(answer.json?.error).toBeUndefined();
      } else expectRefusal(answer, status, code, id);
      for (const [name, value] of Object.entries(headers))
        expect(answer.headers[name]).toEqual(expect.stringMatching(value));
    },
  );
});

/** One socket that says what it is told; gives all that came until the other side closed. */
async function onSocket(port: number, talk: (socket: Socket) => Promise<void> | void): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  socket.on("error", () => {});
  const closed = new Promise((resolve) => socket.once("close", resolve));
  await talk(socket);
  await closed;
  return heard;
}

describe("who takes their time", () => {
  const dribble = (head: string) =>
    onSocket(endpoints.tight.port, (socket) => {
      socket.write(head);
      const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write("x")), 100);
    });
  it.each([
    ["headers byte by byte", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Slow: "],
    [
      "a body byte by byte",
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
    ],
  ])("%s: refused in time, and the socket is closed", async (_, head) => {
    const heard = await dribble(head);
    expect(heard).toMatch(/^HTTP\/1\.1 408 /);
    expect(JSON.parse(heard.split("\r\n\r\n")[1] ?? "")).toMatchObject({ error: { data: { code: "http.too_slow" } } });
  });

  it.each([
    ["what is no HTTP", "HELO towow\r\n\r\n"],
    ["a request without Host", "POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"],
    ["a request with an empty Host", "GET /mcp HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n"],
    ["two lengths", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n"],
  ])("%s is refused in JSON as well", async (_, text) => {
    const heard = await onSocket(endpoints.tight.port, (socket) => void socket.write(text));
    expect(heard).toMatch(/^HTTP\/1\.1 400 /);
    expect(heard).toContain("http.malformed_request");
  });

  it("a call that exceeds its time: 504 in the 2026 era, an error as the stream's last word in the 2025 era", async () => {
    const { local } = endpoints;
    local.mock.faults.add({ route: "get", kind: "delay", delayMs: 2_000, times: 2 });
    const args = { name: "towow_status", arguments: { negotiation_id: "neg_unknown" } };
    const timeout = { ...as("a"), "X-Request-Timeout-Ms": "1000" };
    const { headers, body = "" } = modernRequest("tools/call", args);
    const [modern, legacy] = await Promise.all([
      send(local.port, { headers: { ...timeout, ...headers }, body }),
      send(local.port, {
        headers: { ...timeout, "Mcp-Session-Id": sessions.a },
        body: toolCall(args.name, args.arguments, 7),
      }),
    ]);
    expectRefusal(modern, 504, "timed_out", 1);
    expect(legacy.status).toBe(200);
    expect(legacy.json).toMatchObject({ id: 7, error: { data: { code: "http.timed_out" } } });
  });
});

describe("limits", () => {
  const asFresh = async () => ({ Authorization: `Bearer ${await endpoints.tight.token()}` });

  it("a second call at once: 429, while another user is served", async () => {
    const { mock, port } = endpoints.tight;
    const headers = await asFresh();
    mock.faults.add({ route: "get", kind: "delay", delayMs: 700 });
    const first = send(port, { headers, body: toolCall("towow_status", { negotiation_id: "n" }) });
    const tooMany = async () => {
      const answer = await send(port, { headers, body: PING });
      return answer.status === 429 ? answer : undefined;
    };
    await expect.poll(tooMany, { interval: 20 }).toBeDefined();
    const refused = await tooMany();
    if (refused !== undefined) expectRefusal(refused, 429, "too_many_at_once", 1);
    expect((await send(port, { headers: await asFresh(), body: PING })).status).toBe(200);
    expect((await first).status).toBe(200);
    expect((await send(port, { headers, body: PING })).status).toBe(200);
  });

  it("too many requests: 429 with the time to wait, while another user is served", async () => {
    const { port } = endpoints.tight;
    const headers = await asFresh();
    let refused: RawAnswer | undefined;
    for (let i = 0; i < 45 && refused === undefined; i++) {
      const answer = await send(port, { headers, body: PING });
      if (answer.status !== 200) refused = answer;
    }
    expectRefusal(refused as RawAnswer, 429, "rate_limited");
    expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
    expect((await send(port, { headers: await asFresh(), body: PING })).status).toBe(200);
  });

  it("a session that was idle too long is gone, and makes room for others", async () => {
    const { tight } = endpoints;
    const headers = { Authorization: `Bearer ${await tight.token()}` };
    const [first] = [await openSession(tight.port, headers), await openSession(tight.port, headers)];
    const full = await send(tight.port, { headers, body: initialize() });
    expectRefusal(full, 503, "too_many_sessions");
    expect(Number(full.headers["retry-after"])).toBeGreaterThan(0);
    await expect
      .poll(async () => (await send(tight.port, { headers, body: initialize() })).status, {
        timeout: 4_000,
        interval: 500,
      })
      .toBe(200);
    expectRefusal(
      await send(tight.port, { headers: { ...headers, "Mcp-Session-Id": first }, body: PING }),
      404,
      "session_not_found",
    );
  });
});

it("the log is lines of JSON, whatever was sent", () => {
  for (const endpoint of Object.values(endpoints)) expect(endpoint.strayLines()).toEqual([]);
});

it("every refusal is met by a test", () => {
  const folder = new URL(".", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const tests = files.map((name) => readFileSync(new URL(name, folder), "utf8"));
  const met = (code: string) => tests.some((text) => new RegExp(`"(http\\.)?${code}"`).test(text));
  // A defect of ours has no front door.
  expect(Object.keys(HTTP_ERRORS).filter((code) => code !== "internal" && !met(code))).toEqual([]);
});
