import { expect, it } from "vitest";
import { requests } from "../support/backend.ts";
import { sendProfile } from "../support/profile.ts";
import { createWorld, PROFILE } from "../support/world.ts";

async function registering() {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" } });
  const args = { scene_id: world.sceneId, display_name: "Lin", profile_data: PROFILE };
  const sent = () => requests(world.mock, "POST", /\/agents$/).length;
  return { world, p, args, sent };
}

it("the same profile again, a moment later, is the first one's result and is not sent", async () => {
  const { world, p, args, sent } = await registering();
  const first = await sendProfile(p.call, "towow_register_agent", args);
  const second = await p.call("towow_register_agent", args);
  expect(second.result).toMatchObject({ error: null, warnings: ["duplicate_suppressed"] });
  expect(second.result.data.agent_id).toBe(first.result.data.agent_id);
  expect(second.result.summary).toContain("was not sent again");
  expect(sent()).toBe(1);
  await world.clock.advance(121_000);
  const later = await sendProfile(p.call, "towow_register_agent", args);
  expect(later.result.error?.code).toBe("tool.agent.conflict.already_registered");
});

it("another profile, or another scene, is one of its own", async () => {
  const { p, args, sent } = await registering();
  await sendProfile(p.call, "towow_register_agent", args);
  await sendProfile(p.call, "towow_register_agent", { ...args, profile_data: { ...PROFILE, bio: "Another bio." } });
  expect(sent()).toBe(2);
});

it("who submits without being an agent of the scene is told so, by every tool that submits", async () => {
  const { world, p, args } = await registering();
  const submit = (intent: string) => p.call("towow_submit_demand", { scene_id: world.sceneId, intent });
  expect((await submit("A designer")).result.warnings).toContain("submitter_not_registered");
  await sendProfile(p.call, "towow_register_agent", args);
  expect((await submit("A nurse")).result.warnings).toEqual([]);
});
