import { expect, it } from "vitest";
import { ReadTimeout } from "../../src/backend/errors.ts";
import type { Clock } from "../../src/clock.ts";
import { CallLimit } from "../../src/negotiation/call-limit.ts";
import { ManualClock } from "../support/manual-clock.ts";

it("neither a sleep of the machine nor a clock that is set uses up a call's time", async () => {
  const timers = new ManualClock();
  let shiftMs = 0;
  const clock: Clock = {
    now: () => timers.now() + shiftMs,
    monotonic: timers.monotonic,
    after: timers.after,
    sleep: timers.sleep,
  };
  const limit = new CallLimit(clock, 45_000);
  shiftMs = 3_600_000;
  const work = limit.within("submitDemand", async (signal) => {
    await clock.sleep(20_000, signal);
    return "answered";
  });
  expect(await timers.run(work)).toBe("answered");
  const late = limit.within("submitDemand", (signal) => clock.sleep(60_000, signal));
  await expect(timers.run(late)).rejects.toBeInstanceOf(ReadTimeout);
  expect(timers.now() - Date.parse("2026-11-21T00:00:00Z")).toBeLessThan(60_000);
});
