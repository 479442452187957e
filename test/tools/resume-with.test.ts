import { expect, it } from "vitest";
import type { ResumeWith } from "../../src/result/tool-error.ts";
import { INTENT } from "../ask/pause-support.ts";
import { cancels } from "../support/backend.ts";
import type { Answerer, Called } from "../support/clients.ts";
import { createWorld, PROFILE, type Process, type ProcessOptions, type World } from "../support/world.ts";

/** Every `resume_with` in a result, wherever it stands. */
function resumesIn(value: unknown): ResumeWith[] {
  if (value === null || typeof value !== "object") return [];
  const own = (value as { resume_with?: ResumeWith | null }).resume_with;
  return [...(own ? [own] : []), ...Object.values(value).flatMap(resumesIn)];
}

const writes = ({ mock }: World) => mock.journal.filter(({ method }) => method === "POST").length;
const said: string[] = [];

/** Calls a tool, and what its result says comes next, as it stands; that neither fails for an argument nor sends. */
async function called(world: World, p: Process, name: string, args: object): Promise<Called> {
  const result = await p.call(name, args as Record<string, unknown>);
  for (const { tool, params, needs = [], pass_back = [] } of resumesIn(result.result)) {
    const before = writes(world);
    const next = await p.call(tool, params);
    const about = `${name} → ${tool} ${JSON.stringify(params)}: ${next.text}`;
    expect(next.result.error?.code ?? "", about).not.toMatch(/^tool\.input\.|missing|incomplete/);
    expect(writes(world), about).toBe(before);
    // The question is there again, with the argument that answers it.
    const again = resumesIn(next.result).flatMap((one) => [...(one.needs ?? []), ...(one.pass_back ?? [])]);
    for (const word of next.result.error === null && !pass_back.includes("profile_data")
      ? [...needs, ...pass_back]
      : [])
      expect(again, about).toContain(word);
    // What the AI passes back is nothing that a person is asked for.
    for (const word of needs)
      expect(["consent", "decision", "confirmed_text", "action", "display_name"]).toContain(word);
    for (const word of [...needs, ...pass_back]) expect(Object.keys(params), about).not.toContain(word);
    for (const word of ["decision", "confirmed_text", "profile_hash"]) expect(Object.keys(params)).not.toContain(word);
    said.push(`${name} → ${tool}${needs.length > 0 ? ` (${needs.join(", ")})` : ""}`);
  }
  return result;
}

const cancelling: Answerer = () => ({ action: "cancel" });
const JOINING = { display_name: "Lin", profile_data: PROFILE };

/** What a whole mission and its detours give, in one kind of client. */
async function mission(options: ProcessOptions, developer = false) {
  const world = await createWorld();
  const { sceneId: scene_id } = world;
  const p = await world.process({ ...options, flags: { ...options.flags, ...(developer && { mode: "developer" }) } });
  const call = (name: string, args: object) => called(world, p, name, args);
  await call("towow_join", { scene: scene_id, raw_content: "I make pots." });
  const shown = await call("towow_join", { scene: scene_id, ...JOINING });
  const { profile_hash } = (shown.result.data ?? {}) as { profile_hash?: string };
  if (profile_hash) await call("towow_join", { ...resumesIn(shown.result)[0]!.params, profile_hash });
  if (developer) await call("towow_register_agent", { scene_id, agent_id: "ann", ...JOINING });
  if (developer) await call("towow_create_scene", { name: "A", description: "B" });
  const asked = developer
    ? await call("towow_submit_demand", { scene_id, intent: INTENT })
    : await call("towow_demand", { intent: INTENT });
  const { negotiation_id } = (asked.result.data ?? {}) as { negotiation_id?: string };
  if (negotiation_id === undefined) return;
  const decide = developer ? "towow_confirm" : "towow_demand";
  await call("towow_status", { negotiation_id });
  await call("towow_status", { negotiation_id, view: "full" });
  const { confirmation_id } = resumesIn((await call(decide, { negotiation_id })).result)[0]?.params ?? {};
  const decision = { negotiation_id, ...(confirmation_id !== undefined && { confirmation_id }) };
  await call(decide, { ...decision, decision: "edit" });
  await call(decide, { ...decision, decision: "accept", confirmed_text: "another text" });
  await call(decide, { ...decision, decision: "accept" });
  await call("towow_status", { negotiation_id, wait: "done" });
  await call("towow_demand", { intent: "one more" });
}

