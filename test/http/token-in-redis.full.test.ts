import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { legacyClient } from "../support/clients.ts";
import { type Endpoint, send, startEndpoint } from "../support/endpoint.ts";
import { sendProfile } from "../support/profile.ts";
import { hasRedis, type RedisServer, startRedis, valuesIn } from "../support/redis.ts";

const PROFILE = { skills: ["design", "research", "figma"], bio: "Designer of calm hospital software, in Hangzhou." };
const INTENT = "I need somebody who plans hospital queues";

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

describe.skipIf(!hasRedis())("a marked token, with state in Redis", () => {
  const STATE_KEY = Buffer.alloc(32, 7).toString("base64");
  let redis: RedisServer;
  let shared: Endpoint;
  beforeAll(async () => {
    redis = await startRedis();
    shared = await startEndpoint({
      args: ["--store", redis.url],
      env: { TOWOW_STATE_KEY: STATE_KEY, TOWOW_METRICS: "on" },
    });
  });
  afterAll(async () => {
    await shared.close();
    await redis.close();
  });

  it("is in no log, metric, result or stored value", async () => {
    const token = await shared.token();
    const told: string[] = [];
    const session = await legacyClient({ url: shared.url, headers: bearer(token) });
    const call = async (name: string, args = {}) => {
      const called = await session.call(name, args);
      told.push(called.text, JSON.stringify(called.result));
      return called;
    };
    await sendProfile(call, "towow_join", { scene: shared.sceneName, display_name: "Lin", profile_data: PROFILE });
    const demand = await call("towow_demand", { intent: INTENT });
    await call("towow_set_mode", { mode: "developer" });
    const { tool, params } = demand.result.data.resume_with;
    await call(tool, { ...params, decision: "accept" });
    await call("towow_status", { wait: "done" });
    shared.mock.expireTokens();
    const refused = await call("towow_list_scenes", { fresh: true });
    expect(refused.result.error?.code).toBe("tool.auth.unauthorized.token_rejected");
    told.push((await send(shared.port, { method: "GET", path: "/metrics" })).text);

    const client = new Redis(redis.url);
    const keys = await client.keys("*");
    const values = await valuesIn(client, keys);
    expect(JSON.stringify(values)).toContain(demand.result.data.negotiation_id);
    await client.quit();
    expect(keys.length).toBeGreaterThan(5);
    const files = readdirSync(shared.home, { recursive: true, encoding: "utf8", withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"));
    const everything = [shared.log(), ...told, ...keys, JSON.stringify(values), ...files];
    expect(shared.log()).toContain("agent_tool_done");
    for (const text of everything) expect(text).not.toContain(token);
    const metrics = told.at(-1) ?? "";
    expect(metrics).toMatch(/towow_tool_calls_total\{tool="towow_demand",status="completed"\} 2/);
    expect(metrics).not.toContain(demand.result.data.negotiation_id);
  });
});
