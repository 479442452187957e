import { describe, expect, it } from "vitest";
import { cancels, confirms, requests } from "../support/backend.ts";
import type { Answer } from "../support/clients.ts";
import { createWorld, PROFILE, type Process, type World } from "../support/world.ts";
import { ACCEPT, INTENT } from "./pause-support.ts";

/** The policy in the moment of the answer counts, not the one under which it was asked. */
const DEVELOPER = { flags: { mode: "developer" } };
const SHORT = (world: World) => world.mock.engine.formulateWith((intent) => `${intent}, by the network`);
const registrations = (world: World) => requests(world.mock, "POST", /\/agents$/);

/** A client whose hook fills in forms; the policy becomes strict while the first of them is open. */
async function tightenedWhileAsked(how: Answer, stepMs?: number) {
  const world = await createWorld({ ...(stepMs !== undefined && { stepMs }) });
  SHORT(world);
  const p: Process = await world.process({
    ...DEVELOPER,
    answer: () => {
      p.settings.confirmation_policy = "strict";
      return how;
    },
  });
  return { world, p };
}

describe("strict while a form is open", () => {
  it.each([
    ["accept", ACCEPT],
    ["its own text", { action: "accept", content: { decision: "edit", confirmed_text: "Mine" } } as Answer],
  ])("%s in it decides nothing, and the pause stays", async (_, how) => {
    const { world, p } = await tightenedWhileAsked(how);
    const { result } = await p.call("towow_demand", { intent: INTENT });
    expect(p.forms).toHaveLength(1);
    expect(confirms(world.mock)).toEqual([]);
    const { negotiation_id } = result.data ?? {};
    expect((await p.negotiations.stage(negotiation_id ?? world.mock.negotiations()[0]?.negotiation_id)).name).toBe(
      "asking",
    );
  });

  it("a no in it still withdraws", async () => {
    const { world, p } = await tightenedWhileAsked({ action: "accept", content: { decision: "reject" } });
    await p.call("towow_demand", { intent: INTENT });
    expect(cancels(world.mock)).toHaveLength(1);
  });

  it("the second form, for one's own text, decides nothing either", async () => {
    const world = await createWorld();
    SHORT(world);
    const p: Process = await world.process({
      ...DEVELOPER,
      answer: ({ requestedSchema }) => {
        if (!("confirmed_text" in (requestedSchema?.properties ?? {})))
          return { action: "accept", content: { decision: "edit" } };
        p.settings.confirmation_policy = "strict";
        return { action: "accept", content: { confirmed_text: "Mine" } };
      },
    });
    await p.call("towow_demand", { intent: INTENT });
    expect(p.forms).toHaveLength(2);
    expect(confirms(world.mock)).toEqual([]);
  });

  it("a no to a profile in it is still the person's no", async () => {
    const { world, p } = await tightenedWhileAsked({ action: "accept", content: { decision: "reject" } });
    const args = { scene: world.sceneId, display_name: "Lin", profile_data: PROFILE };
    expect((await p.call("towow_join", args)).result.warnings).toEqual(["declined"]);
    expect(registrations(world)).toEqual([]);
  });

  it("a yes to a profile, or to a cancel of what is broadcast, does nothing", async () => {
    const { world, p } = await tightenedWhileAsked(ACCEPT);
    await p.call("towow_join", { scene: world.sceneId, display_name: "Lin", profile_data: PROFILE });
    expect(p.forms).toHaveLength(1);
    expect(registrations(world)).toEqual([]);
  });
});

describe("strict while something waits for an argument", () => {
  it("the id that was given for it decides nothing any more", async () => {
    const world = await createWorld();
    const p = await world.process(DEVELOPER);
    const { params } = (await p.call("towow_demand", { intent: INTENT })).result.data.resume_with;
    p.settings.confirmation_policy = "strict";
    for (const tool of ["towow_demand", "towow_confirm"])
      expect((await p.call(tool, { ...params, decision: "accept" })).result.error?.code).toBe(
        "tool.policy.blocked.confirmation_required",
      );
    expect(confirms(world.mock)).toEqual([]);
  });

  it("nor does the hash of a profile that was shown", async () => {
    const world = await createWorld();
    const p = await world.process(DEVELOPER);
    const args = { scene: world.sceneId, display_name: "Lin", profile_data: PROFILE };
    const { params } = (await p.call("towow_join", args)).result.data.resume_with;
    p.settings.confirmation_policy = "strict";
    await p.call("towow_join", { ...args, ...params });
    expect(registrations(world)).toEqual([]);
  });
});
