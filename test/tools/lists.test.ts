import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { cursorBehind, keyOf, sortKey } from "../../src/tools/cursor.ts";
import { HOSTILE } from "../safety/hostile-corpus.ts";
import type { Called } from "../support/clients.ts";
import { createWorld, PROFILE, type World } from "../support/world.ts";

const CURSOR = "tool.input.invalid.cursor";

/** Scenes made through the backend's own route, some with hostile names and long descriptions. */
async function addScenes(world: World, count: number, from = 0) {
  for (let i = from; i < from + count; i++) {
    const { text } = HOSTILE[i % HOSTILE.length]!;
    const scene = {
      name: i % 3 === 0 ? text.toWellFormed() : `Scene ${i}`, // a backend fails at any other
      description: i % 50 === 0 ? `${text.toWellFormed()}${"描述".repeat(3_000)}` : "A scene",
      organizer_id: "user_test",
      expected_responders: 3,
      access_policy: "open",
    };
    const body = JSON.stringify(scene);
    const headers = { "content-type": "application/json" };
    await world.mock.fetch(new Request("http://127.0.0.1/v1/api/scenes", { method: "POST", body, headers }));
  }
}

async function start(scenes: number) {
  const world = await createWorld();
  await addScenes(world, scenes);
  const p = await world.process({ flags: { mode: "developer" } });
  const list = (args: Record<string, unknown> = {}) => p.call("towow_list_scenes", { fresh: true, ...args });
  const walk = async (between: (page: number) => Promise<void> = async () => {}) => {
    const pages: Called[] = [];
    for (let cursor: string | null = ""; cursor !== null; cursor = pages.at(-1)?.result.data.next_cursor) {
      pages.push(await list(cursor === "" ? {} : { cursor }));
      expect(pages.at(-1)?.result.error).toBe(null);
      await between(pages.length);
    }
    return pages;
  };
  return { world, p, list, walk };
}

const idsOf = (pages: Called[]): string[] =>
  pages.flatMap(({ result }) => result.data.scenes.map((scene: { scene_id: string }) => scene.scene_id));

describe("a thousand scenes", () => {
  it("are walked exactly once, in pages that every client takes", async () => {
    const { world, walk } = await start(1_000);
    const pages = await walk();
    const ids = idsOf(pages);
    expect(ids).toEqual(
      world.mock
        .scenes()
        .map(({ scene_id }) => scene_id)
        .sort(byCodeUnits),
    );
    for (const { result, text } of pages) {
      expect(result.data.scenes.length).toBeLessThanOrEqual(50);
      expect(result.data.total).toBe(ids.length);
      expect(text.length).toBeLessThan(50_000);
      expect(JSON.stringify(result).length).toBeLessThan(50_000);
      const plain = text.replace(/[^ -~\n]/g, "").length;
      expect(plain / 3 + (text.length - plain)).toBeLessThan(25_000);
    }
    expect(pages.length).toBeGreaterThanOrEqual(20);
    expect(pages[0]?.result.summary).toContain("next_cursor");
    expect(pages.at(-1)?.result.summary).not.toContain("next_cursor");
  });

  it("that change between two pages are neither repeated nor the end of it", async () => {
    const { world, walk } = await start(300);
    const before = new Set(world.mock.scenes().map(({ scene_id }) => scene_id));
    let added = 300;
    const pages = await walk(async () => {
      await addScenes(world, 10, added);
      added += 10;
    });
    const ids = idsOf(pages);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...before].filter((id) => !ids.includes(id))).toEqual([]);
  });

  it("that are all gone behind the cursor end the walk", async () => {
    const { world, p, list } = await start(100);
    const first = await list();
    world.mock.fetch = async () => Response.json({ scenes: [] });
    const { result } = await p.call("towow_list_scenes", { cursor: first.result.data.next_cursor, fresh: true });
    expect(result).toMatchObject({ status: "empty", data: { scenes: [], total: 0, next_cursor: null } });
  });
});

it("a filter that no scene passes does not say that there are none at all", async () => {
  const { list } = await start(3);
  const { result } = await list({ status: "archived" });
  expect(result).toMatchObject({ status: "empty", summary: 'There are no scenes with the status "archived".' });
});

