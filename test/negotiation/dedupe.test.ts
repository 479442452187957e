import { expect, it } from "vitest";
import { textsOf } from "../../src/text/index.ts";
import { submits } from "../support/backend.ts";
import type { Answerer } from "../support/clients.ts";
import { createWorld } from "../support/world.ts";

const INTENT = "A designer for a hospital queue pilot";

it("the same demand again within two minutes is the same negotiation", async () => {
  const world = await createWorld();
  const p = await world.process();
  const first = await p.call("towow_demand", { intent: INTENT });
  const again = await p.call("towow_demand", { intent: ` ${INTENT} ` });
  expect(again.result.data.negotiation_id).toBe(first.result.data.negotiation_id);
  expect(again.result.warnings).toContain("duplicate_suppressed");
  expect(submits(world.mock)).toHaveLength(1);
});

it("the same words in another scene are a demand of their own", async () => {
  const world = await createWorld();
  const p = await world.process();
  const [first, second] = world.mock.scenes();
  const here = await p.call("towow_demand", { intent: INTENT, scene_id: first?.scene_id });
  const there = await p.call("towow_demand", { intent: INTENT, scene_id: second?.scene_id });
  expect(there.result.data.negotiation_id).not.toBe(here.result.data.negotiation_id);
  expect(submits(world.mock).map(({ body }) => (body as { scene_id: string }).scene_id)).toEqual([
    first?.scene_id,
    second?.scene_id,
  ]);
});

it("however often it was sent on purpose, once more without that is the last one again, in another program too", async () => {
  const world = await createWorld();
  const [p, another] = [await world.process(), await world.process()];
  const ids: string[] = [];
  for (let n = 0; n < 12; n++) {
    const { result } = await p.call("towow_demand", { intent: INTENT, ...(n > 0 && { allow_duplicate: true }) });
    ids.push(result.data.negotiation_id);
  }
  for (const program of [p, another]) {
    const again = await program.call("towow_demand", { intent: INTENT });
    expect(again.result.warnings).toContain("duplicate_suppressed");
    expect(again.result.data.negotiation_id).toBe(ids.at(-1));
    expect(submits(world.mock)).toHaveLength(12);
  }
});

it("however often it was sent on purpose, none is sent while the answer to the last one is lost", async () => {
  const world = await createWorld();
  const p = await world.process();
  const onPurpose = () => p.call("towow_demand", { intent: INTENT, allow_duplicate: true });
  for (let n = 0; n < 11; n++) await onPurpose();
  world.mock.faults.add({ route: "submit", kind: "drop_after" });
  expect((await onPurpose()).result.error?.code).toBe("tool.backend.timeout.submit_outcome_unknown");
  const again = await p.call("towow_demand", { intent: INTENT });
  expect(again.result.error?.code).toBe("tool.negotiation.conflict.submit_outcome_open");
  expect(submits(world.mock)).toHaveLength(12);
});

it("so it is where the first one was confirmed; one that went on undecided is no first one", async () => {
  const world = await createWorld({ confirmTimeoutMs: 20_000 });
  const p = await world.process({ config: { on_unconfirmed: "leave" } });
  const first = await p.call("towow_demand", { intent: INTENT });
  await p.call("towow_demand", { ...first.result.data.resume_with.params, decision: "accept" });
  const again = await p.call("towow_demand", { intent: INTENT });
  expect(again.result.data.negotiation_id).toBe(first.result.data.negotiation_id);

  const undecided = await p.call("towow_demand", { intent: `${INTENT}, by Friday` });
  await world.clock.advance(30_000);
  await p.call("towow_status", { negotiation_id: undecided.result.data.negotiation_id });
  const anew = await p.call("towow_demand", { intent: `${INTENT}, by Friday` });
  expect(anew.result.data.negotiation_id).not.toBe(undecided.result.data.negotiation_id);
  expect(submits(world.mock)).toHaveLength(3);
});

