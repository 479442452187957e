import { expect, it } from "vitest";
import { illFormedIn } from "../../src/json.ts";
import { INTENT } from "../ask/pause-support.ts";
import { createWorld, PROFILE, type World } from "../support/world.ts";

const CODE = "tool.input.invalid.ill_formed";
/** Half of an emoji, as a cut at a number of UTF-16 units leaves it. */
const HALF = "\ud83c";
const text = (before: string) => `${before} ${HALF}`;

/** Whatever was sent but reads. */
const sent = ({ mock }: World) => mock.journal.filter(({ method }) => method !== "GET");

const CALLS: [tool: string, field: string, args: Record<string, unknown>][] = [
  ["towow_demand", "intent", { intent: text("A poster for a street party") }],
  ["towow_submit_demand", "intent", { intent: text("A poster") }],
  ["towow_join", "display_name", { display_name: text("Ann"), profile_data: PROFILE }],
  ["towow_join", "profile_data.bio", { display_name: "Ann", profile_data: { ...PROFILE, bio: text("b") } }],
  ["towow_join", "profile_data.skills.1", { display_name: "Ann", profile_data: { skills: ["a", HALF], bio: "b" } }],
  ["towow_join", "raw_content", { raw_content: text("hi") }],
  ["towow_register_agent", "display_name", { agent_id: "me", display_name: text("Ann"), profile_data: PROFILE }],
  ["towow_create_scene", "description", { name: "A", description: text("B") }],
  ["towow_action", "payload.why", { negotiation_id: "neg_1", action: "cancel", payload: { why: HALF } }],
  ["towow_action", "payload", { negotiation_id: "neg_1", action: "cancel", payload: { [HALF]: 1 } }],
  ["towow_confirm", "confirmed_text", { negotiation_id: "neg_1", decision: "edit", confirmed_text: text("A") }],
];

it.each(CALLS)("%s: half a character in %s is refused before anybody is asked", async (tool, field, args) => {
  const world = await createWorld();
  const config = { toolset: "all" };
  const p = await world.process({ config, answer: () => ({ action: "accept", content: { decision: "accept" } }) });
  const { sceneId } = world;
  const place =
    tool === "towow_join" ? { scene: sceneId } : tool === "towow_register_agent" ? { scene_id: sceneId } : {};
  const { result, text: said } = await p.call(tool, { ...place, ...args });
  expect(result.error).toMatchObject({ code: CODE, can_retry: false });
  expect(result.error?.message).toContain(`The text in ${field} holds half a character`);
  expect(result.error?.recovery_suggestion).toContain("send it whole");
  expect([illFormedIn(result), illFormedIn(said)]).toEqual([undefined, undefined]);
  expect(p.forms).toEqual([]);
  expect(sent(world)).toEqual([]);
});

it("says so in Chinese", async () => {
  const world = await createWorld();
  const p = await world.process({ config: { lang: "zh" } });
  const { result } = await p.call("towow_demand", { intent: text("海报") });
  expect(result.error?.code).toBe(CODE);
  expect(result.summary).toContain("intent 的文本里有半个字符");
  expect(sent(world)).toEqual([]);
});

it("a backend that sends half a character: the person decides on the whole text that then goes out", async () => {
  const world = await createWorld();
  // As a JSON escape, which is how it arrives: no UTF-8 can carry it.
  world.rewrite = (body) => {
    const { demand_formulated: formulated, ...rest } = body as Record<string, unknown>;
    return { ...rest, demand_formulated: typeof formulated === "string" ? text(formulated) : formulated };
  };
  const p = await world.process({ answer: () => ({ action: "accept", content: { decision: "accept" } }) });
  const { result, text: said } = await p.call("towow_demand", { intent: INTENT });
  expect(result.data).toMatchObject({ decision: "accept" });
  expect([illFormedIn(p.forms), illFormedIn(result), illFormedIn(said)]).toEqual([undefined, undefined, undefined]);
  expect(p.forms[0]?.message).toContain("\uFFFD");
  const confirm = sent(world).find(({ path }) => path.endsWith("/confirm"));
  expect(confirm?.body).toEqual({ confirmed_text: expect.stringMatching(/ \uFFFD$/) });
});
