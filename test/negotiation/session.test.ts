import { expect, it } from "vitest";
import { confirms, requests, submits } from "../support/backend.ts";
import { sendProfile } from "../support/profile.ts";
import { createWorld, PROFILE } from "../support/world.ts";

const INTENT = "A designer for a hospital queue pilot";

it("lists are kept for a short time, and a write or fresh asks again", async () => {
  const world = await createWorld();
  // Whoever has read descriptions by others is asked before a scene is created.
  const yes = { action: "accept", content: { decision: "accept" } } as const;
  const p = await world.process({ flags: { mode: "developer" }, answer: () => yes });
  const lists = () => requests(world.mock, "GET", /\/scenes$/).length;
  const first = await p.call("towow_list_scenes");
  const again = await p.call("towow_list_scenes");
  expect(again.result).toMatchObject({ data: first.result.data, meta: { cache_hit: true } });
  expect(lists()).toBe(1);
  await p.call("towow_list_scenes", { fresh: true });
  expect(lists()).toBe(2);
  await p.call("towow_create_scene", { name: "A scene", description: "For a test" });
  const after = await p.call("towow_list_scenes");
  expect(after.result.data.scenes.map((s: { name: string }) => s.name)).toContain("A scene");
  await world.clock.advance(31_000);
  await p.call("towow_list_scenes");
  expect(lists()).toBe(4);
});

it("an error is not kept", async () => {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" } });
  world.mock.faults.add({ route: "scenes.list", kind: "html" });
  expect((await p.call("towow_list_scenes")).isError).toBe(true);
  expect((await p.call("towow_list_scenes")).isError).toBe(false);
});

it("a limit of negotiations stops the next one, never a decision", async () => {
  const world = await createWorld();
  const p = await world.process({ config: { budget_max_negotiations: 1 } });
  const demand = await p.call("towow_demand", { intent: INTENT });
  const refused = await p.call("towow_demand", { intent: "Something else entirely" });
  expect(refused.result.error?.code).toBe("tool.budget.blocked.negotiations");
  await p.call("towow_demand", { ...demand.result.data.resume_with.params, decision: "accept" });
  expect([submits(world.mock).length, confirms(world.mock).length]).toEqual([1, 1]);
});

it.each(["towow_demand", "towow_submit_demand"])("%s: so it is where several are called at once", async (tool) => {
  const world = await createWorld();
  const p = await world.process({ config: { mode: "developer", budget_max_negotiations: 2 } });
  const call = (n: number) => p.start(tool, { scene_id: world.sceneId, intent: `${INTENT}, number ${n}` });
  const results = await world.clock.run(Promise.all([1, 2, 3, 4, 5].map(call)));
  expect(submits(world.mock)).toHaveLength(2);
  const codes = results.map(({ result }) => result.error?.code).filter((code) => code !== undefined);
  expect(codes).toEqual(Array(3).fill("tool.budget.blocked.negotiations"));
});

it("what failed, or was there already, counts for nothing; what may be open counts", async () => {
  const world = await createWorld();
  const p = await world.process({ config: { mode: "developer", budget_max_negotiations: 2 } });
  const submit = (intent: string, scene_id = world.sceneId) => p.call("towow_submit_demand", { scene_id, intent });
  for (const intent of ["one", "two", "three"])
    expect((await submit(intent, "scene_000000000000")).result.error?.code).toBe("tool.scene.not_found.unknown_scene");
  expect((await submit(INTENT)).isError).toBe(false);
  expect((await submit(INTENT)).result.warnings).toContain("duplicate_suppressed");
  world.mock.faults.add({ route: "submit", kind: "drop_after" });
  const lost = await submit(`${INTENT}, and more`);
  expect(lost.result.error?.code).toBe("tool.backend.timeout.submit_outcome_unknown");
  expect((await submit("four")).result.error?.code).toBe("tool.budget.blocked.negotiations");
});

it("a submit whose call is cancelled meanwhile counts, and is the last one", async () => {
  const world = await createWorld();
  const p = await world.process({ config: { mode: "developer", budget_max_negotiations: 1 } });
  for (const route of ["submit", "agents.list"] as const)
    world.mock.faults.add({ route, kind: "delay", delayMs: 2_000, delayWhen: "after" });
  const stop = new AbortController();
  const cancelled = p
    .start("towow_submit_demand", { scene_id: world.sceneId, intent: INTENT }, { signal: stop.signal })
    .catch(() => {});
  await world.clock.run(world.clock.sleep(1_000).then(() => stop.abort()));
  await world.clock.run(cancelled);
  await world.clock.run(world.clock.sleep(5_000));
  const again = await p.call("towow_submit_demand", { scene_id: world.sceneId, intent: "Something else entirely" });
  expect(again.result.error?.code).toBe("tool.budget.blocked.negotiations");
  const { result } = await p.call("towow_status");
  expect(result.data.negotiation_id).toBe(world.mock.negotiations()[0]?.negotiation_id);
});

it("a limit of requests stops calls, never a decision or the guard", async () => {
  const world = await createWorld();
  const p = await world.process({ config: { budget_max_backend_requests: 3 } });
  const demand = await p.call("towow_demand", { intent: INTENT });
  const refused = await sendProfile(p.call, "towow_join", {
    scene: world.sceneId,
    display_name: "Lin",
    profile_data: PROFILE,
  });
  expect(refused.result.error?.code).toBe("tool.budget.blocked.backend_requests");
  expect(demand.result.data.state).toBe("formulated");
  await world.clock.advance(300_000);
  expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true, confirmCount: 0 });
});
