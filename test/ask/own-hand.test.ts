import { describe, expect, it } from "vitest";
import { createWorld, PROFILE, type Process, type ProcessOptions, type World } from "../support/world.ts";
import { INTENT } from "./pause-support.ts";

const IN_HALF_A_DAY = 43_200_000;

/** A client without forms and pages, in a home where others' text was read. */
async function afterOthersText(options: ProcessOptions = {}) {
  const world = await createWorld();
  const p = await world.process(options);
  const { result } = await p.call("towow_demand", { intent: INTENT });
  await world.tainted.keep(world.clock.now() + IN_HALF_A_DAY, IN_HALF_A_DAY);
  return { world, p, id: result.data.negotiation_id as string };
}

const joining = ({ sceneId }: World) => ({ scene: sceneId, display_name: "Lin", profile_data: PROFILE });

/** What somebody reads who was refused, without the code. */
async function refused(p: Process, tool: string, args: Record<string, unknown>) {
  const { result } = await p.call(tool, args);
  return `${result.error?.message} ${result.error?.recovery_suggestion}`;
}

describe("a refused profile names what there is", () => {
  it("the page, where one has opened", async () => {
    const { world, p } = await afterOthersText();
    const said = await refused(p, "towow_join", joining(world));
    expect(p.opened).toHaveLength(1);
    expect(said).toContain("A page has opened in the person's browser.");
    expect(said).not.toMatch(/towow-mcp|\bif\b/i);
  });

  it("the command, where none can: what the person sends is left to them", async () => {
    const { world, p } = await afterOthersText({ browser: "none" });
    const said = await refused(p, "towow_join", joining(world));
    expect(said).toContain("towow-mcp call towow_join scene=… profile_data=… display_name=…");
    expect(said).not.toMatch(/\bpage\b|Lin/);
  });

  it("a tool of the developer mode with its mode", async () => {
    const { world, p } = await afterOthersText({ browser: "none", flags: { mode: "developer" } });
    const scene = await refused(p, "towow_create_scene", { name: "A scene", description: "of mine" });
    expect(scene).toContain("towow-mcp call towow_create_scene --mode developer name=… description=…");
    const profile = await refused(p, "towow_register_agent", {
      scene_id: world.sceneId,
      display_name: "Lin",
      profile_data: PROFILE,
    });
    expect(profile).toContain(
      `towow-mcp call towow_register_agent --mode developer scene_id=${world.sceneId} display_name=… profile_data=… source_type=`,
    );
  });

  it("in Chinese too", async () => {
    const { world, p } = await afterOthersText({ browser: "none", flags: { lang: "zh" } });
    expect(await refused(p, "towow_join", joining(world))).toContain("请当事人在自己的终端里亲手完成：towow-mcp call ");
    const there = await afterOthersText({ flags: { lang: "zh" } });
    expect(await refused(there.p, "towow_join", joining(there.world))).toContain("页面已在当事人的浏览器里打开");
  });
});

describe("a refused yes says why once, and names what there is", () => {
  const yes = (negotiation_id: string) => ({ negotiation_id, decision: "accept" });

  it("the terminal, where no browser can be opened", async () => {
    const { p, id } = await afterOthersText({ browser: "none" });
    const said = await refused(p, "towow_demand", yes(id));
    expect(said.match(/within the last day/g)).toHaveLength(1);
    expect(said.match(new RegExp(`towow-mcp confirm ${id}`, "g"))).toHaveLength(1);
    expect(said).not.toMatch(/\bpage\b/);
  });

  it("the page at an address where the person is elsewhere: no terminal of theirs reaches it", async () => {
    const { p, id } = await afterOthersText({ browser: "elsewhere" });
    const said = await refused(p, "towow_demand", yes(id));
    expect(said).toContain(
      "The person decides on their page: towow_demand with this negotiation_id gives its address.",
    );
    expect(said).not.toContain("towow-mcp");
    const { result } = await p.call("towow_status", { negotiation_id: id });
    expect(result.summary).not.toContain("towow-mcp");
  });
});

describe("what was not submitted here", () => {
  async function elsewhere(options: ProcessOptions) {
    const world = await createWorld();
    const there = await world.process({ stranger: "elsewhere" });
    const { result } = await there.call("towow_demand", { intent: INTENT });
    return { p: await world.process(options), id: result.data.negotiation_id as string };
  }

  it("is decided on in the terminal that there is, and stopped with its own command", async () => {
    const { p, id } = await elsewhere({ browser: "none" });
    const decided = await refused(p, "towow_demand", { negotiation_id: id, decision: "accept" });
    expect(decided.match(/not submitted here/g)).toHaveLength(1);
    expect(decided).toContain(`towow-mcp confirm ${id}`);
    const stopped = await refused(p, "towow_demand", { negotiation_id: id, decision: "cancel" });
    expect(stopped).toContain(`towow-mcp cancel ${id}`);
    expect(`${decided}${stopped}`).not.toMatch(/\bpage\b/);
  });

  it("is stopped on the page that has opened", async () => {
    const { p, id } = await elsewhere({});
    const said = await refused(p, "towow_demand", { negotiation_id: id, decision: "cancel" });
    expect(said).toContain("A page has opened in the person's browser.");
    expect(said).not.toContain("towow-mcp");
  });
});

it("under strict a refused profile names the call, not a text that waits", async () => {
  const world = await createWorld();
  const p = await world.process({ browser: "none", config: { confirmation_policy: "strict" } });
  const said = await refused(p, "towow_join", joining(world));
  expect(said).toContain("towow-mcp call towow_join ");
  expect(said).not.toContain("confirm");
});
