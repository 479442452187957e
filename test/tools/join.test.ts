import { describe, expect, it } from "vitest";
import { requests } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { createWorld, PROFILE, type World } from "../support/world.ts";

const YES: Answer = { action: "accept", content: { decision: "accept" } };
const registrations = (world: World) => requests(world.mock, "POST", /\/agents$/);
const RAW = { raw_content: "I draw things for hospitals." };
const WHOLE = { display_name: "Lin", profile_data: PROFILE };

describe("who is in the scene already", () => {
  it("is told so by the first call: no profile is made and nobody is asked", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: () => YES });
    const scene = world.sceneId;
    const first = (await p.call("towow_join", { scene, ...RAW })).result;
    expect(first.data.guiding_prompt).toBeTruthy();
    // Nothing is said to be found that nobody has looked up.
    expect(first.summary).toMatch(/^The id was not looked up/);
    expect((await p.call("towow_join", { scene: world.mock.scenes()[0]!.name, ...RAW })).result.summary).toMatch(
      /Scene found/,
    );
    await p.call("towow_join", { scene, ...WHOLE });
    const again = await p.call("towow_join", { scene, ...RAW });
    expect(again.result).toMatchObject({
      status: "ok",
      warnings: ["already_joined"],
      data: { already_joined: true, guiding_prompt: null, raw_content: null, resume_with: null, scene_id: scene },
    });
    expect(again.result.data.agent_id).toBe((await p.call("towow_join", { scene, ...RAW })).result.data.agent_id);
  });

  it("is not asked about a profile, and none is sent, by name as by id", async () => {
    const world = await createWorld();
    const p = await world.process({ answer: () => YES });
    await p.call("towow_join", { scene: world.sceneId, ...WHOLE });
    const asked = p.forms.length;
    const scenes = [world.sceneId, world.mock.scenes()[0]!.name];
    for (const scene of scenes) {
      const again = await p.call("towow_join", { scene, ...WHOLE, display_name: "Somebody else" });
      expect(again.result).toMatchObject({ warnings: ["already_joined"], data: { already_joined: true } });
    }
    expect(p.forms).toHaveLength(asked);
    expect(registrations(world)).toHaveLength(1);
  });

  it("where the backend cannot list: the network's refusal says it, after the question", async () => {
    const world = await createWorld({ legacyRoutes: true });
    const p = await world.process({ answer: () => YES });
    await p.call("towow_join", { scene: world.sceneId, ...WHOLE });
    const asked = p.forms.length;
    const again = await p.call("towow_join", { scene: world.sceneId, ...WHOLE });
    expect(again.result).toMatchObject({ warnings: ["already_joined"], data: { already_joined: true } });
    expect([p.forms.length, registrations(world).length]).toEqual([2 * asked, 2]);
  });
});

it("a description, which some backends match by, is shown whole, sent, and finds its person", async () => {
  const world = await createWorld();
  const p = await world.process({ answer: () => YES });
  const description = "Restores baroque harpsichords, clavichords and virginals";
  await p.call("towow_join", {
    scene: world.sceneId,
    display_name: "Lin",
    profile_data: { bio: "A person.", description },
  });
  expect(p.forms[0]?.message).toContain(description);
  expect(registrations(world)[0]?.body).toMatchObject({ profile_data: { description } });
  const asking = await world.process({ answer: () => YES, stranger: "somebody" });
  await asking.call("towow_demand", { intent: description, scene_id: world.sceneId });
  const { data } = (await asking.call("towow_status", { wait: "done", view: "full" })).result;
  expect(data.participants.map(({ display_name }: { display_name: string }) => display_name)).toContain("Lin");
});

describe("the guiding prompt says who asks the person", () => {
  it.each([
    ["en", { form: {}, url: {} }, /The person's client shows them all of it/, /Wait for a clear yes/],
    ["zh", { url: {} }, /客户端会用表单或页面展示全部内容/, /等到明确的同意/],
    ["en", { form: {} }, /The person's client shows them all of it/, /Wait for a clear yes/],
    ["en", undefined, /Wait for a clear yes/, /The person's client shows/],
    ["zh", undefined, /等到明确的同意/, /客户端会用表单/],
  ] as const)("%s, %j", async (lang, elicitation, says, saysNot) => {
    const world = await createWorld();
    const p = await world.process({
      config: { lang },
      ...(elicitation && { elicitation, answer: () => YES }),
    });
    const { guiding_prompt } = (await p.call("towow_join", { scene: world.sceneId, ...RAW })).result.data;
    expect(guiding_prompt).toMatch(says);
    expect(guiding_prompt).not.toMatch(saysNot);
    expect(guiding_prompt).toContain("profile_data");
  });
});

it("with a scene alone: the one of that id or those whose words fit, with a right count", async () => {
  const world = await createWorld();
  const p = await world.process();
  const find = async (scene: string) => (await p.call("towow_join", { scene })).result;
  const byId = await find(world.sceneId);
  expect(byId.summary).toMatch(/^1 scene found\. Ask the person whether it is the one/);
  expect(byId.data.scenes.map(({ scene_id }: { scene_id: string }) => scene_id)).toEqual([world.sceneId]);
  expect(byId.data.already_joined).toBeNull(); // that was not looked up
  expect((await find("zzz")).summary).toMatch(/^No scene contains these words; there (is 1 scene|are \d+ scenes)\./);
});
