import { expect, it } from "vitest";
import { cancels, confirms, requests } from "../support/backend.ts";
import { createWorld, PROFILE, type World } from "../support/world.ts";

const registrations = (world: World) => requests(world.mock, "POST", /\/agents$/);
const join = (world: World) => ({ scene: world.sceneId, display_name: "Lin", profile_data: PROFILE });
const STRICT = { confirmation_policy: "strict" };

it("strict: the page opens, and the call itself waits for the person's yes", async () => {
  const world = await createWorld();
  const p = await world.process({ config: STRICT, fromCommandLine: true });
  const joining = p.start("towow_join", join(world));
  await world.clock.until(() => p.opened.length === 1);
  await world.clock.advance(20_000);
  expect(registrations(world)).toHaveLength(0);
  p.sends[0]?.decide("accept", "own_window");
  expect((await world.clock.run(joining)).result.data.agent_id).toBeTruthy();
  expect(registrations(world)).toHaveLength(1);
});

it("strict: a no, and silence within the waiting time, send nothing", async () => {
  const world = await createWorld();
  const p = await world.process({ config: STRICT, fromCommandLine: true });
  const refused = p.start("towow_join", join(world));
  await world.clock.until(() => p.opened.length === 1);
  p.sends[0]?.decide("reject", "own_window");
  expect((await world.clock.run(refused)).result).toMatchObject({ status: "empty", warnings: ["declined"] });
  const silent = await p.call("towow_join", join(world));
  expect(silent.result.error?.code).toBe("tool.policy.blocked.confirmation_required");
  expect(registrations(world)).toHaveLength(0);
});

it.each(["leave", "withdraw_own", "withdraw"] as const)(
  "at its end a program may %s what is undecided",
  async (end) => {
    const world = await createWorld();
    const killed = await world.process();
    await killed.call("towow_demand", { intent: "Left by a killed program" });
    world.dead.add(killed.pid);
    const p = await world.process({ fromCommandLine: true });
    await p.call("towow_demand", { intent: "Its own" }); // takes the other one over on the way
    const [left, own] = world.mock.negotiations();
    expect((await p.negotiations.leftOpen()).map(({ negotiationId }) => negotiationId)).toEqual([own?.negotiation_id]);
    await world.clock.run(p.negotiations.shutdown(end));
    const cancelled = world.mock.negotiations().filter((negotiation) => negotiation.cancelled);
    const expected = { leave: [], withdraw_own: [own], withdraw: [left, own] }[end];
    expect(cancelled.map((n) => n.negotiation_id)).toEqual(expected.map((n) => n?.negotiation_id));
    expect([confirms(world.mock).length, cancels(world.mock).length]).toEqual([0, expected.length]);
  },
);
