import { expect, test } from "vitest";
import { type Auth, createBackendClient, createTokenRequest } from "../../src/backend/client.ts";
import { Forbidden } from "../../src/backend/errors.ts";
import { client, demand, failure, http, ImmediateClock, json, negotiation, serve, type TestServer } from "./support.ts";

/** Hands out the tokens in order; notes which one was said to have failed. */
function tokens(...list: (string | undefined)[]): Auth & { failed: unknown[] } {
  const failed: unknown[] = [];
  return {
    failed,
    bearer: async () => list[0],
    renew: async (token) => {
      failed.push(token);
      return list[failed.length];
    },
  };
}

const accepts = (token: string) =>
  serve((response, { headers }) =>
    headers.authorization === `Bearer ${token}`
      ? json(response, 200, negotiation)
      : json(response, 401, { detail: "Invalid or expired token" }),
  );
const bearers = (server: TestServer) => server.seen.map(({ headers }) => headers.authorization);

test.each(["read", "write"])("401: one renewal, one retry of a %s, with the same key and request id", async (kind) => {
  const server = await accepts("new");
  const auth = tokens("old", "new");
  const api = client(server.url, {}, auth);
  await (kind === "read" ? api.getNegotiation("neg_1") : api.submitDemand(demand));
  expect(bearers(server)).toEqual(["Bearer old", "Bearer new"]);
  expect(auth.failed).toEqual(["old"]);
  const [first, second] = server.seen;
  expect(second?.headers["x-request-id"]).toBe(first?.headers["x-request-id"]);
  expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
});

test.each([
  ["another that fails too", ["old", "older", "new"], 2],
  ["the same again", ["old", "old"], 1],
  ["none", ["old", undefined], 1],
] as const)("a renewal that gives %s: token_rejected", async (_name, list, requests) => {
  const server = await accepts("new");
  expect(await failure(client(server.url, {}, tokens(...list)).submitDemand(demand))).toMatchObject({
    code: "tool.auth.unauthorized.token_rejected",
    params: { operation: "submitDemand" },
    detail: "Invalid or expired token",
  });
  expect(server.seen).toHaveLength(requests);
});

test("401 with a body that breaks off: refused for certain, so a write goes out again with the new token", async () => {
  const server = await serve((response, _seen, number) => {
    if (number > 0) return json(response, 201, negotiation);
    response.writeHead(401, { "content-type": "application/json", "content-length": "500" });
    response.write('{"detail": "Unauth');
    setImmediate(() => response.destroy());
  });
  expect((await client(server.url, {}, tokens("old", "new")).submitDemand(demand)).negotiation_id).toBe("neg_1");
  expect(bearers(server)).toEqual(["Bearer old", "Bearer new"]);
});

test("a renewal that fails ends the call with its own error", async () => {
  const server = await accepts("new");
  const broken = new Forbidden({ operation: "renew" });
  const auth: Auth = { bearer: async () => "old", renew: () => Promise.reject(broken) };
  expect(await failure(client(server.url, {}, auth).getNegotiation("neg_1"))).toBe(broken);
});

test("what the 401 took is the call's own time, what the renewal took is not", async () => {
  const clock = new ImmediateClock();
  let asked = 0;
  const made = http({
    clock,
    fetch: async ({ signal }) => {
      asked += 1;
      if (asked > 1) return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      clock.time += 29_990;
      return Response.json({}, { status: 401 });
    },
  });
  const auth: Auth = {
    bearer: async () => "old",
    renew: async () => {
      clock.time += 5_000;
      return "new";
    },
  };
  const api = createBackendClient({ baseUrl: "https://network.test", auth, http: made });
  const { code, params } = await failure(api.getNegotiation("neg_1"));
  expect([code, params.timeout_ms, asked]).toEqual(["tool.backend.timeout.read", 10, 2]);
});

test("403 is not renewed", async () => {
  const server = await serve((response) => json(response, 403, { detail: "Not yours" }));
  const auth = tokens("old", "new");
  expect((await failure(client(server.url, {}, auth).getNegotiation("neg_1"))).code).toBe(
    "tool.auth.blocked.forbidden",
  );
  expect(auth.failed).toEqual([]);
});

test("a token that is no header value is not sent, and not quoted", async () => {
  const server = await accepts("new");
  const error = await failure(client(server.url, {}, tokens("geheim\n", undefined)).getNegotiation("neg_1"));
  expect(error.code).toBe("tool.auth.unauthorized.token_rejected");
  expect(`${error.stack}${error.detail}${JSON.stringify(error)}`).not.toContain("geheim");
  expect(server.seen).toHaveLength(0);
});

test("without a token there is no Authorization", async () => {
  const server = await serve((response) => json(response, 200, negotiation));
  await client(server.url).getNegotiation("neg_1");
  expect(bearers(server)).toEqual([undefined]);
});

test("the token request sends the old bearer when it has one, and renews nothing", async () => {
  const grant = { user_id: "u", api_token: "t", expires_at: "2026-12-01T00:00:00Z" };
  const server = await serve((response, _seen, number) =>
    number < 2 ? json(response, 200, grant) : json(response, 401, { detail: "unknown" }),
  );
  const ask = createTokenRequest({ baseUrl: server.url, http: http() });
  expect(await ask({ user_id: "" })).toEqual(grant);
  expect(await ask({ user_id: "u", device_info: "towow-mcp" }, "old")).toEqual(grant);
  expect((await failure(ask({ user_id: "u" }, "old"))).code).toBe("tool.auth.unauthorized.token_rejected");
  expect(bearers(server)).toEqual([undefined, "Bearer old", "Bearer old"]);
  expect(server.seen[1]).toMatchObject({
    url: "/v1/api/auth/mcp-token",
    body: '{"user_id":"u","device_info":"towow-mcp"}',
  });
});

test.each([404, 405])("the token route answering %i is a backend without tokens", async (status) => {
  const server = await serve((response) => json(response, status, { detail: "Not Found" }));
  expect(await createTokenRequest({ baseUrl: server.url, http: http() })({ user_id: "" })).toEqual({
    unsupported: true,
  });
});

const TOKEN = "q7Zp9LmX2vTr8KdW4sYb6NcF1hJg3QeA";

test("no answer gives out the token that was sent, in a refusal, in a text or as what is no JSON", async () => {
  const auth = tokens(TOKEN);
  const refusing = await serve((response) => json(response, 400, { detail: `The credential ${TOKEN} may not.` }));
  expect(await failure(client(refusing.url, {}, auth).getNegotiation("neg_1"))).toMatchObject({
    detail: "The credential *** may not.",
  });
  const quoting = await serve((response) => json(response, 200, { ...negotiation, plan_output: `Hello ${TOKEN}` }));
  expect((await client(quoting.url, {}, auth).getNegotiation("neg_1")).plan_output).toBe("Hello ***");
  const proxy = await serve((response) => void response.end(`<p>authorization=${TOKEN}</p>`));
  expect((await failure(client(proxy.url, {}, auth).getNegotiation("neg_1"))).detail).not.toContain(TOKEN);
});

test("a renewal may answer with the token that proved who asks", async () => {
  const granted = { user_id: "u", api_token: TOKEN, expires_at: "2036-01-01T00:00:00" };
  const server = await serve((response) => json(response, 200, granted));
  const ask = createTokenRequest({ baseUrl: server.url, http: http() });
  expect(await ask({ user_id: "u", device_info: "" }, TOKEN)).toMatchObject({ api_token: TOKEN });
});
