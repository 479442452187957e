import { readdirSync, readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REFUSALS, type RefusalCode } from "../../src/mcp/http/refusals.ts";
import {
  type Endpoint,
  initialize,
  modernRequest,
  openSession,
  type RawAnswer,
  type RawRequest,
  rpc,
  send,
  startEndpoint,
  toolCall,
} from "../support/endpoint.ts";

const ORIGIN = "https://app.example";
const PUBLIC = "https://towow.example";
const BIG = Buffer.alloc(10 * 1024 * 1024, " ");
const PING = rpc("ping");

/** `local`: as it starts by itself. `open`: with a public address. `tight`: with the smallest limits. */
const endpoints = {} as Record<"local" | "open" | "tight", Endpoint>;
const tokens = { a: "", b: "" };
const sessions = { a: "", ended: "" };

beforeAll(async () => {
  const [local, open, tight] = await Promise.all([
    startEndpoint({ args: ["--allowed-origins", ORIGIN, "--rate", "100000"] }),
    startEndpoint({ args: ["--public-url", PUBLIC] }),
    startEndpoint({
      args: [..."--rate 20 --at-once 1 --max-sessions 2 --session-idle 1 --receive-timeout 1".split(" ")],
      mock: { stepMs: 300 },
    }),
  ]);
  Object.assign(endpoints, { local, open, tight });
  tokens.a = await local.token();
  tokens.b = await local.token();
  sessions.a = await openSession(local.port, as("a"));
  sessions.ended = await openSession(local.port, as("a"));
  await send(local.port, { method: "DELETE", headers: { ...as("a"), "Mcp-Session-Id": sessions.ended } });
});
afterAll(() => Promise.all(Object.values(endpoints).map((endpoint) => endpoint.close())));

const as = (user: "a" | "b") => ({ Authorization: `Bearer ${tokens[user]}` });
const inSession = (id: string, user: "a" | "b" = "a") => ({ ...as(user), "Mcp-Session-Id": id });

interface Row {
  name: string;
  at?: keyof typeof endpoints;
  /** Read when the row runs: tokens and sessions do not exist before. */
  request: () => RawRequest;
  status: number;
  /** The refusal; absent where the request is served. */
  code?: RefusalCode;
  id?: string | number | null;
  headers?: Record<string, string | RegExp>;
}

