import { expect, it, onTestFinished } from "vitest";
import { negotiationSchema } from "../../src/backend/contract.ts";
import { RateLimited } from "../../src/backend/errors.ts";
import { Pollers } from "../../src/negotiation/polling.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";

/** A backend that asks to be left alone for so many seconds with its first `times` answers. */
function asking(seconds: number | undefined, times = Number.POSITIVE_INFINITY) {
  const clock = new ManualClock();
  const began = clock.monotonic();
  const sinceMs = () => clock.monotonic() - began;
  const reads: number[] = [];
  const get = async () => {
    reads.push(sinceMs());
    const extra = seconds === undefined ? {} : { retryAfterSeconds: seconds };
    if (reads.length <= times) throw new RateLimited({ operation: "getNegotiation", status: 429 }, extra);
    return negotiationSchema.parse({ negotiation_id: "n", state: "formulated", participants: [] });
  };
  const pollers = new Pollers(platformWith(clock), { get });
  onTestFinished(() => pollers.close());
  const wait = (budgetMs: number) => {
    const ended = pollers.wait("n", { until: ({ state }) => state === "formulated", budgetMs }).then(
      ({ snapshot }) => ({ state: snapshot.state, at: sinceMs() }),
      (error) => ({ code: error.code, seconds: error.retryAfterSeconds, at: sinceMs() }),
    );
    return ended;
  };
  return { clock, reads, wait, pollers };
}

it("for longer than the call has: the call ends at once, says for how long, and asks no more", async () => {
  const { clock, reads, wait } = asking(600);
  const ended = wait(45_000);
  await clock.advance(60_000);
  expect(await ended).toEqual({ code: "tool.backend.unavailable.rate_limited", seconds: 600, at: 0 });
  expect(reads).toEqual([0]);
});

it("for less: nobody asks before that time, and then the call goes on", async () => {
  const { clock, reads, wait } = asking(20, 1);
  const ended = wait(45_000);
  await clock.advance(45_000);
  const { at, ...seen } = await ended;
  expect(seen).toEqual({ state: "formulated" });
  expect(reads[1]).toBeGreaterThanOrEqual(20_000);
  expect(at).toBeLessThan(24_000);
});

it("a second call in that time is told as well, and asks nobody", async () => {
  const { clock, reads, wait } = asking(30);
  const [patient, other] = [wait(45_000), wait(10_000)];
  await clock.advance(1_000);
  expect(await other).toMatchObject({ seconds: 30, at: 0 });
  expect(await wait(10_000)).toMatchObject({ seconds: 30, at: 1_000 });
  await clock.advance(50_000);
  expect(await patient).toMatchObject({ code: "tool.backend.unavailable.rate_limited" });
  expect(reads.filter((at) => at > 0 && at < 30_000)).toEqual([]);
});

it("without a time: three times, as any failure; and what was said is told, not that nothing came", async () => {
  const { clock, reads, wait } = asking(undefined);
  const ended = wait(45_000);
  await clock.advance(60_000);
  expect(await ended).toMatchObject({ code: "tool.backend.unavailable.rate_limited", seconds: undefined });
  expect(reads).toHaveLength(3);
  const slow = asking(21, 2);
  const budget = slow.wait(40_000);
  await slow.clock.advance(60_000);
  expect(await budget).toMatchObject({ code: "tool.backend.unavailable.rate_limited", seconds: 21 });
});
