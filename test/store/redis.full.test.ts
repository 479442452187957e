import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import * as z from "zod";
import { silentLog } from "../../src/log.ts";
import { createRedisStore } from "../../src/store/redis.ts";
import { changeIn } from "../../src/store/store.ts";
import { hasRedis, type RedisServer, startRedis } from "../support/redis.ts";
import { ANY, contract, MINUTE } from "./contract.ts";

describe.skipIf(!hasRedis())("in redis-server", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.close());
  const open = () => createRedisStore({ url: redis.url, log: silentLog, commandTimeoutMs: 60_000 });
  contract(
    async () => [await open(), await open()],
    (_, check) => vi.waitFor(check, 60_000),
  );

  it("what somebody else wrote and cannot be read counts as absent, and stands in nobody's way", async () => {
    const [store, other] = [await open(), new Redis(redis.url)];
    const shape = z.object({ i: z.number() });
    for (const text of ["", "{", "5", "null", '{"i":"x"}', "[".repeat(300), `{"i":1,"x":"${"x".repeat(1_500_000)}"}`]) {
      await other.set("towow:k", text);
      expect(await store.get("k", shape)).toBeUndefined();
      expect(await store.get("k", shape, { i: 9 })).toEqual({ i: 9 });
      expect(await store.getMany(["k"], shape)).toEqual([undefined]);
      expect(await store.create("k", { i: 1 }, MINUTE, shape)).toEqual({ created: true, value: { i: 1 } });
      await other.set("towow:n", text);
      expect(await store.increment("n", 2, MINUTE)).toBe(text === "5" ? 7 : 2);
      await other.hset("towow:h", "decided.1", text);
      const { created, value } = await store.createField(
        "h",
        "decided.1",
        { i: 2 },
        { ttlMs: MINUTE, add: [], remove: [] },
      );
      expect([created, (await store.fields("h"))["decided.1"]]).toEqual([false, value]);
    }
    expect(await store.get("nothing", shape, { i: 9 })).toBeUndefined();
    other.disconnect();
    await store.close();
  });

  it("a value that is not as this program writes it can be changed all the same", async () => {
    const [store, other] = [await open(), new Redis(redis.url)];
    await other.set("towow:spaced", ' { "i" : 1 } ');
    const kept = { shape: z.object({ i: z.number() }), ttlMs: MINUTE };
    const changed = await changeIn(store, "spaced", kept, (current) => ({ i: (current?.i ?? 0) + 1 }));
    expect([changed, await other.get("towow:spaced")]).toEqual([{ from: { i: 1 }, to: { i: 2 } }, '{"i":2}']);
    other.disconnect();
    await store.close();
  });

  it("gone: every command fails with a clear error; back: it works again, subscriptions too", async () => {
    const store = await open();
    const heard: unknown[] = [];
    store.subscribe("news", (message) => heard.push(message));
    await store.put("k", 1, MINUTE);
    await redis.stop();
    await expect(store.get("k", ANY)).rejects.toMatchObject({ code: "tool.config.unavailable.store" });
    await expect(store.create("k", 2, MINUTE, ANY)).rejects.toMatchObject({ code: "tool.config.unavailable.store" });
    await redis.start();
    await expect.poll(() => store.put("k", 3, MINUTE).then(() => store.get("k", ANY))).toBe(3);
    await expect.poll(() => store.publish("news", "back").then(() => heard.length)).toBeGreaterThan(0);
    await store.close();
  });

  it("not there at the start is said at once", async () => {
    const nowhere = createRedisStore({ url: "redis://127.0.0.1:1", log: silentLog });
    await expect(nowhere).rejects.toMatchObject({ code: "tool.config.unavailable.store" });
  });
});
