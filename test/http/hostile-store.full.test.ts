import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Endpoint, rpc, send, startEndpoint, toolCall } from "../support/endpoint.ts";
import { sendProfile } from "../support/profile.ts";
import { hasRedis, type RedisServer, startRedis } from "../support/redis.ts";

const PROFILE = { skills: ["design", "research", "figma"], bio: "Designer of calm hospital software, in Hangzhou." };
const DEEP = 20_000;

/** What anybody who reaches the server may write in the place of any value. */
const HOSTILE: readonly [string, string][] = [
  ["a number", "5"],
  ["a fraction", "-1.5e300"],
  ["null", "null"],
  ["a list", '[1,null,"x",{}]'],
  ["an object of other things", '{"tool":5,"at":"x","verdict":[],"id":null,"status":{},"data":null,"nodes":[null]}'],
  ["a text", '"x"'],
  ["true", "true"],
  ["no JSON", "{not json"],
  ["nothing at all", ""],
  ["deep lists", `${"[".repeat(DEEP)}${"]".repeat(DEEP)}`],
  ["3 MB of text", JSON.stringify("x".repeat(3_000_000))],
  ["a million values", JSON.stringify(Array.from({ length: 1_000_000 }, () => 1))],
  ["what it holds already, with spaces", "  "],
];

describe.skipIf(!hasRedis())("a store to which somebody else writes", () => {
  let redis: RedisServer;
  let store: Redis;
  let endpoint: Endpoint;
  beforeAll(async () => {
    redis = await startRedis();
    store = new Redis(redis.url);
    const env = { TOWOW_STATE_KEY: Buffer.alloc(32, 7).toString("base64"), TOWOW_TOOLSET: "all" };
    endpoint = await startEndpoint({ args: ["--store", redis.url], env });
  });
  afterAll(async () => {
    store.disconnect();
    await endpoint.close();
    await redis.close();
  });

  /** Every value, member and field of this endpoint's, and what it says on its channels. */
  async function overwrite(hostile: string): Promise<void> {
    for (const key of await store.keys("towow:*")) {
      const type = await store.type(key);
      if (type === "string") {
        const value = hostile.trim() === "" && hostile !== "" ? ` ${await store.get(key)} ` : hostile;
        await store.set(key, value, "KEEPTTL");
      }
      if (type === "set") await store.sadd(key, hostile, "[]", '["http://x",5]', "null");
      if (type === "hash") for (const field of await store.hkeys(key)) await store.hset(key, field, hostile);
    }
    const channels = (await store.call("PUBSUB", "CHANNELS")) as string[];
    for (const channel of channels) await store.publish(channel, hostile);
  }

  it.each(HOSTILE)("%s in the place of every value: no call fails of it", async (_, hostile) => {
    await store.flushdb();
    const headers = { Authorization: `Bearer ${await endpoint.token()}` };
    const answers: unknown[] = [];
    const isShort = hostile.length < 1_000_000;
    const call = async (name: string, args: object = {}) => {
      const { status, json } = await send(endpoint.port, { headers, body: toolCall(name, args) });
      answers.push(status, json?.result?.structuredContent?.error?.code, json?.error?.code);
      return json?.result?.structuredContent;
    };
    await sendProfile((tool, args) => call(tool, args), "towow_join", {
      scene: endpoint.sceneName,
      display_name: "Lin",
      profile_data: PROFILE,
    });
    await call("towow_set_mode", { mode: "developer" });
    const asked = await call("towow_demand", { intent: `Somebody who knows ${hostile.slice(0, 20)} hospitals` });
    const { params } = asked.data.resume_with;
    const { negotiation_id } = params;
    const compared = await call("towow_compare", { negotiation_ids: [negotiation_id] });
    await call("towow_list_scenes");
    answers.length = 0;

    await overwrite(hostile);
    await call("towow_status", { negotiation_id });
    await call("towow_list_scenes");
    await call("towow_graph_merge", { sources: [compared.meta.cache_key] });
    if (isShort) await overwrite(hostile);
    await call("towow_set_mode", { mode: "normal" });
    await call("towow_create_scene", { name: "A scene", description: "Of one's own" });
    await call("towow_demand", { intent: `Somebody else who knows ${hostile.slice(0, 20)} hospitals` });
    if (isShort) await overwrite(hostile);
    await call("towow_demand", { ...params, decision: "reject" });
    await call("towow_status");
    for (const path of ["/readyz", "/room", "/", "/metrics"])
      answers.push((await send(endpoint.port, { method: "GET", path })).status);
    answers.push((await send(endpoint.port, { headers, body: rpc("resources/list") })).status);

    expect(answers.filter((one) => one === 500 || one === -32603 || String(one).includes(".internal."))).toEqual([]);
    expect(endpoint.log()).not.toMatch(/TypeError|RangeError/);
    // It answers at once: nothing goes round in circles over what it cannot replace.
    expect((await send(endpoint.port, { headers, body: rpc("ping") })).status).toBe(200);
  });
});