/** What the endpoint answers to what it should not get, and to what looks like it. */
const TABLE: readonly Row[] = [
  // Host: DNS rebinding
  {
    name: "no Host of ours",
    request: () => ({ headers: { Host: "evil.example" }, body: PING }),
    status: 403,
    code: "host_refused",
    id: null,
  },
  {
    name: "a Host that begins with ours",
    request: () => ({ headers: { Host: "localhost.evil.example" }, body: PING }),
    status: 403,
    code: "host_refused",
  },
  {
    name: "a Host that is none",
    request: () => ({ headers: { Host: "a b/c" }, body: PING }),
    status: 400,
    code: "malformed_request",
  },
  { name: "localhost", request: () => ({ headers: { Host: "localhost:1" }, body: PING }), status: 200 },
  {
    name: "the public name",
    at: "open",
    request: () => ({ headers: { Host: "towow.example" }, body: PING }),
    status: 401,
    code: "unauthorized",
  },
  {
    name: "the metrics by another name",
    request: () => ({ method: "GET", path: "/metrics", headers: { Host: "evil.example" } }),
    status: 403,
    code: "host_refused",
  },
  // Origin
  {
    name: "another Origin",
    request: () => ({ headers: { Origin: "https://evil.example" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "the Origin null",
    request: () => ({ headers: { Origin: "null" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "an Origin that only begins like a loopback one",
    request: () => ({ headers: { Origin: "http://127.0.0.1.evil.example" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "an allowed Origin with another scheme",
    request: () => ({ headers: { Origin: "http://app.example" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "a loopback Origin at a public endpoint",
    at: "open",
    request: () => ({ headers: { Origin: "http://localhost:3000" }, body: PING }),
    status: 403,
    code: "origin_refused",
  },
  {
    name: "a loopback Origin",
    request: () => ({ headers: { Origin: "http://localhost:3000" }, body: PING }),
    status: 200,
    headers: { "access-control-allow-origin": "http://localhost:3000" },
  },
  {
    name: "an allowed Origin",
    request: () => ({ headers: { Origin: ORIGIN }, body: PING }),
    status: 200,
    headers: { "access-control-allow-origin": ORIGIN, "access-control-expose-headers": /Mcp-Session-Id/ },
  },
  {
    name: "a refusal that an allowed page can read",
    request: () => ({ headers: { Origin: ORIGIN }, body: "{" }),
    status: 400,
    code: "not_json",
    headers: { "access-control-allow-origin": ORIGIN },
  },
  {
    name: "the preflight of an allowed Origin",
    request: () => ({
      method: "OPTIONS",
      headers: {
        Origin: ORIGIN,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization,mcp-session-id",
      },
    }),
    status: 204,
    headers: {
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": /POST/,
      "access-control-allow-headers": /authorization/,
    },
  },
  {
    name: "the preflight of another Origin",
    request: () => ({
      method: "OPTIONS",
      headers: { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" },
    }),
    status: 403,
    code: "origin_refused",
  },
  // who calls
  { name: "no token, on loopback", request: () => ({ body: PING }), status: 200 },
  {
    name: "no token, through a proxy",
    request: () => ({ headers: { "X-Forwarded-For": "10.0.0.9" }, body: PING }),
    status: 401,
    code: "unauthorized",
    headers: { "www-authenticate": /^Bearer/ },
  },
  {
    name: "no token, through a proxy that says Forwarded",
    request: () => ({ headers: { Forwarded: "for=10.0.0.9" }, body: PING }),
    status: 401,
    code: "unauthorized",
  },
  {
    name: "no token, at a public endpoint",
    at: "open",
    request: () => ({ body: PING }),
    status: 401,
    code: "unauthorized",
    headers: { "www-authenticate": /^Bearer/ },
  },
  {
    name: "another scheme of authorization",
    request: () => ({ headers: { Authorization: "Basic dTpw" }, body: PING }),
    status: 401,
    code: "unauthorized",
  },
  {
    name: "an empty token",
    request: () => ({ headers: { Authorization: "Bearer " }, body: PING }),
    status: 401,
    code: "unauthorized",
  },
  {
    name: "a token with a blank in it",
    request: () => ({ headers: { Authorization: "Bearer a b" }, body: PING }),
    status: 401,
    code: "unauthorized",
  },
  {
    name: "a user id with a blank in it",
    request: () => ({ headers: { ...as("a"), "X-Towow-User-Id": "a b" }, body: PING }),
    status: 400,
    code: "user_id_invalid",
  },
  {
    name: "a user id of 201 characters",
    request: () => ({ headers: { ...as("a"), "X-Towow-User-Id": "x".repeat(201) }, body: PING }),
    status: 400,
    code: "user_id_invalid",
  },
  {
    name: "a bad user id beside the local identity",
    request: () => ({ headers: { "X-Towow-User-Id": "a b" }, body: PING }),
    status: 400,
    code: "user_id_invalid",
  },
  // what is asked
  {
    name: "PUT",
    request: () => ({ method: "PUT", body: PING }),
    status: 405,
    code: "method_not_allowed",
    headers: { allow: /POST/ },
  },
  { name: "PATCH", request: () => ({ method: "PATCH", body: PING }), status: 405, code: "method_not_allowed" },
  { name: "another path", request: () => ({ path: "/mcp/", body: PING }), status: 404, code: "not_found" },
  { name: "the root", request: () => ({ method: "GET", path: "/" }), status: 404, code: "not_found" },
  {
    name: "a path with a page's name, without pages",
    request: () => ({ method: "GET", path: "/approve/x/y" }),
    status: 404,
    code: "not_found",
  },
  {
    name: "an unknown parameter",
    request: () => ({ path: "/mcp?colour=red", body: PING }),
    status: 400,
    code: "query_invalid",
  },
  {
    name: "a mode that does not exist",
    request: () => ({ path: "/mcp?mode=expert", body: PING }),
    status: 400,
    code: "query_invalid",
  },
  {
    name: "a parameter twice",
    request: () => ({ path: "/mcp?mode=normal&mode=developer", body: PING }),
    status: 400,
    code: "query_invalid",
  },
  {
    name: "a tool that does not exist",
    request: () => ({ path: "/mcp?allow_tools=towow_fly", body: PING }),
    status: 400,
    code: "query_invalid",
  },
  {
    name: "a setting that is not the client's to choose",
    request: () => ({ path: "/mcp?backend_url=http://evil.example", body: PING }),
    status: 400,
    code: "query_invalid",
  },
  // the body
  {
    name: "no Content-Type",
    request: () => ({ headers: { "Content-Type": undefined }, body: PING }),
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "a form",
    request: () => ({ headers: { "Content-Type": "text/plain" }, body: PING }),
    status: 415,
    code: "unsupported_media_type",
  },
  {
    name: "JSON with a charset",
    request: () => ({ headers: { "Content-Type": "application/json; charset=utf-8" }, body: PING }),
    status: 200,
  },
  {
    name: "Accept without event streams",
    request: () => ({ headers: { Accept: "application/json" }, body: PING }),
    status: 406,
    code: "not_acceptable",
  },
  {
    name: "Accept of pages",
    request: () => ({ headers: { Accept: "text/html" }, body: PING }),
    status: 406,
    code: "not_acceptable",
  },
  { name: "no Accept", request: () => ({ headers: { Accept: undefined }, body: PING }), status: 200 },
  { name: "Accept of anything", request: () => ({ headers: { Accept: "*/*" }, body: PING }), status: 200 },
  {
    name: "half a message",
    request: () => ({ body: '{"jsonrpc":"2.0","id":1' }),
    status: 400,
    code: "not_json",
    id: null,
  },
  { name: "an empty body", request: () => ({ body: "" }), status: 400, code: "not_json" },
  { name: "no body", request: () => ({}), status: 400, code: "not_json" },
  {
    name: "bytes that are no UTF-8",
    request: () => ({ body: Buffer.from([0x7b, 0xff, 0xfe, 0x7d]) }),
    status: 400,
    code: "body_unreadable",
  },
  { name: "a batch", request: () => ({ body: `[${PING},${PING}]` }), status: 400, code: "batch" },
  { name: "an empty batch", request: () => ({ body: "[]" }), status: 400, code: "batch" },
  { name: "a number", request: () => ({ body: "7" }), status: 400, code: "not_a_message" },
  { name: "null", request: () => ({ body: "null" }), status: 400, code: "not_a_message" },
  { name: "an object that is no message", request: () => ({ body: "{}" }), status: 400, code: "not_a_message" },
  {
    name: "JSON-RPC 1.0",
    request: () => ({ body: '{"id":1,"method":"ping"}' }),
    status: 400,
    code: "not_a_message",
  },
  {
    name: "100,000 brackets",
    request: () => ({
      body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}}`,
    }),
    status: 400,
    code: "too_deep",
  },
  { name: "10 MB with a length", request: () => ({ body: BIG }), status: 413, code: "body_too_large" },
  { name: "10 MB in chunks", request: () => ({ body: BIG, chunked: true }), status: 413, code: "body_too_large" },
  {
    name: "headers of 20 kB",
    request: () => ({ headers: { "X-Long": "x".repeat(20_000) }, body: PING }),
    status: 431,
    code: "headers_too_large",
  },
  {
    name: "a timeout that is no number",
    request: () => ({ headers: { "X-Request-Timeout-Ms": "soon" }, body: PING }),
    status: 400,
    code: "timeout_header_invalid",
  },
  {
    name: "a timeout below the range",
    request: () => ({ headers: { "X-Request-Timeout-Ms": "999" }, body: PING }),
    status: 400,
    code: "timeout_header_invalid",
  },
  {
    name: "a timeout above the range",
    request: () => ({ headers: { "X-Request-Timeout-Ms": "300001" }, body: PING }),
    status: 400,
    code: "timeout_header_invalid",
  },
  {
    name: "a timeout in the range",
    request: () => ({ headers: { "X-Request-Timeout-Ms": "300000" }, body: PING }),
    status: 200,
  },
  // the revision
  {
    name: "a revision that does not exist, without a session",
    request: () => ({ headers: { "MCP-Protocol-Version": "1999-01-01" }, body: PING }),
    status: 400,
    code: "protocol_version_unsupported",
  },
  {
    name: "a revision that does not exist, in a session",
    request: () => ({ headers: { ...inSession(sessions.a), "MCP-Protocol-Version": "banana" }, body: PING }),
    status: 400,
    code: "protocol_error",
  },
  {
    name: "a revision of the future, in the message",
    request: () => {
      const { headers, body } = modernRequest("tools/list");
      return {
        headers: { ...headers, "MCP-Protocol-Version": "2099-01-01" },
        body: String(body).replaceAll("2026-07-28", "2099-01-01"),
      };
    },
    status: 400,
    code: "protocol_version_unsupported",
    id: 1,
  },
  {
    name: "a header that contradicts the message",
    request: () => {
      const { headers, body = "" } = modernRequest("tools/list");
      return { headers: { ...headers, "Mcp-Method": "tools/call" }, body };
    },
    status: 400,
    code: "protocol_error",
    id: 1,
  },
  {
    name: "the 2026 era by its header alone",
    request: () => ({ headers: { "MCP-Protocol-Version": "2026-07-28" }, body: PING }),
    status: 400,
    code: "protocol_error",
  },
  // sessions
  {
    name: "GET without a session",
    request: () => ({ method: "GET", headers: { ...as("a"), Accept: "text/event-stream" } }),
    status: 400,
    code: "session_required",
  },
  {
    name: "DELETE without a session",
    request: () => ({ method: "DELETE", headers: as("a") }),
    status: 400,
    code: "session_required",
  },
  {
    name: "a session that never was",
    request: () => ({ headers: inSession("nowhere.1234"), body: PING }),
    status: 404,
    code: "session_not_found",
    id: 1,
  },
  {
    name: "a session that was ended",
    request: () => ({ headers: inSession(sessions.ended), body: PING }),
    status: 404,
    code: "session_not_found",
  },
  {
    name: "a session of another user",
    request: () => ({ headers: inSession(sessions.a, "b"), body: toolCall("towow_status") }),
    status: 404,
    code: "session_not_found",
  },
  {
    name: "the stream of another user's session",
    request: () => ({ method: "GET", headers: { ...inSession(sessions.a, "b"), Accept: "text/event-stream" } }),
    status: 404,
    code: "session_not_found",
  },
  {
    name: "the end of another user's session",
    request: () => ({ method: "DELETE", headers: inSession(sessions.a, "b") }),
    status: 404,
    code: "session_not_found",
  },
  {
    name: "a session of a user, without their token",
    request: () => ({ headers: { "Mcp-Session-Id": sessions.a }, body: PING }),
    status: 404,
    code: "session_not_found",
  },
  {
    name: "a second initialize in a session",
    request: () => ({ headers: inSession(sessions.a), body: initialize() }),
    status: 400,
    code: "already_initialized",
  },
  {
    name: "the stream, for somebody who takes no streams",
    request: () => ({ method: "GET", headers: { ...inSession(sessions.a), Accept: "application/json" } }),
    status: 406,
    code: "not_acceptable",
  },
  {
    name: "an event id that never was",
    request: () => ({
      method: "GET",
      headers: { ...inSession(sessions.a), Accept: "text/event-stream", "Last-Event-ID": "x_1" },
    }),
    status: 400,
    code: "protocol_error",
  },
  {
    name: "the session is still there after all this",
    request: () => ({ headers: inSession(sessions.a), body: PING }),
    status: 200,
  },
];

function expectRefusal(answer: RawAnswer, status: number, code: RefusalCode, id?: string | number | null) {
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

describe("the boundary", () => {
  it.each(TABLE)("$name: $status $code", async ({ at = "local", request, status, code, id, headers = {} }) => {
    const answer = await send(endpoints[at].port, request());
    if (code === undefined) {
      expect(answer.status, answer.text).toBe(status);
      expect(answer.json?.error).toBeUndefined();
    } else expectRefusal(answer, status, code, id);
    for (const [name, value] of Object.entries(headers))
      expect(answer.headers[name]).toEqual(expect.stringMatching(value));
  });
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
      "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
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
  const tests = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), "utf8"));
  const met = (code: string) => tests.some((text) => new RegExp(`"(http\\.)?${code}"`).test(text));
  // A defect of ours has no front door.
  expect(Object.keys(REFUSALS).filter((code) => code !== "internal" && !met(code))).toEqual([]);
});
