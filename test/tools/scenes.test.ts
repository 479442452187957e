import { expect, it } from "vitest";
import { createWorld, type World } from "../support/world.ts";

async function addScene(world: World, name: string): Promise<void> {
  const body = JSON.stringify({
    name,
    description: "A scene",
    organizer_id: "user_test",
    expected_responders: 3,
    access_policy: "open",
  });
  const headers = { "content-type": "application/json" };
  await world.mock.fetch(new Request("http://127.0.0.1/v1/api/scenes", { method: "POST", body, headers }));
}

async function join(world: World, scene: string) {
  const p = await world.process();
  return (await p.call("towow_join", { scene, raw_content: "A designer." })).result;
}

it("a scene is found by what its name begins with; what stands behind 200 characters is not looked at", async () => {
  const world = await createWorld();
  await addScene(world, `Hospital ${"x".repeat(300)} lighthouse`);
  expect((await join(world, "hospital")).error).toBe(null);
  expect((await join(world, "lighthouse")).error?.code).toBe("tool.scene.not_found.no_match");
});

it("one of many hundred scenes is found, and of several the first ten are named", async () => {
  const world = await createWorld();
  for (let n = 0; n < 350; n++) await addScene(world, `Meadow ${n}`);
  await addScene(world, "A lighthouse by the sea");
  expect((await join(world, "LIGHTHOUSE")).error).toBe(null);
  const { error } = await join(world, "meadow");
  expect(error?.code).toBe("tool.scene.conflict.ambiguous");
  expect(error?.detail?.match(/scene_[0-9a-f]{12}/g)).toHaveLength(10);
});
