import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HTTP_ERRORS } from "../../src/mcp/http/http-error.ts";
import { alongside } from "../journeys/alongside.ts";
import {
  type Endpoint,
  initialize,
  openSession,
  type RawAnswer,
  send,
  startEndpoint,
  toolCall,
} from "../support/endpoint.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { soon } from "../support/soon.ts";
import { ACCESS } from "./boundary/access.ts";
import { expectRefusal, onSocket } from "./boundary/refusal.ts";
import { REQUEST } from "./boundary/request.ts";
import { as, bearer, homeKeys, ORIGIN, PING, PUBLIC, type Row, sessions, tokens } from "./boundary/row.ts";
import { SESSION } from "./boundary/session.ts";

/** `local`: as it starts by itself. `open`: with a public address. `tight`: with the smallest limits, by a clock that stands. */
const clock = new ManualClock();
const endpoints = {} as Record<"local" | "open" | "tight", Endpoint>;

beforeAll(async () => {
  const [local, open, tight] = await Promise.all([
    startEndpoint({ args: ["--allowed-origins", ORIGIN] }),
    startEndpoint({ args: ["--public-url", PUBLIC] }),
    startEndpoint({
      args: [..."--metrics on --rate 20 --at-once 1 --max-sessions 2 --session-idle 1".split(" ")],
      clock,
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
afterAll(() => alongside(clock, Promise.all(Object.values(endpoints).map((endpoint) => endpoint.close()))));

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

describe("limits", () => {
  const asFresh = async () => ({ Authorization: `Bearer ${await endpoints.tight.token()}` });

  it("a second call at once: 429, while another user is served", async () => {
    const { mock, port } = endpoints.tight;
    const headers = await asFresh();
    mock.faults.add({ route: "get", kind: "delay", delayMs: 700 });
    const before = mock.journal.length;
    const first = send(port, { headers, body: toolCall("towow_status", { negotiation_id: "neg_1" }) });
    await soon(() => mock.journal.slice(before).some(({ path }) => path.includes("neg_1"))).toBe(true);
    expectRefusal(await send(port, { headers, body: PING }), 429, "too_many_at_once", 1);
    expect((await send(port, { headers: await asFresh(), body: PING })).status).toBe(200);
    await clock.advance(700);
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
    await clock.advance(1_000);
    expect((await send(tight.port, { headers, body: initialize() })).status).toBe(200);
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