it("a cursor that was edited, cut, made up, of another version or given by another list is refused", async () => {
  const { world, p, list } = await start(120);
  const { next_cursor: cursor } = (await list()).result.data as { next_cursor: string };
  const active = (await list({ status: "active" })).result.data.next_cursor as string;
  const [version = "", payload = "", hash = ""] = cursor.split(".");
  expect(version).toBe("1");
  const other = Buffer.from(JSON.stringify("scene_0")).toString("base64url");
  const edited = [
    ".",
    "2",
    payload,
    `${version}.${payload}.`,
    `${version}.${other}.${hash}`,
    `${payload}.${hash}`, // as before cursors had a version
    `2.${payload}.${hash}`,
    `${cursor}A`,
    `x${cursor}`,
    `${cursor}.x`,
    "%00",
  ];
  for (const bad of [...edited, cursor.toUpperCase(), "e30.e30", "x".repeat(5_000)]) {
    const { result } = await list({ cursor: bad });
    expect(result.error?.code, bad).toBe(CURSOR);
  }
  expect((await list({ cursor: active })).result.error?.code).toBe(CURSOR);
  expect((await list({ cursor, status: "active" })).result.error?.code).toBe(CURSOR);
  expect((await list({ cursor: active, status: "active" })).result.error).toBe(null);
  const agents = await p.call("towow_list_agents", { scene_id: world.sceneId, cursor });
  expect(agents.result.error).toMatchObject({ code: CURSOR, can_retry: false });
});

it("agents of a scene come in pages of a hundred", async () => {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" } });
  for (let i = 0; i < 230; i++) {
    const body = JSON.stringify({
      agent_id: `n ${i}/é`,
      display_name: `N ${i}`,
      source_type: "x",
      profile_data: PROFILE,
    });
    const url = `http://127.0.0.1/v1/api/scenes/${world.sceneId}/agents`;
    await world.mock.fetch(new Request(url, { method: "POST", body, headers: { "content-type": "application/json" } }));
  }
  const sizes: number[] = [];
  const ids = new Set<string>();
  for (let cursor: string | undefined; sizes.length < 9; ) {
    const { result } = await p.call("towow_list_agents", { scene_id: world.sceneId, ...(cursor && { cursor }) });
    sizes.push(result.data.agents.length);
    for (const { agent_id } of result.data.agents) ids.add(agent_id);
    cursor = result.data.next_cursor ?? undefined;
    if (cursor === undefined) break;
  }
  expect(sizes.slice(0, 2)).toEqual([100, 100]);
  expect(ids.size).toBe(sizes.reduce((a, b) => a + b));
  expect(ids.size).toBe(world.mock.scenes()[0]?.agent_ids.length);
});

it("any key comes back from its own cursor, and any text is a cursor or refused", () => {
  const text = fc.string({ unit: "binary", maxLength: 300 });
  fc.assert(
    fc.property(text, text, text, (id, list, other) => {
      const cursor = cursorBehind(sortKey(id), list);
      expect(cursor.length).toBeLessThanOrEqual(2_000);
      expect(keyOf(cursor, list)).toBe(sortKey(id));
      if (other !== list && !(other + list).match(/\p{Surrogate}/u)) expect(() => keyOf(cursor, other)).toThrow();
      expect(() => keyOf(id, list)).toThrow();
    }),
  );
});

it("scenes of another status are left out, also where the backend gives them all", async () => {
  const { world, list, p } = await start(2);
  world.rewrite = (_, { url }) => ({
    scenes: ["ACTIVE", "closed", undefined].map((status, n) => ({
      scene_id: `scene_${n}`,
      name: `Scene ${n}`,
      status,
    })),
    url,
  });
  expect(idsOf([await list({ status: "Active" })])).toEqual(["scene_0", "scene_2"]);
  expect(idsOf([await list()])).toHaveLength(3);
  const { contents } = await world.clock.run(p.client.readResource({ uri: "towow://scenes?status=closed" }));
  expect(JSON.stringify(contents).match(/scene_\d/g)).toEqual(["scene_1", "scene_2"]);
});
