import { expect, it, onTestFinished } from "vitest";
import type { FeedEvent } from "../../src/backend/feed/events.ts";
import type { FeedListener } from "../../src/backend/feed/open-feed.ts";
import { Feeds } from "../../src/feed/feeds.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";

interface Connection extends FeedListener {
  id: string;
  isOpen: boolean;
}

const RESONANCE: FeedEvent = {
  type: "resonance.activated",
  id: "evt_1",
  data: { activated_count: 1, filtered_agents: [], filtered_count: 3 },
};
const CALL: FeedEvent = { type: "center.tool_call", id: "evt_2", data: { tool_name: "output_plan", round_number: 1 } };

/** Feeds whose connections the test holds in its hand. */
function connecting(answer: () => "open" | "refuse" | "never" = () => "open", stays = true) {
  const clock = new ManualClock();
  const made: Connection[] = [];
  const news: string[] = [];
  const feeds = new Feeds(platformWith(clock), {
    async open(id, listener, signal) {
      const connection: Connection = { id, ...listener, isOpen: true };
      made.push(connection);
      signal.addEventListener("abort", () => {
        connection.isOpen = false;
      });
      const how = answer();
      if (how === "never") await new Promise((_, reject) => signal.addEventListener("abort", reject));
      if (how === "refuse") throw new Error("403");
      return () => {
        connection.isOpen = false;
      };
    },
    stays: () => stays,
    onNews: (id) => news.push(id),
  });
  onTestFinished(() => feeds.close());
  const open = () => made.filter(({ isOpen }) => isOpen);
  return { clock, feeds, made, open, news };
}

it("one connection from the pause to the end, and once more the whole history", async () => {
  const { clock, feeds, made, open } = connecting();
  for (let i = 0; i < 20; i++) {
    feeds.follow("neg_1", false);
    await clock.advance(3_000);
  }
  expect(made).toHaveLength(1);
  made[0]?.event(RESONANCE);
  expect(feeds.evidence("neg_1").filteredCount).toBe(3);

  feeds.follow("neg_1", true);
  await clock.advance(0);
  expect([made.length, open().length]).toEqual([2, 1]);
  made[1]?.event(RESONANCE);
  await clock.advance(900);
  made[1]?.event(CALL);
  made[1]?.event(CALL);
  await clock.advance(900);
  expect(open()).toHaveLength(1);
  await clock.advance(200);
  expect(open()).toHaveLength(0);
  expect(feeds.evidence("neg_1").centerCalls).toHaveLength(1);

  feeds.follow("neg_1", true);
  await clock.advance(60_000);
  expect(made).toHaveLength(2);
});

it("one that was over before anybody looked is read once", async () => {
  const { clock, feeds, made, open } = connecting();
  feeds.follow("neg_1", true);
  await clock.advance(500);
  expect(open()).toHaveLength(1);
  await clock.advance(1_000);
  feeds.follow("neg_1", true);
  await clock.advance(1_000);
  expect([made.length, open().length]).toEqual([1, 0]);
});

it("it ended while its feed was being opened: that history is the last", async () => {
  const { clock, feeds, made, open } = connecting();
  feeds.follow("neg_1", false);
  feeds.follow("neg_1", true);
  await clock.advance(2_000);
  expect([made.length, open().length]).toEqual([1, 0]);
});

it("a feed that refuses is asked a few times, further and further apart, and never again", async () => {
  const { clock, feeds, made } = connecting(() => "refuse");
  const at: number[] = [];
  const begun = clock.now();
  for (let i = 0; i < 600; i++) {
    feeds.follow("neg_1", i > 500);
    if (made.length > at.length) at.push((clock.now() - begun) / 1_000);
    await clock.advance(1_000);
  }
  expect(at).toEqual([0, 15, 45, 105]);
});

it("a feed that broke off is opened again later, and what came twice counts once", async () => {
  const { clock, feeds, made } = connecting();
  feeds.follow("neg_1", false);
  await clock.advance(0);
  made[0]?.event(CALL);
  made[0]?.closed();
  feeds.follow("neg_1", false);
  expect(made).toHaveLength(1);
  await clock.advance(15_000);
  feeds.follow("neg_1", false);
  expect(made).toHaveLength(2);
  made[1]?.event(CALL);
  expect(feeds.evidence("neg_1").centerCalls).toHaveLength(1);
});

it("nobody looks any more: it leaves; somebody looks again: it listens again", async () => {
  const { clock, feeds, made, open } = connecting();
  feeds.follow("neg_1", false);
  await clock.advance(31 * 60_000);
  expect(open()).toHaveLength(0);
  feeds.follow("neg_1", false);
  expect(made).toHaveLength(2);
});

it("a program that ends in a moment listens to what is over, and to nothing that goes on", async () => {
  const { clock, feeds, made } = connecting(() => "open", false);
  feeds.follow("neg_1", false);
  await clock.advance(0);
  expect(made).toHaveLength(0);
  feeds.follow("neg_2", true);
  await clock.advance(0);
  expect(made).toHaveLength(1);
});

it("has bounds: connections at once, and negotiations that are kept", async () => {
  const { clock, feeds, made, open } = connecting();
  for (let i = 0; i < 60; i++) feeds.follow(`neg_${i}`, false);
  await clock.advance(0);
  expect(open().length).toBeLessThanOrEqual(10);
  for (const connection of made) connection.event(RESONANCE);
  const kept = made.filter(({ id }) => feeds.evidence(id).filteredCount === 3);
  expect(kept.length).toBeLessThanOrEqual(50);
});

it("closed, it leaves everything, also what is being opened, and takes nothing up again", async () => {
  const { clock, feeds, made, open } = connecting(() => (made.length % 2 === 0 ? "open" : "never"));
  for (let i = 0; i < 6; i++) feeds.follow(`neg_${i}`, false);
  await clock.advance(0);
  feeds.close();
  await clock.advance(0);
  expect(open()).toHaveLength(0);
  feeds.follow("neg_9", false);
  expect(made).toHaveLength(6);
});

it("what it says is news once, and none once the negotiation is over", async () => {
  const { clock, feeds, made, news } = connecting();
  feeds.follow("neg_1", false);
  await clock.advance(0);
  for (const event of [RESONANCE, RESONANCE, CALL, RESONANCE]) made[0]?.event(event);
  expect(news).toEqual(["neg_1", "neg_1"]);
  feeds.follow("neg_1", true);
  await clock.advance(0);
  made[1]?.event({ ...CALL, id: "evt_3" });
  expect(news).toHaveLength(2);
});
