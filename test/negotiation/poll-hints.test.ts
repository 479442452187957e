import { expect, it, onTestFinished } from "vitest";
import { negotiationSchema } from "../../src/backend/contract.ts";
import { Pollers } from "../../src/negotiation/polling.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";

/** A wait for a negotiation that moves when the test says so; `reads` are the moments of its reads, in milliseconds. */
function waiting() {
  const clock = new ManualClock();
  const began = clock.monotonic();
  const reads: number[] = [];
  let offers = 0;
  const get = async () => {
    reads.push(clock.monotonic() - began);
    const agent = (_: unknown, i: number) => ({ agent_id: `a${i}`, state: "replied", offer_content: "o" });
    return negotiationSchema.parse({
      negotiation_id: "n",
      state: "offering",
      participants: Array.from({ length: offers }, agent),
    });
  };
  const heard: number[] = [];
  const pollers = new Pollers(platformWith(clock), { get });
  pollers.subscribe("n", {
    next: ({ participants }) => heard.push(participants.length),
    fail: () => {},
  });
  onTestFinished(() => pollers.close());
  return { clock, pollers, reads, heard, offer: () => void offers++ };
}

it("news that the feed announces is read at once; what it announces in vain makes no pace", async () => {
  const { clock, pollers, reads, heard, offer } = waiting();
  await clock.advance(20_000);
  const [before, last = 0] = [reads.length, reads.at(-1)];
  offer();
  pollers.hint("n");
  await clock.advance(Math.max(10, last + 260 - 20_000));
  expect(heard.at(-1)).toBe(1);
  expect(reads.length).toBe(before + 1);
  pollers.hint("n");
  await clock.advance(260);
  expect(reads.length).toBe(before + 2);
  await clock.advance(1_500); // and then no sooner than a feed that works leaves to do
  expect(reads.length).toBe(before + 2);
});

it("a feed that floods makes no more than four reads a second", async () => {
  const { clock, pollers, reads } = waiting();
  await clock.advance(20_000);
  const before = reads.length;
  for (let i = 0; i < 1_000; i++) {
    pollers.hint("n");
    await clock.advance(10);
  }
  expect(reads.length - before).toBeGreaterThan(30);
  expect(reads.length - before).toBeLessThanOrEqual(41);
});

it("what was changed here is looked for often, also while the feed announces", async () => {
  const { clock, pollers, reads } = waiting();
  await clock.advance(20_000);
  const before = reads.length;
  pollers.hint("n");
  pollers.nudge("n");
  await clock.advance(2_000);
  expect(reads.length - before).toBeGreaterThanOrEqual(3);
});