it.each<[string, ProcessOptions]>([
  ["without any surface", {}],
  ["with forms that nobody answers", { answer: cancelling }],
  ["with pages alone", { answer: cancelling, elicitation: { url: {} } }],
  ["under strict", { flags: { confirmation_policy: "strict" } }],
  ["that may only read", { flags: { profile: "read_only" } }],
  ["whose budget is used up", { flags: { budget_max_negotiations: 1, budget_max_backend_requests: 12 } }],
  ["of a person elsewhere", { browser: "elsewhere", flags: { confirmation_policy: "strict" } }],
  ["as a command", { fromCommandLine: true }],
])("each resume_with can be called as it stands, in a client %s", async (_, options) => {
  said.length = 0;
  await mission(options);
  await mission(options, true);
  expect(said).not.toEqual([]);
});

it("a profile: the person is asked for their name and their consent, and the AI passes the rest back", async () => {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" } });
  const guided = await p.call("towow_join", { scene: world.sceneId, raw_content: "I make pots." });
  expect(guided.result.data.resume_with).toMatchObject({ needs: ["display_name"], pass_back: ["profile_data"] });
  const shown = await p.call("towow_join", { scene: world.sceneId, ...JOINING });
  expect(shown.result.data.resume_with).toMatchObject({ needs: ["consent"], pass_back: ["profile_hash"] });
  const agent = { scene_id: world.sceneId, agent_id: "ann", ...JOINING };
  const other = await p.call("towow_register_agent", agent);
  expect(other.result.data.resume_with).toMatchObject({ needs: ["consent"], pass_back: ["profile_hash"] });
});

it("after text of others was read, and while one demand waits", async () => {
  said.length = 0;
  const world = await createWorld();
  const first = await world.process();
  const { result } = await first.call("towow_demand", { intent: INTENT });
  await first.call("towow_demand", { ...result.data.resume_with.params, decision: "accept" });
  await first.call("towow_status", { wait: "done" });
  const p = await world.process({ flags: { mode: "developer" } });
  const call = (name: string, args: object) => called(world, p, name, args);
  const asked = await call("towow_demand", { intent: "a second one" });
  const { negotiation_id } = asked.result.data;
  await call("towow_demand", { negotiation_id, decision: "accept" });
  await call("towow_confirm", { negotiation_id, decision: "edit", confirmed_text: "x", confirmation_id: "y" });
  await call("towow_action", { negotiation_id, action: "cancel", payload: { why: "no" } });
  await call("towow_register_agent", { scene_id: world.sceneId, agent_id: "ann", ...JOINING });
  await call("towow_join", { scene: world.sceneId, ...JOINING });
  await call("towow_status", { negotiation_id: result.data.negotiation_id });
  expect(said).toContain("towow_demand → towow_demand");
});

it.each(["here", "elsewhere", "none"] as const)(
  "a stop that a page asks about is called again, one left to a terminal is looked after: a browser %s",
  async (browser) => {
    const world = await createWorld();
    const first = await world.process();
    const { result } = await first.call("towow_demand", { intent: INTENT });
    const { negotiation_id } = result.data;
    await first.call("towow_demand", { ...result.data.resume_with.params, decision: "accept" });
    const p = await world.process({ browser, flags: { confirmation_policy: "strict" } });
    const { error } = (await p.call("towow_demand", { negotiation_id, decision: "cancel" })).result;
    expect(cancels(world.mock)).toEqual([]);
    expect(error?.recovery_suggestion.includes("call again")).toBe(browser !== "none");
    expect(error?.resume_with).toMatchObject(
      browser === "none"
        ? { tool: "towow_status", params: { negotiation_id, wait: "change" } }
        : { tool: "towow_demand", params: { negotiation_id }, needs: ["decision"] },
    );
  },
);
