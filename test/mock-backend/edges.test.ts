import { expect, it } from "vitest";
import { World } from "./world.ts";

/** What the real engine was seen to do, on demand: each of these misled the program once. */

it("stands still over its deadline and then goes on: it has broadcast before it takes the cancel", async () => {
  const world = new World({ confirmTimeoutMs: 1_000, stepMs: 100 });
  const id = await world.negotiationAt("formulated", await world.peopledScene());
  world.mock.standStill(5_000, 300);
  const cancelled = world.cancel(id);
  const read = world.get(id);
  await world.clock.advance(4_900);
  expect(world.view(id)).toMatchObject({ state: "formulated", confirmedBy: undefined });
  expect(world.mock.journal.slice(-2).map(({ status, answeredAt }) => [status, answeredAt])).toEqual([
    [0, undefined],
    [0, undefined],
  ]);
  await world.clock.advance(500);
  expect((await cancelled).status).toBe(200);
  expect((await read).body.participants.length).toBeGreaterThan(0);
  expect(world.view(id)).toMatchObject({ cancelled: true, confirmedBy: "timeout", state: "completed" });
  expect(world.view(id).participants.length).toBeGreaterThan(0);
});

it("stands still with nothing due: the requests are answered when it goes on, and the deadline is as it was", async () => {
  const world = new World({ confirmTimeoutMs: 60_000 });
  const id = await world.negotiationAt("formulated", await world.peopledScene());
  world.mock.standStill(2_000);
  const read = world.get(id);
  await world.clock.advance(2_002);
  expect((await read).body.state).toBe("formulated");
  await world.clock.advance(57_000);
  expect(world.view(id).state).toBe("formulated");
  await world.clock.advance(1_100);
  expect(world.view(id)).toMatchObject({ confirmedBy: "timeout" });
});

it("takes a confirm of somebody else, with another text, that no request of ours made", async () => {
  const world = new World();
  const id = await world.negotiationAt("formulated", await world.peopledScene());
  const before = world.mock.journal.length;
  world.mock.engine.confirm(id, "Another text", "other");
  await world.reach(id, "encoding");
  expect(world.view(id)).toMatchObject({ confirmedBy: "other", confirmedText: "Another text", confirmCount: 1 });
  expect(world.mock.journal.slice(before).filter(({ method }) => method === "POST")).toEqual([]);
  expect((await world.confirm(id)).status).toBe(409);
});

it("fails at half a character as the engine does: the work is done, and every answer that would hold it is a 500", async () => {
  const world = new World();
  const scene = await world.peopledScene();
  await world.submit(scene, "A poster \ud83c");
  expect(world.mock.journal.at(-1)).toMatchObject({ status: 500 });
  const [made] = world.mock.negotiations();
  expect(made).toMatchObject({ demand_raw: "A poster \ud83c" });
  expect((await world.get(made?.negotiation_id ?? "")).status).toBe(500);
  const id = await world.negotiationAt("formulated", scene);
  // It answers with the text from before, and with none from then on.
  expect((await world.confirm(id, { confirmed_text: "Mine \ud83c" })).status).toBe(200);
  await world.reach(id, "encoding");
  expect(world.view(id)).toMatchObject({ confirmedText: "Mine \ud83c", confirmCount: 1 });
  expect((await world.get(id)).status).toBe(500);
});

it("the mock that runs alone is told so over HTTP", async () => {
  const world = new World({ confirmTimeoutMs: 60_000 });
  const id = await world.negotiationAt("formulated", await world.peopledScene());
  expect((await world.call("POST", "/mock/standstill", { ms: "long" })).status).toBe(400);
  expect((await world.call("POST", "/mock/standstill", { ms: 1_000 })).status).toBe(200);
  const read = world.get(id);
  await world.clock.advance(1_002);
  expect((await read).status).toBe(200);
  expect((await world.call("POST", `/mock/negotiations/${id}/confirm`, { text: "Other" })).status).toBe(200);
  expect(world.view(id)).toMatchObject({ confirmedBy: "other", confirmedText: "Other" });
});
