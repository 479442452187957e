import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Endpoint, openSession, rpc, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { sendProfile } from "../support/profile.ts";
import { hasRedis, type RedisServer, startRedis } from "../support/redis.ts";

describe.skipIf(!hasRedis())("two replicas with one store", () => {
  const env = { TOWOW_STATE_KEY: Buffer.alloc(32, 7).toString("base64") };
  let redis: RedisServer;
  let one: Endpoint;
  let two: Endpoint;
  beforeAll(async () => {
    redis = await startRedis();
    one = await startEndpoint({ args: ["--store", redis.url], env });
    two = await startEndpoint({ args: ["--store", redis.url], env, backend: { mock: one.mock, url: one.mockUrl } });
  });
  afterAll(async () => {
    await Promise.all([one.close(), two.close()]);
    await redis.close();
  });
  const person = async () => {
    const headers = { Authorization: `Bearer ${await one.token()}` };
    const call = async (at: Endpoint, name: string, args: object = {}) =>
      (await send(at.port, { headers, body: toolCall(name, args) })).json.result.structuredContent;
    return { headers, call };
  };

  it("a mode that is chosen on one holds on the other; a session is its replica's", async () => {
    const { headers, call } = await person();
    await call(one, "towow_set_mode", { mode: "developer" });
    const listed = await send(two.port, { headers, body: rpc("tools/list") });
    expect(listed.json.result.tools).toHaveLength(12);
    const session = await openSession(one.port, headers);
    const elsewhere = await send(two.port, { headers: { ...headers, "Mcp-Session-Id": session }, body: rpc("ping") });
    expect([elsewhere.status, elsewhere.json.error.data.code]).toEqual([404, "http.session_not_found"]);
    expect(elsewhere.json.error.code).toBe(-32001); // which tells a client to begin a new one
  });

  it("invented tokens leave nothing behind, and push nobody out whom the other replica knows as accepted", async () => {
    const backend = { mock: one.mock, url: one.mockUrl };
    const three = await startEndpoint({ args: ["--store", redis.url, "--max-new-tokens", "5"], env, backend });
    const store = new Redis(redis.url);
    try {
      const kept = async () => (await store.keys("*user:*")).filter((name) => !name.includes(":rate:")).length;
      const { headers, call } = await person();
      await call(one, "towow_join", { scene: one.sceneName, raw_content: "me" }); // accepted there
      const session = { ...headers, "Mcp-Session-Id": await openSession(three.port, headers) };
      const before = await kept();
      for (let i = 0; i < 40; i++) {
        const invented = { Authorization: `Bearer invented-${i}` };
        const body = toolCall("towow_set_mode", { mode: "developer" });
        expect((await send(three.port, { headers: invented, body })).status).toBe(200);
      }
      await expect.poll(async () => (await kept()) - before).toBeLessThanOrEqual(5 * 3);
      expect((await send(three.port, { headers: session, body: rpc("ping") })).status).toBe(200);
    } finally {
      store.disconnect();
      await three.close();
    }
  });

  it.each([
    ["OOM", ["maxmemory", "1"], ["maxmemory", "0"]],
    ["READONLY", ["replicaof", "127.0.0.1 1"], ["replicaof", "no one"]],
  ] as const)("a store that answers %s takes nothing: not ready, and the log says why", async (code, refuse, take) => {
    const store = new Redis(redis.url);
    const set = ([name, value]: readonly [string, string]) =>
      name === "replicaof" ? store.call(name, value.split(" ")) : store.config("SET", name, value);
    const ready = async () => (await send(one.port, { method: "GET", path: "/readyz" })).json.status;
    try {
      await set(refuse);
      expect(await ready()).toBe("store_unreachable");
      const { call } = await person();
      expect((await call(one, "towow_set_mode", { mode: "developer" })).error?.code).toBe(
        "tool.config.unavailable.store",
      );
      await expect.poll(() => one.log()).toContain(`ReplyError ${code} at `);
    } finally {
      await set(take);
      store.disconnect();
    }
    expect(await ready()).toBe("ready");
  });

  it("nobody without a token; and the store gone, for one that no backend has accepted: said as that, until it is back", async () => {
    const { headers, call } = await person();
    const anonymous = await send(one.port, { body: rpc("ping") });
    expect(anonymous.status).toBe(401);
    const session = await openSession(one.port, headers);
    await redis.stop();
    const ready = () => send(one.port, { method: "GET", path: "/readyz" });
    await expect.poll(async () => (await ready()).status).toBe(503);
    const inSession = { ...headers, "Mcp-Session-Id": session };
    const refused = await send(one.port, { headers: inSession, body: rpc("ping") });
    expect([refused.status, refused.json.error.data.code]).toEqual([503, "http.store_unreachable"]);
    expect((await send(one.port, { method: "GET", path: "/healthz" })).status).toBe(200);
    await redis.start();
    await expect.poll(async () => (await ready()).status).toBe(200);
    expect((await send(one.port, { headers: inSession, body: rpc("ping") })).status).toBe(200);
    expect((await call(one, "towow_set_mode", { mode: "normal" })).error).toBeNull();
  });
});

