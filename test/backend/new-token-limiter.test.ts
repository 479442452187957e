import { expect, it } from "vitest";
import { NewTokenLimiter } from "../../src/backend/new-token-limiter.ts";
import { ManualClock } from "../support/manual-clock.ts";

const OPTIONS = { atOnce: 2, per10s: 5, patienceMs: 5_000 };

it("so many at once and in ten seconds; who waits too long is told that nothing was sent", async () => {
  const clock = new ManualClock();
  const gate = new NewTokenLimiter(OPTIONS, clock);
  let [running, most, sent] = [0, 0, 0];
  const send = async () => {
    sent += 1;
    running += 1;
    most = Math.max(most, running);
    await clock.sleep(500);
    running -= 1;
    return "answer";
  };
  const all = Array.from({ length: 9 }, () => gate.run("listScenes", send).catch((error) => error.code));
  await clock.advance(6_000);
  const outcomes = await Promise.all(all);
  expect([most, sent]).toEqual([2, 5]);
  expect(outcomes.filter((it) => it === "answer")).toHaveLength(5);
  expect(outcomes.filter((it) => it === "tool.backend.unavailable.new_tokens")).toHaveLength(4);
  await clock.advance(10_000);
  expect(await clock.run(gate.run("listScenes", send))).toBe("answer");
});

it("a place comes back from a request that fails, and who waits can go", async () => {
  const clock = new ManualClock();
  const gate = new NewTokenLimiter({ ...OPTIONS, atOnce: 1 }, clock);
  const failing = gate.run("listScenes", async () => {
    await clock.sleep(300);
    throw new Error("no");
  });
  const gone = new AbortController();
  const waiting = gate.run("listScenes", async () => "late", gone.signal).catch((error) => error.message);
  gone.abort(new Error("gone"));
  expect(await clock.run(waiting)).toBe("gone");
  await expect(clock.run(failing)).rejects.toThrow("no");
  expect(await gate.run("listScenes", async () => "next")).toBe("next");
});

it("one that takes long to arrive counts from its end: the backend never gets more than so many in ten seconds", async () => {
  const clock = new ManualClock();
  const gate = new NewTokenLimiter({ ...OPTIONS, atOnce: 5 }, clock);
  const arrivedAt: number[] = [];
  const send = (onTheWayMs: number) => async () => {
    await clock.sleep(onTheWayMs);
    arrivedAt.push(clock.monotonic());
  };
  const slow = Array.from({ length: 5 }, () => gate.run("listScenes", send(9_000)));
  await clock.advance(9_500);
  await Promise.all(slow);
  const next = gate.run("listScenes", send(0)).catch((error) => error.code);
  await clock.advance(5_100);
  expect(await next).toBe("tool.backend.unavailable.new_tokens");
  await clock.advance(4_500);
  expect(await clock.run(gate.run("listScenes", send(0)))).toBeUndefined();
  expect((arrivedAt[5] ?? 0) - (arrivedAt[4] ?? 0)).toBeGreaterThanOrEqual(10_000);
});
