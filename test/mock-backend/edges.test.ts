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

it("has a shorter deadline than its clients think", async () => {
  const world = new World({ confirmTimeoutMs: 120_000 });
  const id = await world.negotiationAt("formulated", await world.peopledScene());
  await world.clock.advance(119_000);
  expect(world.view(id).state).toBe("formulated");
  await world.clock.advance(5_000);
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

it("every agent exits: participants, no offer, and a plan all the same", async () => {
  const world = new World();
  world.mock.engine.offerWith(() => "exit");
  const id = await world.negotiationAt("completed", await world.peopledScene());
  const { body } = await world.get(id);
  expect(body.participants.length).toBeGreaterThan(0);
  for (const one of body.participants) expect(one).toMatchObject({ state: "exited" });
  expect(body.plan_output).toBeTruthy();
});

it("one formulation makes every GET of its negotiation answer 500 for ever, and a cancel works behind its 500", async () => {
  const world = new World();
  const scene = await world.peopledScene();
  const other = await world.submit(scene);
  const id = await world.submit(scene, "x [[formulation=list]]");
  await world.reach(id, "formulated");
  for (let i = 0; i < 5; i++) expect((await world.get(id)).status).toBe(500);
  expect((await world.get(other)).status).toBe(200);
  await world.cancel(id);
  expect(world.view(id)).toMatchObject({ cancelled: true });
  expect((await world.get(id)).status).toBe(500);
});

it("the encoder fails: everybody is asked, at a score of 0", async () => {
  const world = new World();
  const id = await world.negotiationAt("completed", await world.peopledScene(), "machine learning [[encode=fail]]");
  const { participants } = world.view(id);
  expect(participants.length).toBeGreaterThan(1);
  expect(participants.map(({ resonance_score }) => resonance_score)).toEqual(participants.map(() => 0));
});

it("the Center opens a sub-negotiation, under the submitter's id, that nobody confirms", async () => {
  const world = new World();
  const id = await world.negotiationAt("completed", await world.peopledScene(), "machine learning [[center=sub]]");
  const [child] = world.view(id).sub_session_ids;
  expect(world.view(child ?? "")).toMatchObject({ submittedBy: world.view(id).submittedBy, depth: 1, confirmCount: 0 });
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

it("the journal names the negotiation that a submit made, also when the answer was lost", async () => {
  const world = new World();
  const scene = await world.peopledScene();
  world.mock.faults.add({ route: "submit", kind: "drop_after" });
  await world.submit(scene).catch(() => undefined);
  const [negotiation] = world.mock.negotiations();
  expect(world.mock.journal.at(-1)).toMatchObject({ made: negotiation?.negotiation_id, status: 0 });
  expect(world.mock.journal.at(-1)).not.toHaveProperty("answeredAt");
});
