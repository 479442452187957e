import { expect, it } from "vitest";
import { submits } from "../support/backend.ts";
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

it("after two minutes, or with another text, it is a need of its own", async () => {
  const world = await createWorld();
  const p = await world.process();
  await p.call("towow_demand", { intent: INTENT });
  await p.call("towow_demand", { intent: `${INTENT}, in Hangzhou` });
  await world.clock.advance(121_000);
  await p.call("towow_demand", { intent: INTENT });
  expect(submits(world.mock)).toHaveLength(3);
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
