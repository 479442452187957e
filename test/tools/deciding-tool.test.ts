import { expect, it } from "vitest";
import { createWorld } from "../support/world.ts";

const DEVELOPER = { mode: "developer" };

/** A demand of this home that waits for its person, looked at by a client that may call less than all. */
async function waitingFor(flags: Record<string, unknown>, answer?: () => never) {
  const world = await createWorld();
  const all = await world.process({ flags: DEVELOPER });
  const { negotiation_id } = (await all.call("towow_demand", { intent: "A designer" })).result.data;
  const p = await world.process({ flags, ...(answer && { answer }) });
  const { result } = await p.call("towow_status", { negotiation_id });
  return { p, result };
}

it.each([
  ["the profile reads only", { profile: "read_only" }],
  ["the toolset reads only", { ...DEVELOPER, toolset: "readonly" }],
  ["both are left out", { ...DEVELOPER, exclude_tools: "towow_demand,towow_confirm" }],
])("where no tool takes the decision, none is named, and the person's terminal is: %s", async (_, flags) => {
  const { p, result } = await waitingFor(flags);
  expect(result.summary).toContain("towow-mcp confirm neg_");
  expect(result.summary).not.toContain("call again");
  expect(result.data.resume_with.tool).toBe("towow_status");
  expect(result.data.open.map((one: { resume_with: object }) => one.resume_with)).toMatchObject([
    { tool: "towow_status" },
  ]);
  expect((await p.call("towow_status", result.data.resume_with.params)).result.error).toBeNull();
});

it.each([
  ["en", "nothing can be broadcast from here, only withdrawn"],
  ["zh", "不能广播，只能撤回"],
])("under read_only only a no is possible, and nothing else is said (%s)", async (lang, sentence) => {
  const { result } = await waitingFor({ profile: "read_only", lang });
  expect(result.summary).toContain(sentence);
  expect(result.summary).toContain("towow-mcp config");
});

it("where one of two is left out, the other is named, and takes the person's yes", async () => {
  const { p, result } = await waitingFor({ ...DEVELOPER, exclude_tools: "towow_demand" });
  const { tool, params } = result.data.resume_with;
  expect(tool).toBe("towow_confirm");
  const decided = await p.call(tool, { ...params, decision: "accept" });
  expect(decided.result).toMatchObject({ error: null, data: { decision: "accept" } });
});

it("a submit leads to a tool that may be called", async () => {
  const world = await createWorld();
  const p = await world.process({ flags: { ...DEVELOPER, exclude_tools: "towow_confirm" } });
  const submitted = await p.call("towow_submit_demand", { scene_id: world.sceneId, intent: "A nurse" });
  expect(submitted.result.data.resume_with.tool).toBe("towow_demand");
});
