import { describe, expect, it } from "vitest";
import type { NegotiationKey } from "../../src/negotiation/facts.ts";
import { only, pauseWithoutForms } from "../ask/pause-support.ts";
import { cancels, confirms } from "../support/backend.ts";
import { createWorld } from "../support/world.ts";

const DRY = { flags: { profile: "dry_run", mode: "developer" } };

async function paused() {
  const world = await createWorld();
  const live = await world.process();
  const params = await pauseWithoutForms(world, live);
  return { world, live, params };
}

describe("under dry_run", () => {
  it.each([
    ["towow_demand", { decision: "accept" }, "confirm"],
    ["towow_demand", { decision: "edit", confirmed_text: "Mine" }, "confirm"],
    ["towow_demand", { decision: "cancel" }, "action"],
    ["towow_confirm", { decision: "reject" }, "action"],
    ["towow_action", { action: "cancel" }, "action"],
  ])("%s with %o is shown and not decided: the person still decides", async (tool, decision, route) => {
    const { world, live, params } = await paused();
    const dry = await world.process(DRY);
    const { confirmation_id, negotiation_id } = params;
    const asked = tool === "towow_action" ? { negotiation_id } : { negotiation_id, confirmation_id };
    const { result } = await dry.call(tool, { ...asked, ...decision });
    expect(result).toMatchObject({ error: null, warnings: ["dry_run"] });
    expect(result.meta.would_send?.url).toMatch(new RegExp(`/${negotiation_id}/${route}$`));
    const { result: decided } = await live.call("towow_demand", { ...params, decision: "accept" });
    expect(decided).toMatchObject({ error: null, data: { decision: "accept" } });
    expect([confirms(world.mock).length, cancels(world.mock).length]).toEqual([1, 0]);
  });

  it("a look takes nothing over: another program withdraws in time", async () => {
    const { world, live, params } = await paused();
    world.dead.add(live.pid);
    const dry = await world.process(DRY);
    await dry.call("towow_status", { negotiation_id: params.negotiation_id });
    await world.clock.advance(5_000);
    const [key] = await world.facts.list();
    const names = [...(await world.facts.read(key as NegotiationKey)).keys()];
    expect(names.filter((name) => name.startsWith("watched"))).toEqual([]);
    const next = await world.process();
    await world.clock.run(next.negotiations.recover());
    await world.clock.advance(300_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0, confirmedBy: undefined });
  });

  it("what was submitted before is still withdrawn in time", async () => {
    const { world, live } = await paused();
    live.settings.profile = "dry_run";
    await world.clock.advance(300_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0, confirmedBy: undefined });
  });
});
