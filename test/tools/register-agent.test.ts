import { describe, expect, it } from "vitest";
import { nameHash } from "../../src/home/last-ids.ts";
import type { Answerer } from "../support/clients.ts";
import { sendProfile } from "../support/profile.ts";
import { createWorld, PROFILE } from "../support/world.ts";

const accept: Answerer = () => ({ action: "accept", content: { decision: "accept" } });
const ANN = { display_name: "Ann", profile_data: PROFILE };
const SHOP = { display_name: "Ann's shop", profile_data: { ...PROFILE, bio: "A shop for calm hospital furniture." } };

async function registering(options = {}) {
  const world = await createWorld(options);
  const p = await world.process({ answer: accept, flags: { mode: "developer" } });
  const register = async (args: Record<string, unknown>) => {
    const first = await p.call("towow_register_agent", { scene_id: world.sceneId, ...args });
    const { resume_with, profile_hash } = first.result.data ?? {};
    if (!resume_with) return first;
    return p.call("towow_register_agent", { ...resume_with.params, profile_hash });
  };
  return { world, p, register };
}

it("the own id is used while it is free, and a second profile in the same scene gets one of its own", async () => {
  const { world, register } = await registering();
  const own = (await register(ANN)).result;
  expect(own.data).toMatchObject({ agent_id: "user_test", agent_id_source: "own" });
  const second = (await register(SHOP)).result;
  expect(second.data).toMatchObject({
    agent_id: expect.stringMatching(/^agent_[0-9a-f]{12}$/),
    agent_id_source: "generated",
  });
  expect(second.warnings).toContain("agent_id_generated");
  expect(second.summary).toContain("got a new one");
  const again = (await register(SHOP)).result;
  expect(again).toMatchObject({ warnings: ["duplicate_suppressed"], data: { agent_id: second.data.agent_id } });
  await world.clock.advance(121_000);
  for (const profile of [SHOP, ANN])
    expect((await register(profile)).result.error).toMatchObject({ code: "tool.agent.conflict.already_registered" });
});

it("an id that is given is taken as it is", async () => {
  const { register } = await registering();
  await register(ANN);
  const { result } = await register({ ...SHOP, agent_id: "ann-shop" });
  expect(result.data).toMatchObject({ agent_id: "ann-shop", agent_id_source: "given" });
});

it.each([{}, { legacyRoutes: true }])(
  "a second profile in another scene gets an id of its own, whether the backend lists or not: %o",
  async (options) => {
    const { world, register } = await registering(options);
    await register(ANN);
    const [, other] = world.mock.scenes();
    const { result } = await register({ ...SHOP, scene_id: other?.scene_id });
    expect(result.data).toMatchObject({ agent_id_source: "generated" });
    expect(result.data?.agent_id).not.toBe("user_test");
  },
);

it("where nobody knows under which name the own id stands, the backend's refusal stands", async () => {
  const { p, register } = await registering({ legacyRoutes: true });
  await register(ANN);
  p.settings.last_name_hash = undefined; // as after a registration from another home
  expect((await register(SHOP)).result.error).toMatchObject({ code: "tool.agent.conflict.already_registered" });
});

it("a refusal does not tell the name, and joining under another one keeps the one id", async () => {
  const { world, p, register } = await registering();
  await register(ANN);
  const [, other] = world.mock.scenes();
  const refused = await sendProfile(p.call, "towow_join", { scene: world.sceneId, ...SHOP });
  expect(refused.result.data).toMatchObject({ already_joined: true });
  expect(p.settings.last_name_hash).toBe(nameHash("Ann"));
  const joined = await sendProfile(p.call, "towow_join", { scene: other?.scene_id, ...SHOP });
  expect(joined.result.data).toMatchObject({ agent_id: "user_test", already_joined: false });
  expect((await register({ ...SHOP, scene_id: world.mock.scenes()[2]?.scene_id })).result.data).toMatchObject({
    agent_id_source: "own",
  });
});

it("what is empty is not asked about", async () => {
  const asked: string[] = [];
  const world = await createWorld();
  const p = await world.process({
    answer: (form) => {
      asked.push(form.message);
      return { action: "accept", content: { decision: "accept" } };
    },
    flags: { mode: "developer" },
  });
  const profile_data = { ...PROFILE, interests: [], capabilities: [" "], constraints: " " };
  await p.call("towow_register_agent", { scene_id: world.sceneId, display_name: "Ann", profile_data });
  expect(asked.join()).toContain("bio");
  expect(asked.join()).not.toMatch(/interests|capabilities|constraints/);
});

it("a demand without a scene goes where the own id was registered, and not where another one was", async () => {
  const { world, p, register } = await registering();
  await register({ ...ANN, agent_id: "ann-shop" });
  p.settings.last_scene_id = undefined;
  expect((await p.call("towow_demand", { intent: "A nurse" })).result.error?.code).toMatch(/none_joined/);
  await register({ ...ANN, scene_id: world.sceneId });
  expect((await p.call("towow_demand", { intent: "A nurse" })).result.error).toBeNull();
});

describe("a registration whose answer was lost", () => {
  const lost = async (tool: string) => {
    const { world, p } = await registering();
    const args = tool === "towow_join" ? { scene: world.sceneId, ...ANN } : { scene_id: world.sceneId, ...ANN };
    const send = () => sendProfile(p.call, tool, args);
    world.mock.faults.add({ route: "agents.register", kind: "drop_after" });
    return { first: (await send()).result, second: (await send()).result };
  };

  it.each(["towow_join", "towow_register_agent"])(
    "is sent again, and what stands is not said to be known: %s",
    async (tool) => {
      const { first, second } = await lost(tool);
      expect(first.error).toMatchObject({
        code: "tool.backend.timeout.registration_outcome_unknown",
        can_retry: true,
        next_steps: ["towow_list_agents"],
      });
      const said = second.error ?? second;
      expect(said).toMatchObject(
        tool === "towow_join"
          ? { summary: expect.stringContaining("or an earlier one"), warnings: ["already_joined"] }
          : {
              code: "tool.agent.conflict.registration_unclear",
              message: expect.stringContaining("or an earlier one"),
            },
      );
    },
  );

  it("is forgotten once another one was answered: nothing is unclear then", async () => {
    const { world, p } = await registering();
    const args = { scene: world.sceneId, ...ANN };
    world.mock.faults.add({ route: "agents.register", kind: "drop_before" });
    expect((await sendProfile(p.call, "towow_join", args)).result.error?.code).toContain("outcome_unknown");
    expect((await sendProfile(p.call, "towow_join", { ...args, ...SHOP })).result.error).toBeNull();
    expect((await sendProfile(p.call, "towow_join", args)).result.summary).toContain("was not changed");
  });
});
