import { describe, expect, it } from "vitest";
import { textsOf } from "../../src/text/index.ts";
import { requests } from "../support/backend.ts";
import { createWorld, PROFILE, type World } from "../support/world.ts";

const registrations = (world: World) => requests(world.mock, "POST", /\/agents$/);
const DEVELOPER = { flags: { mode: "developer" } };
const WITH_PHONE = { ...PROFILE, bio: `${PROFILE.bio} Call 13800138000.`, interests: ["chess"] };

const TOOLS = {
  towow_join: (world: World, profile_data: object = WITH_PHONE) => ({
    scene: world.sceneId,
    display_name: "Lin",
    profile_data,
  }),
  towow_register_agent: (world: World, profile_data: object = WITH_PHONE) => ({
    scene_id: world.sceneId,
    display_name: "Lin",
    profile_data,
  }),
} as const;
const NAMES = Object.keys(TOOLS) as (keyof typeof TOOLS)[];

describe.each(NAMES)("%s, where no surface shows a profile", (tool) => {
  const argsOf = TOOLS[tool];

  it("returns it whole, with what was found in it; a second call with its hash sends exactly that", async () => {
    const world = await createWorld();
    const p = await world.process(DEVELOPER);
    const shown = await p.call(tool, argsOf(world));
    expect(registrations(world)).toEqual([]);
    expect(shown.result).toMatchObject({ status: "empty", error: null, warnings: ["shown_first"] });
    for (const part of ["Lin", "figma", WITH_PHONE.bio, "chess", "cannot delete it"]) {
      expect(shown.result.summary).toContain(part);
      expect(shown.text).toContain(part);
    }
    expect(shown.result.summary).toContain("phone number");
    const { profile_hash, resume_with } = shown.result.data;
    expect(resume_with).toMatchObject({ needs: ["consent"], pass_back: ["profile_hash"] });
    const again = await p.call(tool, resume_with.params); // without the person's word it is shown again
    expect(again.result.data).toMatchObject({ profile_hash, resume_with });
    expect(registrations(world)).toEqual([]);
    const sent = await p.call(tool, { ...resume_with.params, profile_hash });
    expect(sent.result.data.agent_id).toBeTruthy();
    expect(registrations(world)).toHaveLength(1);
  });

  it("names personal data also where a character that nobody sees stands in it", async () => {
    const world = await createWorld();
    const p = await world.process(DEVELOPER);
    const bio = "I build services. Call 138\u200B1234\u20605678";
    const shown = await p.call(tool, argsOf(world, { ...WITH_PHONE, bio }));
    expect(shown.result.summary).toContain("phone number");
    expect(shown.result.summary).toContain(bio); // it is the person's own text
  });

  it("sends nothing by a hash that is another profile's, made up, or computed and not given", async () => {
    const world = await createWorld();
    const p = await world.process(DEVELOPER);
    const { profile_hash } = (await p.call(tool, argsOf(world, PROFILE))).result.data;
    for (const changes of [
      { ...argsOf(world), profile_hash },
      { ...argsOf(world, PROFILE), display_name: "Min", profile_hash },
      { ...argsOf(world, PROFILE), profile_hash: "0123456789abcdef" },
    ]) {
      const { result } = await p.call(tool, changes);
      expect(result.warnings).toEqual(["shown_first"]);
      expect(result.summary).toContain(textsOf("en").permission.otherHash);
    }
    // The same hash in another session, which was given nothing.
    const other = await world.process(DEVELOPER);
    const { result } = await other.call(tool, { ...argsOf(world, PROFILE), profile_hash });
    expect(result.warnings).toEqual(["shown_first"]);
    expect(result.summary).toContain(textsOf("en").permission.notShown);
    expect(registrations(world)).toEqual([]);
  });

  it.each(["strict", "tainted"])("%s: no hash sends it, only the person's own hand", async (why) => {
    const world = await createWorld();
    const config = { confirmation_policy: why === "strict" ? "strict" : "auto" };
    const first = await world.process(DEVELOPER);
    const { profile_hash } = (await first.call(tool, argsOf(world))).result.data;
    if (why === "tainted") await world.tainted.keep(world.clock.now() + 3_600_000, 3_600_000);
    const p = why === "strict" ? await world.process({ ...DEVELOPER, config }) : first;
    const refused = await p.call(tool, { ...argsOf(world), profile_hash });
    expect(refused.result.error?.code).toMatch(/^tool\.policy\.blocked\./);
    expect(registrations(world)).toEqual([]);
    expect(p.opened).toHaveLength(1);
    await p.sends[0]?.decide("accept", "own_window");
    await p.call(tool, { ...argsOf(world), profile_hash });
    expect(registrations(world)).toHaveLength(1);
  });

  it.each(["auto", "strict"])("in the terminal of a command the person reads it and says yes (%s)", async (policy) => {
    for (const isYes of [true, false]) {
      const world = await createWorld();
      const asked: string[] = [];
      const p = await world.process({
        ...DEVELOPER,
        config: { confirmation_policy: policy },
        fromCommandLine: true,
        atTerminal: async ({ text, beside }) => {
          asked.push(text, ...beside);
          return isYes;
        },
      });
      await p.call(tool, argsOf(world));
      expect(asked.join("\n")).toMatch(/chess[\s\S]*phone number/);
      expect(registrations(world)).toHaveLength(isYes ? 1 : 0);
    }
  });
});

it("what is shown names the agent whose profile it replaces, and the scene that a name stands for", async () => {
  const world = await createWorld();
  const p = await world.process(DEVELOPER);
  const args = { ...TOOLS.towow_register_agent(world), agent_id: "somebody_else" };
  expect((await p.call("towow_register_agent", args)).text).toContain(
    "It is sent as somebody_else, which is not your id.",
  );
  const name = world.mock.scenes()[0]?.name ?? "";
  const joining = await p.call("towow_join", { ...TOOLS.towow_join(world), scene: name });
  expect(joining.result.summary).toContain(`Scene: ${world.sceneId} (scene_name holds its name)`);
  expect(joining.result.data.scene_name).toBe(name);
});
