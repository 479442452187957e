import { expect, it } from "vitest";
import type { BackendClient } from "../../src/backend/client.ts";
import type { Clock } from "../../src/clock.ts";
import { factName } from "../../src/negotiation/facts.ts";
import { Pollers } from "../../src/negotiation/polling.ts";
import { SeenNegotiations } from "../../src/negotiation/reads.ts";
import { Registry } from "../../src/negotiation/registry.ts";
import { Negotiations } from "../../src/negotiation/service.ts";
import { Submission } from "../../src/negotiation/submit.ts";
import { cancels, confirms } from "../support/backend.ts";
import { seenOn } from "../support/facts.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createMemoryFacts } from "../support/memory-facts.ts";
import { platformWith } from "../support/platform.ts";
import { createReplicas, type Replicas } from "../support/replicas.ts";
import { only } from "./store-support.ts";

/** A negotiation whose text is there, and the decision that the person may take. */
async function asked(world: Replicas) {
  const { clock, sceneId } = world;
  const user = world.replica().user();
  const demand = { scene_id: sceneId, user_id: "ada", intent: "A designer", min_score: 0 };
  const { id } = await clock.run(user.submit(demand));
  const { snapshot } = await clock.run(user.wait(id, { until: (n) => n.state === "formulated", budgetMs: 10_000 }));
  const question = await clock.run(user.claimQuestion(snapshot, String(snapshot.demand_formulated)));
  const rendering = seenOn("argument", String(snapshot.demand_formulated));
  const decision = { negotiationId: id, confirmationId: question.id, rendering };
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
  expect(stage.lateDecision).toBeUndefined();
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

it("two identical submits at once, shortly after one that is over: the second gets the first", async () => {
  const world = createReplicas();
  const { user, id, decision } = await asked(world);
  await world.clock.run(user.decide({ ...decision, kind: "reject", by: "argument" }));
  world.mock.faults.add({ route: "submit", kind: "delay", delayMs: 2_000 });
  const demand = { scene_id: world.sceneId, user_id: "ada", intent: "A designer", min_score: 0 };
  const [first, second] = await world.clock.run(Promise.all([user.submit(demand), user.submit(demand)]));
  expect(first?.id).not.toBe(id);
  expect(second).toMatchObject({ id: first?.id, duplicate: true });
});

/** One program whose parts can be looked into. `backend`: what it asks. */
function program(clock: Clock, backend: object) {
  const facts = createMemoryFacts();
  const owner = { instance: "here", pid: 1 };
  const deps = {
    origin: "http://127.0.0.1:9",
    backend: async () => backend as BackendClient,
    pinBackend: () => async () => backend as BackendClient,
    facts,
    ...platformWith(clock, { newId: () => "question" }),
    owner,
    isAlive: async () => true,
    userId: async () => "ada",
    policy: () => ({ onUnconfirmed: "cancel" as const, confirmDeadlineMs: 300_000 }),
    nudge: () => {},
  };
  const registry = new Registry(deps);
  const submission = new Submission(deps, registry);
  const pollers = new Pollers(platformWith(clock), { get: (id) => negotiations.get(id) });
  const negotiations = new Negotiations({
    deps,
    pollers,
    registry,
    submission,
    known: new Set(),
    seen: new SeenNegotiations(undefined),
  });
  return { deps, registry, negotiations };
}

const COMPLETED = {
  state: "completed",
  demand_formulated: "A text",
  plan_output: "A plan",
  participants: [],
  sub_session_ids: [],
  center_rounds: 1,
};

it("a program remembers so many negotiations at most, however many it has shown", async () => {
  const clock = new ManualClock();
  const { deps, registry, negotiations } = program(clock, {
    getNegotiation: async (id: string) => ({ ...COMPLETED, negotiation_id: id }),
  });
  for (let number = 0; number < 300; number++) {
    const id = `neg_${number}`;
    const at = clock.now();
    const submitted = { at, user_id: "ada", deadline_at: at + 300_000, on_unconfirmed: "cancel", owner: deps.owner };
    await deps.facts.create({ origin: deps.origin, id }, factName.submitted, submitted);
    await clock.run(negotiations.get(id));
    await negotiations.guard(id, await negotiations.stage(id));
  }
  await clock.advance(1_000);
  expect(registry.all.length).toBeLessThanOrEqual(101);
});

/** A program whose store takes a moment for each read. */
function withSlowStore(clock: ManualClock) {
  const made = program(clock, {});
  const { read } = made.deps.facts;
  made.deps.facts.read = async (key) => {
    await clock.sleep(100);
    return read(key);
  };
  return made;
}

it("whoever waits for what was left behind is not kept waiting by the program's end", async () => {
  const clock = new ManualClock();
  const { deps, registry } = withSlowStore(clock);
  const key = { origin: deps.origin, id: "neg_1" };
  const owner = { instance: "there", pid: 2 };
  const submitted = { at: clock.now(), user_id: "ada", deadline_at: clock.now() + 300_000, on_unconfirmed: "cancel" };
  await deps.facts.create(key, factName.submitted, { ...submitted, owner }, "open");
  const [running, resting] = [registry.of(key), registry.of({ ...key, id: "neg_2" })];
  running.start();
  await clock.run(registry.end("to_replicas", () => false));
  let caughtUp = 0;
  for (const supervisor of [running, resting]) void supervisor.caughtUp.then(() => caughtUp++);
  await clock.advance(1_000);
  expect(caughtUp).toBe(2);
});

it("what is queued while the program ends is done or refused, and never left waiting", async () => {
  const clock = new ManualClock();
  const { deps, registry } = withSlowStore(clock);
  const supervisor = registry.of({ origin: deps.origin, id: "neg_1" });
  supervisor.start();
  await clock.advance(50); // it reads what others wrote
  let ended: string | undefined;
  void settled(supervisor.enqueue(async () => "")).then((how) => {
    ended = how;
  });
  await clock.run(registry.end("to_replicas", () => false));
  await clock.advance(1_000);
  expect(ended).toBe("done");
});