it("a first one that ended without a plan does not stand in the way, and one that has its plan is told as it is", async () => {
  const world = await createWorld();
  const answer: Answerer = () => ({ action: "accept", content: { decision: "accept" } });
  const p = await world.process({ answer, flags: { mode: "developer" } });
  const demand = (intent: string) => ({ scene_id: world.sceneId, intent });
  const done = async (intent: string) => {
    const { result } = await p.call("towow_submit_demand", demand(intent));
    const { negotiation_id } = result.data;
    await p.call("towow_confirm", { negotiation_id });
    await p.call("towow_status", { negotiation_id, wait: "done" });
    return negotiation_id;
  };
  const planned = await done(INTENT);
  const again = await p.call("towow_submit_demand", demand(INTENT));
  expect(again.result.data).toMatchObject({ negotiation_id: planned, state: "completed" });
  expect(again.result.data.resume_with).toMatchObject({ tool: "towow_status" });
  const { note, state } = textsOf("en");
  expect(again.result.summary).toBe(`${note.duplicate_suppressed} ${state.noParticipants}`);
  expect(again.result.warnings).toContain("duplicate_suppressed");

  const failed = await done(`${INTENT} [[center=fail]]`);
  const anew = await p.call("towow_submit_demand", demand(`${INTENT} [[center=fail]]`));
  expect(anew.result.data.negotiation_id).not.toBe(failed);
  expect(anew.result.warnings).not.toContain("duplicate_suppressed");
  expect(submits(world.mock)).toHaveLength(3);
});

it("while the backend does not say how the first one ended, nothing is submitted twice", async () => {
  const world = await createWorld();
  const p = await world.process();
  const { result } = await p.call("towow_demand", { intent: `${INTENT} [[center=fail]]` });
  const { negotiation_id } = result.data;
  await p.call("towow_demand", { ...result.data.resume_with.params, decision: "accept" });
  await p.call("towow_status", { negotiation_id, wait: "done" });
  world.mock.faults.add({ route: "get", kind: "drop_before", times: 20 });
  const again = await p.call("towow_demand", { intent: `${INTENT} [[center=fail]]` });
  expect(again.result.error?.code).toMatch(/^tool\.backend\./);
  expect(submits(world.mock)).toHaveLength(1);
});

it("two identical demands at once submit once", async () => {
  const world = await createWorld();
  const p = await world.process();
  const both = await world.clock.run(Promise.all([1, 2].map(() => p.start("towow_demand", { intent: INTENT }))));
  expect(new Set(both.map((b) => b.result.data.negotiation_id)).size).toBe(1);
  expect(submits(world.mock)).toHaveLength(1);
});

it.each([
  ["allow_duplicate says so", async () => ({ allow_duplicate: true })],
  [
    "the first one was rejected",
    async (p: { call: (name: string, args: object) => Promise<unknown> }, id: string) => {
      await p.call("towow_demand", { negotiation_id: id, decision: "reject" });
      return {};
    },
  ],
])("a second one is opened when %s", async (_, between) => {
  const world = await createWorld();
  const p = await world.process();
  const first = await p.call("towow_demand", { intent: INTENT });
  const extra = await between(p as never, first.result.data.negotiation_id);
  const again = await p.call("towow_demand", { intent: INTENT, ...extra });
  expect(again.result.data.negotiation_id).not.toBe(first.result.data.negotiation_id);
  expect(submits(world.mock)).toHaveLength(2);
});

it("a submit that failed for certain is not remembered", async () => {
  const world = await createWorld();
  const p = await world.process();
  const refused = await p.call("towow_demand", { intent: INTENT, scene_id: "scene_000000000000" });
  expect(refused.result.error?.code).toBe("tool.scene.not_found.unknown_scene");
  const again = await p.call("towow_demand", { intent: INTENT, scene_id: "scene_000000000000" });
  expect(again.result.error?.code).toBe("tool.scene.not_found.unknown_scene");
});

it("whoever waits for another program's identical submit hears at once that its answer was lost", async () => {
  const world = await createWorld();
  const [a, b] = [await world.process(), await world.process()];
  world.mock.faults.add({ route: "submit", kind: "drop_after", delayMs: 3_000, delayWhen: "before" });
  const from = world.clock.now();
  const [first, second] = await world.clock.run(
    Promise.all([a, b].map((p) => p.start("towow_demand", { intent: INTENT }))),
  );
  expect(first?.result.error?.code).toBe("tool.backend.timeout.submit_outcome_unknown");
  expect(second?.result.error?.code).toBe("tool.negotiation.conflict.submit_outcome_open");
  expect(world.clock.now() - from).toBeLessThan(5_000);
  expect(submits(world.mock)).toHaveLength(1);
});

it("and waits no longer than a client would", async () => {
  const world = await createWorld();
  const [a, b] = [await world.process(), await world.process()];
  world.mock.faults.add({ route: "submit", kind: "delay", delayMs: 44_000, delayWhen: "after" });
  void a.start("towow_demand", { intent: INTENT });
  await world.clock.until(() => submits(world.mock).length === 1);
  const from = world.clock.now();
  const waiting = await world.clock.run(b.start("towow_demand", { intent: INTENT }));
  expect(waiting.result.error?.code).toBe("tool.negotiation.conflict.submit_outcome_open");
  expect(world.clock.now() - from).toBeLessThan(41_000);
});
