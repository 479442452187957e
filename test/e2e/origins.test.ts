import { describe, expect, it } from "vitest";
import { cancels, confirms } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import { legacyClient, modernClient } from "../support/clients.ts";
import { soon } from "../support/soon.ts";
import { about, pauseAt, SAME_IDS, switchTo, twoBackends } from "../support/two-backends.ts";
import { everythingWith, NOBODY_DECIDED, one, twoGuarded } from "./origins-support.ts";

/** Two backends, one home (contract §3): what is one's own at one of them is not known, sent or decided at the other. */

describe("an id of one backend, asked about at another", () => {
  it("in the very server whose backend_url was edited: nothing is sent, and the guard withdraws where it began", async () => {
    const world = await twoGuarded();
    const session = await world.server();
    const params = await pauseAt(world.a, session);
    await switchTo(world.b, world, session);
    await everythingWith(session, params);
    expect((await session.call("towow_status")).result.error?.code).toBe("tool.negotiation.not_found.none_yet");
    await world.untilDue();
    expect(one(world.a)).toMatchObject({ cancelled: true, ...NOBODY_DECIDED });
    expect(about(world.b, params.negotiation_id)).toEqual([]);
  });

  it("in a second server: nothing is sent, and the first one's guard stays at work", async () => {
    const world = await twoGuarded();
    const [first, second] = [await world.server(), await world.server({ TOWOW_BACKEND_URL: world.b.url })];
    const params = await pauseAt(world.a, first);
    await everythingWith(second, params);
    const { clock, env } = world;
    const watching = cli(["watch", `${params.negotiation_id}`], {
      env: { ...env, TOWOW_BACKEND_URL: world.b.url },
      clock,
    });
    const { stderr } = await clock.run(watching);
    expect(stderr).toContain("tool.negotiation.not_found.other_backend");
    expect((await second.call("towow_status", {})).result.error?.code).toBe("tool.negotiation.not_found.none_yet");
    await world.untilDue();
    expect(one(world.a)).toMatchObject({ cancelled: true, ...NOBODY_DECIDED });
    expect(about(world.b, params.negotiation_id)).toEqual([]);
  });

  it("back at the first backend the pause is listed, and decided with the question that was asked", async () => {
    const world = await twoBackends();
    const session = await world.server();
    const params = await pauseAt(world.a, session);
    await switchTo(world.b, world, session);
    await everythingWith(session, params);
    await switchTo(world.a, world, session);
    const status = await session.call("towow_status");
    expect(status.result.data).toMatchObject({
      negotiation_id: params.negotiation_id,
      open: [{ negotiation_id: params.negotiation_id }],
    });
    const accepted = await session.call("towow_demand", { ...params, decision: "accept" });
    expect(accepted.result.data?.decision, accepted.text).toBe("accept");
    expect(confirms(world.a)).toHaveLength(1);
  });

  it.each(["an address that is none", undefined])("backend_url becomes %s: the guard goes on", async (backend_url) => {
    const world = await twoGuarded();
    const session = await world.server();
    await pauseAt(world.a, session);
    world.edit({ backend_url });
    const code = async () => (await session.call("towow_list_scenes", { fresh: true })).result.error?.code;
    await soon(code).toMatch(/^tool\.config\.invalid\./);
    await world.untilDue();
    expect(one(world.a)).toMatchObject({ cancelled: true, ...NOBODY_DECIDED });
  });

  it("the server ends after the edit: the pause is withdrawn where it is", async () => {
    const world = await twoBackends();
    const session = await world.server();
    const params = await pauseAt(world.a, session);
    await switchTo(world.b, world, session);
    await session.close();
    expect(one(world.a)).toMatchObject({ cancelled: true, ...NOBODY_DECIDED });
    expect(about(world.b, params.negotiation_id)).toEqual([]);
  });
});

describe.each([
  ["2025", legacyClient],
  ["2026", modernClient],
] as const)("a form of the %s era that is answered after the edit", (_, client) => {
  it.each(["accept", "reject"])("%s goes to the backend that it was asked for", async (decision) => {
    const world = await twoBackends({}, SAME_IDS);
    let asking = () => {};
    const asked = new Promise<void>((resolve) => {
      asking = resolve;
    });
    let answer = (_: { action: "accept"; content: Record<string, string> }) => {};
    const answered = new Promise<{ action: "accept"; content: Record<string, string> }>((resolve) => {
      answer = resolve;
    });
    const session = await client({ env: world.env }, () => {
      asking();
      return answered;
    });
    const call = session.call("towow_demand", { intent: "A designer", scene_id: world.a.sceneId });
    await asked;
    await switchTo(world.b, world, session);
    const other = await world.server({ TOWOW_BACKEND_URL: world.b.url });
    await other.call("towow_submit_demand", { intent: "B", scene_id: world.b.sceneId });
    expect(one(world.b)?.negotiation_id).toBe(one(world.a)?.negotiation_id);
    answer({ action: "accept", content: { decision } });
    const { result, text } = await call;
    expect(result.data?.decision, text).toBe(decision);
    expect([confirms(world.a).length, cancels(world.a).length]).toEqual(decision === "accept" ? [1, 0] : [0, 1]);
    expect([...confirms(world.b), ...cancels(world.b)]).toEqual([]);
  });
});
