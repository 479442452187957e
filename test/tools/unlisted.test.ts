import { describe, expect, it } from "vitest";
import { createWorld } from "../support/world.ts";

/** A tool that is not listed says what has to be changed for it, and leads to no call that changes nothing (agent layer §6). */

describe.each<[string, Record<string, unknown>, string, string, RegExp]>([
  [
    "a toolset without it",
    { toolset: "readonly" },
    "towow_demand",
    "tool.policy.blocked.inactive_toolset",
    /--toolset normal or all/,
  ],
  [
    "a toolset of other tools",
    { toolset: "reports" },
    "towow_demand",
    "tool.policy.blocked.inactive_toolset",
    /--toolset normal or all/,
  ],
  ["the other mode", {}, "towow_list_scenes", "tool.policy.blocked.inactive_tool", /towow_set_mode/],
  [
    "an allow list",
    { allow_tools: "towow_status" },
    "towow_demand",
    "tool.policy.blocked.tool_left_out",
    /towow-mcp config shows where allow_tools is set/,
  ],
  [
    "an exclude list",
    { exclude_tools: "towow_demand" },
    "towow_demand",
    "tool.policy.blocked.tool_left_out",
    /exclude_tools/,
  ],
  [
    "the other mode, and no way to change it",
    { exclude_tools: "towow_set_mode" },
    "towow_list_scenes",
    "tool.policy.blocked.inactive_tool",
    /if the person wants that/,
  ],
])("hidden by %s", (_, flags, tool, code, recovery) => {
  it("names the cause, and the next calls are listed ones", async () => {
    const world = await createWorld();
    const p = await world.process({ flags });
    const { error } = (await p.call(tool, { intent: "anything" })).result;
    expect(error).toMatchObject({ code, recovery_suggestion: expect.stringMatching(recovery) });
    const listed = (await p.client.listTools()).tools.map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(error?.next_steps ?? []));
    const { resume_with: resume } = error ?? {};
    // Nothing goes on from a demand without its text.
    if (tool !== "towow_demand") expect([tool, ...listed]).toContain(resume?.tool);
    else expect(resume).toBeUndefined();
  });
});

it("a mode says that a toolset stands above it", async () => {
  const world = await createWorld();
  const p = await world.process({ flags: { toolset: "all" } });
  const { result } = await p.call("towow_set_mode", { mode: "developer", persist: false });
  expect(result.summary).toContain('runs with the toolset "all"');
  expect(result.summary).not.toContain("Most clients");
});

it("offline with a backend elsewhere: what would go there is marked, in the list and in the policy", async () => {
  const world = await createWorld();
  const p = await world.process({
    flags: { profile: "offline", backend_url: "https://towow.example", mode: "developer" },
  });
  const { tools } = await p.client.listTools();
  const marked = tools.filter(({ _meta }) => _meta?.["towow/active"] !== undefined).map(({ name }) => name);
  expect(marked).toEqual(expect.arrayContaining(["towow_demand", "towow_status", "towow_list_scenes"]));
  expect(marked).not.toContain("towow_set_mode");
  const { error } = (await p.call("towow_status")).result;
  expect(error?.code).toBe("tool.policy.blocked.offline");
});