describe.skipIf(!hasRedis())("a person's no while the store is gone", () => {
  const env = { TOWOW_STATE_KEY: Buffer.alloc(32, 7).toString("base64"), TOWOW_ON_UNCONFIRMED: "leave" };

  /** A demand that waits at an endpoint whose store is gone by now. */
  async function asked(run: (at: Waiting) => Promise<void>) {
    const redis = await startRedis();
    const endpoint = await startEndpoint({ args: ["--store", redis.url], env });
    try {
      const headers = { Authorization: `Bearer ${await endpoint.token()}` };
      const session = { ...headers, "Mcp-Session-Id": await openSession(endpoint.port, headers) };
      const call = async (name: string, args: object, inSession = false) => {
        const sent = { headers: inSession ? session : headers, body: toolCall(name, args) };
        return (await send(endpoint.port, sent)).json.result.structuredContent;
      };
      await sendProfile((tool, args) => call(tool, args), "towow_join", {
        scene: endpoint.sceneName,
        display_name: "Lin",
        profile_data: { skills: ["a", "b", "c"], bio: "A person." },
      });
      const { data } = await call("towow_demand", { intent: "A designer" });
      await redis.stop();
      await run({ endpoint, call, params: data.resume_with.params });
    } finally {
      await endpoint.close();
      await redis.close();
    }
  }
  interface Waiting {
    endpoint: Endpoint;
    // biome-ignore lint/suspicious/noExplicitAny: each test knows its result
    call: (name: string, args: object, inSession?: boolean) => Promise<any>;
    params: { negotiation_id: string; confirmation_id: string };
  }

  it.each([
    ["reject", false],
    ["reject", true],
    ["cancel", false],
    ["cancel", true],
  ])("%s, in a session: %s: it is withdrawn at once, and the result says so", (decision, inSession) =>
    asked(async ({ endpoint, call, params }) => {
      const result = await call("towow_demand", { ...params, decision }, inSession);
      expect(endpoint.mock.negotiations()).toMatchObject([{ cancelled: true, confirmCount: 0 }]);
      expect(result.error).toBeNull();
      expect(result.summary).toMatch(/not broadcast/i);
    }),
  );

  it("a yes is not sent", () =>
    asked(async ({ endpoint, call, params }) => {
      const result = await call("towow_demand", { ...params, decision: "accept" });
      expect(result.error.code).toBe("tool.config.unavailable.store");
      expect(endpoint.mock.negotiations()).toMatchObject([{ confirmCount: 0, confirmedBy: undefined }]);
    }));
});

it("a full house: who is in use stays, who is idle makes room", async () => {
  const endpoint = await startEndpoint({ args: ["--max-users", "1"] });
  try {
    const { port, url } = endpoint;
    const asFresh = async () => ({ Authorization: `Bearer ${await endpoint.token()}` });
    const [a, b] = [await asFresh(), await asFresh()];
    const join = (headers: Record<string, string>) =>
      send(port, { headers, body: toolCall("towow_join", { scene: endpoint.sceneName, raw_content: "me" }) });
    const session = await openSession(port, a);
    await join(a); // which the backend answers: only then the token has a place of its own
    expect((await join(b)).status).toBe(200);
    const refused = await send(port, { headers: b, body: rpc("ping") });
    expect([refused.status, refused.json.error.data.code]).toEqual([503, "http.too_many_users"]);
    await fetch(url, { method: "DELETE", headers: { ...a, "Mcp-Session-Id": session } });
    expect((await send(port, { headers: b, body: rpc("ping") })).status).toBe(200);
    expect((await send(port, { headers: a, body: rpc("ping") })).status).toBe(200);
  } finally {
    await endpoint.close();
  }
});
