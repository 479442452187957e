import { describe, expect, it } from "vitest";
import { textsOf } from "../../src/text/index.ts";
import { confirms } from "../support/backend.ts";
import { openRoom } from "../support/room.ts";
import { asks, demand, FOLLOWS, type Task, until, WITH_PAGES } from "../support/task-client.ts";
import { createWorld, ORIGIN, PROFILE, type ProcessOptions, USER, type World } from "../support/world.ts";
import { ACCEPT, INTENT, only } from "./pause-support.ts";
import { seconds } from "./task-support.ts";

/**
 * A demand that goes to another scene than the one joined last, or under another id than one's own, says so beside its
 * text on every surface that can decide, or is not put on that surface (contract §10).
 */

const LANGUAGES = ["en", "zh"] as const;
type Lang = (typeof LANGUAGES)[number];

const ELSEWHERE = {
  "another scene": (world: World) => ({ scene_id: otherScene(world).scene_id }),
  "another id": (world: World) => ({ scene_id: world.sceneId, user_id: "agent_of_others" }),
} as const;
const CASES = LANGUAGES.flatMap((lang) =>
  (Object.keys(ELSEWHERE) as (keyof typeof ELSEWHERE)[]).map((what) => [lang, what] as const),
);

function otherScene({ mock }: World) {
  const [, other] = mock.scenes();
  if (other === undefined) throw new Error("the mock has one scene only");
  return other;
}

/** The sentences that every surface must show. */
function expected(world: World, what: keyof typeof ELSEWHERE, lang: Lang): string {
  const { unusual, page } = textsOf(lang);
  const { scene_id, name } = otherScene(world);
  return what === "another id" ? unusual.otherId("agent_of_others") : unusual.otherScene(page.scene(scene_id, name));
}

async function asked(what: keyof typeof ELSEWHERE, lang: Lang, options: ProcessOptions = {}) {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" }, config: { lang }, ...options });
  const { result } = await p.call("towow_submit_demand", { intent: INTENT, ...ELSEWHERE[what](world) });
  const { negotiation_id } = result.data;
  await world.clock.until(() => only(world).state === "formulated");
  const { result: pause, text } = await p.call("towow_confirm", { negotiation_id });
  return { world, p, id: negotiation_id as string, pause, text, says: expected(world, what, lang) };
}

describe.each(CASES)("in %s, %s", (lang, what) => {
  it("is put into no form, which has no room for it: nothing goes out, and the result says so and where to decide", async () => {
    const { world, p, id, pause, says } = await asked(what, lang, { answer: () => ACCEPT });
    expect(p.forms).toEqual([]);
    expect(confirms(world.mock)).toEqual([]);
    expect(pause.summary).toContain(what === "another id" ? says : otherScene(world).scene_id);
    expect(pause.summary).toContain(`towow-mcp confirm ${id}`);
  });

  it("is said in the question about the page, and on the page", async () => {
    const elicitation = { form: {}, url: {} };
    const { world, p, id, says } = await asked(what, lang, { elicitation, answer: () => ({ action: "cancel" }) });
    expect(p.forms.map(({ mode }) => mode)).toEqual(["url"]);
    expect(p.forms[0]?.message.split("\n")[1]?.slice(0, 20)).toBe(says.slice(0, 20));
    const room = await openRoom(world, p, id);
    await world.clock.run(room.room.loadScenes());
    const bar = JSON.stringify(room.section("bar"));
    expect(bar).toContain(JSON.stringify(says).slice(1, -1));
    await room.press("broadcast");
    expect(confirms(world.mock)).toHaveLength(1);
  });

  it("is said in the result that an AI shows, with the name as its owner's words", async () => {
    const { world, pause, says, text } = await asked(what, lang);
    if (what === "another id") {
      expect(pause.summary).toContain(says);
      expect(pause.data.scene_name).toBeUndefined();
      return;
    }
    const { scene_id, name } = otherScene(world);
    const { unusual, page } = textsOf(lang);
    expect(pause.summary).toContain(unusual.otherScene(page.sceneInResult(scene_id, name)));
    expect(pause.summary).not.toContain(name);
    expect(pause.data.scene_name).toBe(name);
    expect(pause.meta.tainted_paths).toContain("/scene_name");
    expect(text).toContain(name);
    expect(pause.data.resume_with.needs).toEqual(["decision"]);
  });
});

describe("as a task", () => {
  const asTask = async (capabilities: object) => {
    const world = await createWorld();
    const p = await world.process();
    const request = p.taskClient(capabilities);
    const { scene_id, name } = otherScene(world);
    const { taskId } = await demand(request, scene_id, INTENT);
    const isSettled = (seen: Task) => asks(seen) || seen.statusMessage.includes("towow-mcp confirm");
    return { name, task: await until(request, taskId, isSettled, seconds(world, 1)) };
  };

  it("with forms alone it is put into none of them", async () => {
    const { task } = await asTask(FOLLOWS);
    expect([task.status, task.inputRequests]).toEqual(["working", undefined]);
  });

  it("with pages it is said in the question about the page", async () => {
    const { task, name } = await asTask(WITH_PAGES);
    const [question] = Object.values(task.inputRequests ?? {});
    expect(question).toMatchObject({
      params: { mode: "url", message: expect.stringContaining(`It goes to “${name}”`) },
    });
  });
});

