import { describe, expect, it, onTestFinished } from "vitest";
import { ReadTimeout } from "../../src/backend/errors.ts";
import type { Clock } from "../../src/clock.ts";
import { CallLimit } from "../../src/negotiation/core.ts";
import { FIVE_MINUTES, INTENT, only, pauseWithoutForms } from "../ask/pause-support.ts";
import { cancels, confirms } from "../support/backend.ts";
import type { Called } from "../support/clients.ts";
import { factsAbout } from "../support/facts.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createWorld, type World } from "../support/world.ts";

/** A call ends within a minute, whatever it waits for (contract §6). */

describe("while nothing answers, a call ends within a minute", () => {
  const MINUTE = 60_000;
  /** As requests that time out: one that writes after 30 s, a look with its repeats after 15 s. */
  const hang = ({ mock }: World) => {
    mock.faults.add({ route: "action", kind: "drop_before", delayMs: 30_000, times: Number.POSITIVE_INFINITY });
    mock.faults.add({ route: "get", kind: "drop_before", delayMs: 15_000, times: Number.POSITIVE_INFINITY });
  };
  const timed = async ({ clock }: World, work: Promise<Called>) => {
    const from = clock.now();
    const { result } = await work;
    return { code: result.error?.code, tookMs: clock.now() - from };
  };

  it("also behind an earlier try for the same decision, which is carried out all the same", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pauseWithoutForms(world, p);
    hang(world);
    await p.call("towow_demand", { ...params, decision: "reject" });
    await world.clock.advance(2_000); // the next try has just begun
    const { code, tookMs } = await timed(world, p.call("towow_demand", { ...params, decision: "reject" }));
    expect(code).toBe("tool.backend.timeout.outcome_unknown");
    expect(tookMs).toBeLessThan(MINUTE);
    world.mock.faults.clear();
    await world.clock.advance(MINUTE);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
    const { result } = await p.call("towow_status", { negotiation_id: params.negotiation_id });
    expect(result.summary).toContain("The answer to the text was no, so the demand is withdrawn");
  });

  it("also behind other calls, and what it could not begin is not decided", async () => {
    const world = await createWorld();
    const p = await world.process();
    const params = await pauseWithoutForms(world, p);
    hang(world);
    const accepts = Array.from({ length: 6 }, () => p.start("towow_demand", { ...params, decision: "accept" }));
    const ends = await world.clock.run(Promise.all(accepts.map((accept) => timed(world, accept))));
    expect(ends.map(({ code }) => code)).toContain("tool.backend.timeout.read");
    for (const { tookMs } of ends) expect(tookMs).toBeLessThan(MINUTE);
    world.mock.faults.clear();
    await world.clock.advance(MINUTE);
    expect(confirms(world.mock)).toEqual([]);
    expect((await factsAbout(world, params.negotiation_id!)).decided).toEqual([]);
  });

  it("also a cancel behind the deadline: it is sent without its call, and throws nothing that nobody catches", async () => {
    const uncaught: unknown[] = [];
    const note = (reason: unknown) => void uncaught.push(reason);
    process.on("unhandledRejection", note);
    onTestFinished(() => void process.off("unhandledRejection", note));
    const world = await createWorld();
    const p = await world.process({ config: { on_unconfirmed: "leave" } });
    const { negotiation_id } = await pauseWithoutForms(world, p);
    const slow = { delayMs: 60_000, times: Number.POSITIVE_INFINITY };
    world.mock.faults.add({ route: "get", kind: "drop_before", ...slow });
    await world.clock.advance(FIVE_MINUTES);
    const { code, tookMs } = await timed(world, p.call("towow_demand", { negotiation_id, decision: "cancel" }));
    expect(code).toBe("tool.backend.timeout.outcome_unknown");
    expect(tookMs).toBeLessThan(MINUTE);
    await world.clock.advance(MINUTE);
    expect(cancels(world.mock)).toHaveLength(1);
    expect(uncaught).toEqual([]);
  });

  it("also behind another program's submit, and its own is guarded when it is answered", async () => {
    const world = await createWorld();
    const [other, p] = [await world.process(), await world.process()];
    world.mock.faults.add({ route: "submit", kind: "status", status: 422, delayMs: 38_000 });
    world.mock.faults.add({ route: "submit", kind: "delay", delayMs: 40_000, delayWhen: "after" });
    const first = other.start("towow_demand", { intent: INTENT });
    await world.clock.advance(1_000);
    const { code, tookMs } = await timed(world, p.call("towow_demand", { intent: INTENT }));
    expect((await first).result.status).toBe("error");
    expect(code).toBe("tool.backend.timeout.submit_outcome_unknown");
    expect(tookMs).toBeLessThan(MINUTE);
    await world.clock.advance(FIVE_MINUTES);
    expect(only(world)).toMatchObject({ cancelled: true, confirmedBy: undefined });
  });
});

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
