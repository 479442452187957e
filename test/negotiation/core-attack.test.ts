import { expect, it } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { createReplicas, type Replicas } from "../support/replicas.ts";

const only = (world: Replicas) => {
  const [negotiation, ...more] = world.mock.negotiations();
  expect(more).toEqual([]);
  return negotiation!;
};

/** A negotiation whose text is there, and the decision that the person may take. */
async function asked(world: Replicas) {
  const { clock, sceneId } = world;
  const user = world.replica().user();
  const demand = { scene_id: sceneId, user_id: "ada", intent: "A designer", min_score: 0 };
  const { id } = await clock.run(user.submit(demand));
  const { snapshot } = await clock.run(user.wait(id, { until: (n) => n.state === "formulated", budgetMs: 10_000 }));
  const question = await clock.run(user.question(snapshot, String(snapshot.demand_formulated)));
  const decision = { negotiationId: id, confirmationId: question.id, by: "argument", editSeen: true } as const;
  return { user, id, decision };
}

/** How a call ended. */
const settled = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: { code?: string }) => error.code ?? String(error),
  );

it("a cancel whose answer was lost, asked for twice: it stays the person's", async () => {
  const world = createReplicas();
  const { user, id } = await asked(world);
  world.mock.faults.add({ route: "action", kind: "drop_after", delayMs: 500, delayWhen: "after" });
  const first = settled(user.cancel(id, "terminal"));
  await world.clock.until(() => cancels(world.mock).length === 1);
  world.mock.faults.add({ route: "get", kind: "status", status: 400 }); // the look after it shows nothing either
  const second = settled(user.cancel(id, "terminal"));
  await world.clock.run(first);
  await world.clock.run(second);
  expect(only(world)).toMatchObject({ cancelled: true });
  const stage = await user.stage(id, await world.clock.run(user.get(id)));
  expect(stage).toMatchObject({ name: "over", decision: { kind: "cancel" } });
  expect(stage.lostDecision).toBeUndefined();
});

it.each([
  ["refused", { kind: "status", status: 400 }],
  ["late", { kind: "delay" }],
] as const)("calls whose looks are %s do not put what is due off beyond the deadline", async (_, fault) => {
  const world = createReplicas();
  const { user, decision } = await asked(world);
  await world.clock.advance(280_000);
  world.mock.faults.add({ route: "get", ...fault, delayMs: 3_000, times: Number.POSITIVE_INFINITY });
  const calls = Array.from({ length: 12 }, () => settled(user.decide({ ...decision, kind: "accept" })));
  await world.clock.advance(18_000);
  expect([...cancels(world.mock), ...confirms(world.mock)]).toHaveLength(1);
  await world.clock.run(Promise.all(calls));
});

it("a yes whose answer was lost, and that is refused for the moment later: it is not said to have had no effect", async () => {
  const world = createReplicas();
  const { user, id, decision } = await asked(world);
  world.mock.faults.add({ route: "confirm", kind: "drop_before" });
  const first = settled(user.decide({ ...decision, kind: "accept" }));
  await world.clock.until(() => confirms(world.mock).length === 1);
  world.mock.faults.add({ route: "confirm", kind: "status", status: 400 });
  await world.clock.run(first);
  await world.clock.advance(8_000);
  const facts = await user.facts(id);
  expect([...facts.undone.keys()]).toEqual([]);
  await world.clock.advance(20_000);
  expect(only(world)).toMatchObject({ confirmCount: 1 });
});
