import { expect, it } from "vitest";
import * as z from "zod";
import { silentLog } from "../../src/log.ts";
import { ResultCache } from "../../src/session/result-cache.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createWorld } from "../support/world.ts";

/** A developer, the names of the scenes as they are listed, and what becomes of the answers to a new scene. */
async function developer() {
  const world = await createWorld();
  const { call } = await world.process({ config: { mode: "developer" } });
  const list = async () => {
    const { data, meta } = (await call("towow_list_scenes")).result;
    const names = (data as { scenes: { name: string }[] }).scenes.map(({ name }) => name);
    return { hasNew: names.includes("New"), isKept: meta.cache_hit === true };
  };
  return { world, list, create: () => call("towow_create_scene", { name: "New", description: "D" }) };
}

it("after a write of which nobody knows whether it was carried out, the list is read again", async () => {
  const { world, list, create } = await developer();
  await list();
  world.rewrite = (body, { method }) => (method === "POST" ? "lost" : body);
  expect((await create()).result.error?.code).toContain("outcome_unknown");
  expect(await list()).toEqual({ hasNew: true, isKept: false });
});

it("what was asked for before a write, and came after it, is not given again", async () => {
  const cache = new ResultCache(createMemoryStore(new ManualClock()), silentLog);
  const early = await cache.at("list", z.string());
  await cache.clear();
  await early.keep("old", 1_000);
  expect((await cache.at("list", z.string())).kept).toBeUndefined();
  await (await cache.at("list", z.string())).keep("new", 1_000);
  expect((await cache.at("list", z.string())).kept).toBe("new");
});
