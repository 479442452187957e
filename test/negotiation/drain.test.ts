import { expect, it } from "vitest";
import { confirms } from "../support/backend.ts";
import { seenOn } from "../support/facts.ts";
import { createReplicas, type Replicas } from "../support/replicas.ts";

/** What a replica that is drained does about decisions whose text stands in its memory only. */

const TEXT = "A nurse instead";
/** No drain takes longer for it, the longest request included. */
const BOUND_MS = 45_000;

const only = (world: Replicas) => world.mock.negotiations()[0]!;

/** An edit that the person has just decided on at a replica of its own. `kind`: how its first confirm fails. */
async function edited(world: Replicas, kind: "drop_before" | "drop_after" = "drop_before") {
  const { clock, sceneId } = world;
  const replica = world.replica();
  const user = replica.user();
  const { id } = await clock.run(user.submit({ scene_id: sceneId, user_id: "ada", intent: "A designer" }));
  const { snapshot } = await clock.run(user.wait(id, { until: (n) => n.state === "formulated", budgetMs: 10_000 }));
  const question = await clock.run(user.claimQuestion(snapshot, String(snapshot.demand_formulated)));
  world.mock.faults.add({ route: "confirm", kind });
  const rendering = seenOn("argument", String(snapshot.demand_formulated));
  const about = { negotiationId: id, confirmationId: question.id, rendering };
  const decided = user.decide({ ...about, kind: "edit", text: TEXT }).then(
    ({ kind: how }) => how,
    (error: { code: string }) => error.code,
  );
  await clock.until(() => confirms(world.mock).length === 1);
  return { replica, user, id, decided };
}

it.each([
  ["while the call still waits", 500],
  ["after the call was answered", 4_000],
] as const)("an edit whose confirm was lost goes out before its replica is gone: %s", async (_, afterMs) => {
  const world = createReplicas();
  const { user, id } = await edited(world);
  await world.clock.advance(afterMs);
  await world.clock.run(user.shutdown("to_replicas"));
  const facts = await user.facts(id);
  expect([...facts.undone.keys()]).toEqual([]);
  await world.clock.advance(1_000);
  expect(only(world)).toMatchObject({ confirmCount: 1, confirmedText: TEXT, confirmedBy: "user" });
});

it("an edit whose confirm arrived without an answer is seen to have arrived, and the call is told so", async () => {
  const world = createReplicas();
  const { user, id, decided } = await edited(world, "drop_after");
  await world.clock.run(user.shutdown("to_replicas"));
  expect(await decided).toBe("confirmed");
  expect((await user.facts(id)).outcomes.get(1)).toMatchObject({ kind: "confirmed" });
  expect(only(world)).toMatchObject({ confirmCount: 1, confirmedText: TEXT });
});

it.each([
  ["confirms fail", { route: "confirm", kind: "drop_before" }],
  ["nothing answers", { route: "confirm", kind: "delay", delayMs: 3_600_000 }],
] as const)("a drain ends though an edit cannot go out (%s): the person is asked again elsewhere", async (_, fault) => {
  const world = createReplicas();
  const { clock, mock } = world;
  const { replica, user, id } = await edited(world);
  mock.faults.add({ ...fault, times: Number.POSITIVE_INFINITY });
  if (fault.kind === "delay") mock.faults.add({ ...fault, route: "get", times: 20 });
  const from = clock.now();
  await clock.run(user.shutdown("to_replicas"));
  expect(clock.now() - from).toBeLessThan(BOUND_MS);
  replica.kill();
  mock.faults.clear();
  const heir = world.replica().user();
  await clock.advance(20_000); // its silence is believed
  await clock.run(heir.recover());
  await clock.advance(30_000);
  const stage = await heir.stage(id, await clock.run(heir.get(id)));
  expect(stage).toMatchObject({ name: "asking", round: 2 });
  expect(only(world).confirmCount).toBe(0);
});

it("an accept that was not seen to arrive is left to the others: they read the text at the backend", async () => {
  const world = createReplicas();
  const { clock, mock, sceneId } = world;
  const replica = world.replica();
  const user = replica.user();
  const { id } = await clock.run(user.submit({ scene_id: sceneId, user_id: "ada", intent: "A designer" }));
  const { snapshot } = await clock.run(user.wait(id, { until: (n) => n.state === "formulated", budgetMs: 10_000 }));
  const question = await clock.run(user.claimQuestion(snapshot, String(snapshot.demand_formulated)));
  mock.faults.add({ route: "confirm", kind: "drop_before" });
  const rendering = seenOn("argument", String(snapshot.demand_formulated));
  const about = { negotiationId: id, confirmationId: question.id, rendering };
  void user.decide({ ...about, kind: "accept" }).catch(() => {});
  await clock.until(() => confirms(mock).length === 1);
  await clock.advance(4_000);
  const from = clock.now();
  await clock.run(user.shutdown("to_replicas"));
  expect(clock.now() - from).toBeLessThan(1_000);
  replica.kill();
  const heir = world.replica().user();
  await clock.advance(20_000);
  await clock.run(heir.recover());
  await clock.advance(20_000);
  expect(only(world)).toMatchObject({ confirmCount: 1, confirmedBy: "user" });
});

it("an end that withdraws is over though the backend cannot be reached, and the next program withdraws", async () => {
  const world = createReplicas();
  const { clock, mock, sceneId } = world;
  const replica = world.replica();
  const user = replica.user();
  const { id } = await clock.run(user.submit({ scene_id: sceneId, user_id: "ada", intent: "A designer" }));
  await clock.run(user.wait(id, { until: (n) => n.state === "formulated", budgetMs: 10_000 }));
  const times = Number.POSITIVE_INFINITY;
  for (const route of ["action", "get"] as const) mock.faults.add({ route, kind: "drop_before", times });
  const from = clock.now();
  await clock.run(user.shutdown("withdraw"));
  expect(clock.now() - from).toBeGreaterThan(40_000); // nobody else can, should the store go with the program
  expect(clock.now() - from).toBeLessThan(55_000);
  const tries = () => mock.journal.filter(({ path }) => path.endsWith("/action")).length;
  const tried = tries();
  expect(tried).toBeGreaterThan(20);
  await clock.advance(60_000);
  expect(tries()).toBe(tried);
  replica.kill();
  mock.faults.clear();
  const heir = world.replica().user();
  await clock.advance(20_000);
  await clock.run(heir.recover());
  await clock.advance(10_000);
  expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
});

it("what this program has given up to withdraw is still named, while a person's no keeps it", async () => {
  const world = createReplicas();
  const { clock, mock, sceneId } = world;
  const user = world.replica().user();
  const submit = async (intent: string) => {
    const { id } = await clock.run(user.submit({ scene_id: sceneId, user_id: "ada", intent }));
    await clock.run(user.wait(id, { until: (n) => n.state === "formulated", budgetMs: 10_000 }));
    return id;
  };
  const [undecided, refused] = [await submit("A designer"), await submit("A nurse")];
  const times = Number.POSITIVE_INFINITY;
  for (const route of ["action", "get"] as const) mock.faults.add({ route, kind: "drop_before", times });
  void user.cancel(refused, "terminal").catch(() => {});
  await clock.until(() => user.carriesNo);
  const over = user.shutdown("withdraw");
  await clock.advance(60_000);
  expect(user.unwithdrawn).toEqual([undecided, refused]);
  mock.faults.clear();
  expect(await clock.run(over)).toEqual([undecided]);
});