it.each(LANGUAGES)("in %s: the usual scene and id are not spoken of", async (lang) => {
  const { unusual } = textsOf(lang);
  const [otherId, otherSceneSays] = [unusual.otherId("").slice(0, 6), unusual.otherScene("").slice(-8)];
  const world = await createWorld();
  for (const options of [{ answer: () => ACCEPT }, {}]) {
    const p = await world.process({ config: { lang }, ...options });
    const { result } = await p.call("towow_demand", { intent: `${INTENT} ${Object.keys(options)}` });
    expect(p.forms).toHaveLength("answer" in options ? 1 : 0);
    expect(result.summary).not.toContain(otherId);
    expect(result.summary).not.toContain(otherSceneSays);
    expect(result.data.scene_name).toBeUndefined();
  }
});

it("a scene whose name cannot be shown goes by its id, and says so", async () => {
  const world = await createWorld();
  world.rewrite = (body, { url, method }) =>
    url.endsWith("/scenes") && method === "GET"
      ? { scenes: (body as { scenes: object[] }).scenes.map((scene) => ({ ...scene, name: "x” (scene_1). “" })) }
      : body;
  const elicitation = { form: {}, url: {} };
  const p = await world.process({ elicitation, answer: () => ({ action: "cancel" }) });
  const { scene_id } = otherScene(world);
  const { result } = await p.call("towow_demand", { intent: INTENT, scene_id });
  expect(p.forms[0]?.message).toContain(`It goes to ${scene_id} (its name`);
  expect(result.summary).toContain(
    `It goes to ${scene_id} (its name cannot be shown), not to the scene you joined last.`,
  );
});

it("a scene into which others have put the person, and about which nobody has asked them, is not where demands go", async () => {
  const world = await createWorld();
  const { scene_id: scene } = otherScene(world);
  const profile = { agent_id: USER, display_name: "Lin", source_type: "mcp", profile_data: PROFILE };
  const put = new Request(`${ORIGIN}/v1/api/scenes/${scene}/agents`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(profile),
  });
  expect((await world.mock.fetch(put)).status).toBe(201);
  const elicitation = { form: {}, url: {} };
  const p = await world.process({ elicitation, answer: () => ({ action: "cancel" }) });
  const { result } = await p.call("towow_join", { scene, display_name: "Lin", profile_data: PROFILE });
  expect(p.forms).toEqual([]);
  expect(result.warnings).toEqual(["already_joined"]);
  expect(result.summary).toContain(textsOf("en").join.stillGoesTo(world.sceneId, scene));
  await p.call("towow_demand", { intent: INTENT });
  expect(only(world).scene_id).toBe(world.sceneId);
  await p.call("towow_demand", { intent: `${INTENT} Soon.`, scene_id: scene });
  expect(p.forms.at(-1)?.message).toContain("It goes to “");
  expect(p.forms[0]?.message).not.toContain("It goes to “");
});

it.each(LANGUAGES)("in %s: an id that an AI made up says no sentence of its own in a question", async (lang) => {
  const id = "你自己（和平常一样）。”这不是别人，";
  const shown = "“你自己（和平常一样）。'这不是别人，”";
  const world = await createWorld();
  const elicitation = { form: {}, url: {} };
  const options = { flags: { mode: "developer" }, config: { lang }, elicitation, answer: () => ({ action: "cancel" }) };
  const p = await world.process(options as ProcessOptions);
  const where = { scene_id: world.sceneId };
  const { result } = await p.call("towow_submit_demand", { intent: INTENT, user_id: id, ...where });
  await world.clock.until(() => only(world).state === "formulated");
  await p.call("towow_confirm", { negotiation_id: result.data.negotiation_id });
  const [, row] = p.forms[0]?.message.split("\n") ?? [];
  expect(row).toMatch(lang === "en" ? /^It does not go out under your id, but as “/ : /^不以你的 ID 发出，而是：“/);
  const room = await openRoom(world, p, result.data.negotiation_id);
  expect(JSON.stringify(room.section("bar"))).toContain(shown);
  await p.call("towow_register_agent", { agent_id: id, display_name: "Lin", profile_data: PROFILE, ...where });
  const asked = p.sends[0]?.text.split("\n") ?? [];
  expect(asked).toContain(textsOf(lang).page.profileAs(id));
  expect(asked.filter((line) => line.includes("平常"))).toEqual([expect.stringContaining(shown)]);
});
