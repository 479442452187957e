import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { confirms, type RunningMock, submits } from "../support/backend.ts";
import { cli } from "../support/cli.ts";
import type { Session } from "../support/clients.ts";
import { sendProfile } from "../support/profile.ts";
import { about, pauseAt, SAME_IDS, switchTo, type TwoBackends, twoBackends } from "../support/two-backends.ts";
import { NOBODY_DECIDED, one, twoGuarded } from "./origins-support.ts";

/** What a home keeps of two backends (contract §3) is each one's own. */

describe("the last scene and negotiation", () => {
  async function joined(): Promise<
    TwoBackends & { session: Session; sceneId: string; params: Record<string, string> }
  > {
    const world = await twoBackends();
    const session = await world.server();
    const made = await session.call("towow_create_scene", { name: "Only at A", description: "A scene" });
    const sceneId = made.result.data.scene_id as string;
    await sendProfile(session.call, "towow_join", {
      scene: sceneId,
      display_name: "Lin",
      profile_data: { skills: ["a", "b", "c"], bio: "Somebody who builds small, reliable services." },
    });
    const params = await pauseAt({ ...world.a, sceneId } as RunningMock, session);
    return { ...world, session, sceneId, params };
  }

  it("are each backend's own, and are there again after switching back", async () => {
    const { session, sceneId, params, ...world } = await joined();
    const url = (mock: RunningMock) => new URL(mock.url).origin;
    await switchTo(world.b, world, session);
    expect((await session.call("towow_status")).result.error?.code).toBe("tool.negotiation.not_found.none_yet");
    expect((await session.call("towow_demand", { intent: "X" })).result.error?.code).toBe(
      "tool.scene.not_found.none_joined",
    );
    const who = async () => JSON.parse((await cli(["whoami", "--json"], { env: world.env })).stdout);
    expect(await who()).toMatchObject({ last_scene_id: null, last_negotiation_id: null });
    expect(about(world.b, sceneId)).toEqual([]);
    expect(world.file().last_scene_id).not.toBe(sceneId);

    const atB = await pauseAt(world.b, session);
    expect(world.file()).toMatchObject({
      last_negotiation_id: atB.negotiation_id,
      identities: {
        [url(world.a)]: { last_scene_id: sceneId, last_negotiation_id: params.negotiation_id },
        [url(world.b)]: { last_negotiation_id: atB.negotiation_id },
      },
    });
    await switchTo(world.a, world, session);
    expect((await session.call("towow_status")).result.data.negotiation_id).toBe(params.negotiation_id);
    expect(await who()).toMatchObject({ last_scene_id: sceneId, last_negotiation_id: params.negotiation_id });
    expect((await session.call("towow_submit_demand", { scene_id: sceneId, intent: "Y" })).result.error).toBeNull();
    expect(world.file()).toMatchObject({ last_scene_id: sceneId });
    expect(about(world.b, params.negotiation_id)).toEqual([]);
  });

  it("of a file of an older version belong to the backend whose identity it mirrors", async () => {
    const { session, sceneId, params, ...world } = await joined();
    await session.close();
    const { identities, ...old } = world.file();
    const plain = Object.entries(identities as object).map(([at, { user_id, api_token }]) => [
      at,
      { user_id, api_token },
    ]);
    world.edit({ ...old, identities: Object.fromEntries(plain), backend_url: world.b.url });
    const later = await world.server();
    expect((await later.call("towow_status")).result.error?.code).toBe("tool.negotiation.not_found.none_yet");
    expect((await later.call("towow_demand", { intent: "X" })).result.error?.code).toBe(
      "tool.scene.not_found.none_joined",
    );
    await later.call("towow_list_scenes");
    expect([...about(world.b, params.negotiation_id), ...about(world.b, sceneId)]).toEqual([]);
    await switchTo(world.a, world, later);
    expect((await later.call("towow_status")).result.data?.negotiation_id).toBe(params.negotiation_id);
  });

  it("a list that is kept for a session is its own backend's", async () => {
    const { session, ...world } = await joined();
    const names = async () => (await session.call("towow_list_scenes", { status: "active" })).text;
    expect(await names()).toContain("Only at A");
    await switchTo(world.b, world, session);
    expect(await names()).not.toContain("Only at A");
  });
});

describe("both backends hand out the same id", () => {
  const bothPaused = async <W extends TwoBackends>(world: W) => {
    const session = await world.server();
    const atA = await pauseAt(world.a, session);
    await switchTo(world.b, world, session);
    const atB = await pauseAt(world.b, session); // the same demand, which is no duplicate there
    expect(atB.negotiation_id).toBe(atA.negotiation_id);
    expect([submits(world.a).length, submits(world.b).length]).toEqual([1, 1]);
    return { ...world, session, atA, atB };
  };

  it("a decision is one backend's", async () => {
    const { session, atA, atB, ...world } = await bothPaused(await twoBackends({}, SAME_IDS));
    const crossed = await session.call("towow_demand", { ...atA, decision: "accept" });
    expect(crossed.result.error?.code).toBe("tool.negotiation.invalid.confirmation_id");
    const rejected = await session.call("towow_demand", { ...atB, decision: "reject" });
    expect(rejected.result.data?.decision).toBe("reject");
    expect([one(world.a)?.cancelled, one(world.b)?.cancelled]).toEqual([false, true]);
    await switchTo(world.a, world, session);
    expect((await session.call("towow_status")).result.data.open).toHaveLength(1);
    const accepted = await session.call("towow_demand", { ...atA, decision: "accept" });
    expect(accepted.result.data?.decision, accepted.text).toBe("accept");
    expect([confirms(world.a).length, confirms(world.b).length]).toEqual([1, 0]);
  });

  it("both guards withdraw, each at its own", async () => {
    const { session, ...world } = await bothPaused(await twoGuarded(SAME_IDS));
    await world.untilDue();
    for (const mock of [world.a, world.b]) expect(one(mock)).toMatchObject({ cancelled: true, ...NOBODY_DECIDED });
    const status = await session.call("towow_status");
    expect(status.result.summary).toContain("withdrawn");
  });

  it("forget erases what is kept of both", async () => {
    const { session, ...world } = await bothPaused(await twoBackends({}, SAME_IDS));
    await session.close();
    expect([one(world.a)?.cancelled, one(world.b)?.cancelled]).toEqual([true, true]);
    const { stdout, stderr, status } = await cli(["forget", "--yes"], { env: world.env });
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/\b2\b/);
    expect(readdirSync(join(world.home, "history"))).toEqual([]);
    expect(JSON.stringify(world.file())).not.toContain("last_negotiation_id");
  });
});

it("in a terminal without a configured backend, the negotiation that is named tells which one is meant", async () => {
  const world = await twoBackends({ backend_url: undefined });
  const first = await world.server({ TOWOW_BACKEND_URL: world.a.url });
  const params = await pauseAt(world.a, first);
  await first.call("towow_demand", { ...params, decision: "reject" });
  const second = await world.server({ TOWOW_BACKEND_URL: world.b.url });
  await pauseAt(world.b, second);
  const { stdout, stderr, status } = await cli(["watch", `${params.negotiation_id}`], { env: world.env });
  expect([status, stderr], stdout).toEqual([0, ""]);
  expect(about(world.b, params.negotiation_id)).toEqual([]);
});
