import { expect, it } from "vitest";
import { StoreUnreachable } from "../../src/store/store.ts";
import { confirms } from "../support/backend.ts";
import { lastQuestionId, seenOn } from "../support/facts.ts";
import { createWorld } from "../support/world.ts";

/**
 * A machine sleeps, or a program is stopped, between a yes that is written down and its request: the timers of that program
 * stood still meanwhile, and the clock may have been set.
 */

const OTHER = "Another text, by the person.";
const INTENT = "A designer for a hospital queue pilot";

/** A yes that its program has written down, and goes on with only when it wakes. */
async function asleep(kind: "accept" | "edit", { isClockSet = false } = {}) {
  const world = await createWorld();
  const setAt = world.clock.now();
  const stopped = {
    ...world.clock,
    monotonic: () => 0,
    ...(isClockSet && { now: () => setAt }),
  };
  const sleeper = await world.process({ clock: stopped });
  const { result } = await sleeper.call("towow_demand", { intent: INTENT });
  const { negotiation_id: negotiationId } = result.data.resume_with.params;
  const { create } = world.facts;
  const { promise: awake, resolve: wake } = Promise.withResolvers<void>();
  const { promise: written, resolve: onWritten } = Promise.withResolvers<void>();
  world.facts.create = async (key, name, ...rest) => {
    const created = await create(key, name, ...rest);
    if (name !== "decided.1") return created;
    onWritten();
    await awake;
    return created;
  };
  const confirmationId = await lastQuestionId(world, negotiationId);
  const shown = kind === "edit" ? OTHER : String(world.mock.negotiations()[0]?.demand_formulated);
  const yes = kind === "edit" ? ({ kind, text: OTHER } as const) : ({ kind } as const);
  const decision = { negotiationId, confirmationId, ...yes, rendering: seenOn("terminal", shown) };
  const deciding = sleeper.negotiations.decide(decision).catch((error: unknown) => error);
  await written;
  world.facts.create = create;
  world.silentMs.set(sleeper.pid, 600_000);
  return {
    world,
    sleeper,
    /** What became of it, once the program has woken up. */
    async woken() {
      wake();
      await world.clock.run(deciding);
      await world.clock.advance(60_000);
      return world.mock.negotiations()[0];
    },
  };
}

it.each([false, true])(
  "another program has carried the yes out (clock set: %s): not sent again",
  async (isClockSet) => {
    const { world, woken } = await asleep("accept", { isClockSet });
    const other = await world.process();
    await world.clock.run(other.negotiations.recover());
    await world.clock.advance(280_000);
    expect(await woken()).toMatchObject({ confirmCount: 1, confirmedBy: "user" });
  },
);

it.each([false, true])("another program has withdrawn it (clock set: %s): not sent", async (isClockSet) => {
  const { world, woken } = await asleep("edit", { isClockSet });
  const other = await world.process();
  await world.clock.run(other.negotiations.recover());
  await world.clock.advance(299_000);
  expect(world.mock.negotiations()[0]).toMatchObject({ cancelled: true });
  expect(await woken()).toMatchObject({ confirmCount: 0, cancelled: true });
  expect(confirms(world.mock)).toEqual([]);
});

it("behind the deadline, with no other program: what the backend shows is read first, and another text is not answered", async () => {
  const { world, woken } = await asleep("edit");
  await world.clock.advance(310_000);
  await woken();
  expect(confirms(world.mock)).toEqual([]);
});

it("the facts cannot be read right before the request: a yes waits, and is sent once they can be", async () => {
  const { world, woken } = await asleep("accept");
  const { read } = world.facts;
  world.facts.read = async () => {
    throw new StoreUnreachable();
  };
  world.clock.after(3_000, () => {
    world.facts.read = read;
  });
  expect(await woken()).toMatchObject({ confirmCount: 1 });
});
