import { describe, expect, it } from "vitest";
import { TokenRejected } from "../../src/backend/errors.ts";
import { Subscriptions } from "../../src/mcp/subscriptions.ts";
import type { Negotiations } from "../../src/negotiation/service.ts";
import { requests } from "../support/backend.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";
import { sendProfile } from "../support/profile.ts";
import { createWorld, PROFILE } from "../support/world.ts";

async function underWay() {
  const world = await createWorld();
  const p = await world.process({ flags: { mode: "developer" }, answer: () => ({ action: "cancel" }) });
  await sendProfile(p.call, "towow_register_agent", {
    scene_id: world.sceneId,
    display_name: "Ann",
    profile_data: PROFILE,
  });
  const { result } = await p.call("towow_submit_demand", { scene_id: world.sceneId, intent: "A designer" });
  const uri = `towow://negotiations/${result.data.negotiation_id}`;
  const news: string[] = [];
  p.client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
    news.push(params.uri);
  });
  const polls = () => requests(world.mock, "GET", /negotiations\//).length;
  return { world, p, uri, news, polls };
}

describe("a negotiation that is subscribed to", () => {
  it("sends news of each change, from one poller however many ask, and none after it is left", async () => {
    const { world, p, uri, news, polls } = await underWay();
    await world.clock.run(p.client.subscribeResource({ uri }));
    await world.clock.run(p.client.subscribeResource({ uri }));
    await world.clock.run(p.client.subscribeResource({ uri: `${uri}/plan` }));
    await world.clock.advance(5_000);
    expect(news.filter((one) => one === uri).length).toBeGreaterThan(0);
    expect(news.filter((one) => one === uri).length).toBe(news.filter((one) => one === `${uri}/plan`).length);
    await world.clock.run(p.client.unsubscribeResource({ uri }));
    await world.clock.run(p.client.unsubscribeResource({ uri: `${uri}/plan` }));
    const before = polls();
    await world.clock.run(p.client.unsubscribeResource({ uri })); // the second of two
    await world.clock.advance(30_000);
    expect(polls() - before).toBeLessThanOrEqual(1);
  });

  it("outlives a backend that was away: news comes again once it is back", async () => {
    const { world, p, uri, news } = await underWay();
    await world.clock.advance(5_000);
    await world.clock.run(p.client.subscribeResource({ uri }));
    world.mock.faults.add({ route: "get", kind: "html", times: 3 });
    await world.clock.advance(60_000);
    expect(news).toEqual([]);
    await world.clock.advance(240_000); // undecided: it is withdrawn
    expect(news).toEqual([uri]);
  });

  it("nothing is polled once the client has gone", async () => {
    const { world, p, uri, polls } = await underWay();
    await world.clock.run(p.client.subscribeResource({ uri }));
    await p.client.close();
    await world.clock.advance(1_000);
    const before = polls();
    await world.clock.advance(30_000);
    expect(polls()).toBe(before);
  });
});

it("who waits for the first look when everything is closed is not kept waiting", async () => {
  const never = { subscribe: () => () => {} } as unknown as Negotiations;
  const subscriptions = new Subscriptions(platformWith(new ManualClock()), {
    negotiations: () => never,
    updated: () => {},
  });
  const added = subscriptions.add("towow://negotiations/neg_1");
  subscriptions.close();
  expect(await added).toBeUndefined();
});

it("what begins anew after its end is not ended by who listened before", async () => {
  const seen: { next: (n: unknown) => void; fail: (error: unknown) => void; isStopped: boolean }[] = [];
  const negotiations = {
    subscribe(_: string, { next, fail }: { next: () => void; fail: () => void }) {
      const one = { next, fail, isStopped: false };
      seen.push(one);
      return () => {
        one.isStopped = true;
      };
    },
  } as unknown as Negotiations;
  const news: string[] = [];
  const subscriptions = new Subscriptions(platformWith(new ManualClock()), {
    negotiations: () => negotiations,
    updated: (uri) => news.push(uri),
  });
  const uri = "towow://negotiations/neg_1";
  const snapshot = (state: string) => ({ negotiation_id: "neg_1", state, participants: [], sub_session_ids: [] });
  const begin = async () => {
    const added = subscriptions.add(uri);
    seen.at(-1)?.next(snapshot("formulated"));
    return (await added)!;
  };
  const leaveFirst = await begin();
  seen[0]?.fail(new TokenRejected({ operation: "getNegotiation" }));
  const leaveSecond = await begin();
  leaveFirst();
  leaveFirst();
  expect(seen[1]?.isStopped).toBe(false);
  seen[1]?.next(snapshot("offering"));
  expect(news).toEqual([uri]);
  leaveSecond();
  expect(seen[1]?.isStopped).toBe(true);
});
