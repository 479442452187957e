import { expect, it } from "vitest";
import type { Negotiation } from "../../src/backend/contract.ts";
import { CutBody, TokenRejected, UnknownNegotiation } from "../../src/backend/errors.ts";
import { DemandTracker } from "../../src/room/demand-tracker.ts";
import type { DemandStatus, Person } from "../../src/room/person.ts";
import { EMPTY_FORM, type RoomState } from "../../src/room/room-state.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";
import { soon } from "../support/soon.ts";

const EMPTY_STATE = {
  lang: "en",
  place: "demand",
  entered: {},
  form: EMPTY_FORM,
  scenes: { items: [] },
} as unknown as RoomState;

/** A demand that is followed, whose updates end when the test says so. */
async function followed() {
  const updates: { seen: Negotiation | undefined; done: (status: DemandStatus) => void }[] = [];
  const listeners: Parameters<Person["follow"]>[1][] = [];
  const read = { negotiation_id: "n", state: "formulating", participants: [] } as unknown as Negotiation;
  const person = {
    tell: String,
    read: async () => read,
    status: (_: string, seen: Negotiation | undefined) =>
      new Promise<DemandStatus>((done) => updates.push({ seen, done })),
    follow: (_: string, listener: Parameters<Person["follow"]>[1]) => {
      listeners.push(listener);
      return () => {};
    },
  } as unknown as Person;
  let state = EMPTY_STATE;
  const update = (change: (before: RoomState) => RoomState) => {
    state = change(state);
  };
  const clock = new ManualClock();
  const tracker = new DemandTracker({ platform: platformWith(clock), person, state: () => state, update });
  const turns = () => new Promise((resolve) => setImmediate(resolve));
  const answer = (at: number) => {
    const { seen, done } = updates[at]!;
    done({
      negotiation: seen,
      facts: { outcomes: new Map(), decided: [] },
      said: { stage: { name: "asking" }, writers: {} },
      stage: { name: "asking" },
    } as never);
    return turns();
  };
  const opened = tracker.open("n");
  await answer(0);
  await opened;
  const change = (by: (before: RoomState) => RoomState) => {
    update(by);
    return state;
  };
  return { tracker, updates, listeners, read, clock, answer, turns, change, demand: () => state.demand };
}

it("an update that a newer answer overtakes gives when that one is shown: the first paint never misses both", async () => {
  const { tracker, updates, listeners, read, answer, turns, demand } = await followed();
  let isShown = false;
  const refreshed = tracker.refresh().then(() => {
    isShown = true;
  });
  await turns();
  listeners[0]!.next({ ...read, state: "formulated" } as Negotiation);
  await answer(1);
  expect(isShown).toBe(false);
  for (let at = 2; at < updates.length; at++) await answer(at);
  await refreshed;
  expect(demand()?.negotiation?.state).toBe("formulated");
});

it.each([
  ["the older ends last", [2, 1, 3]],
  ["the older ends first", [1, 2, 3]],
])("an outage is over with the answer that ends it, whichever update ends first: %s", async (_, order) => {
  const { updates, listeners, read, answer, turns, demand } = await followed();
  listeners[0]!.fail(new Error("down"));
  listeners[0]!.next(read);
  await turns();
  for (const at of order) if (at < updates.length) await answer(at);
  expect(demand()).toMatchObject({ negotiation: read, outageSince: undefined });
});

it("an outage stands when the update behind the last answer ends after it has begun", async () => {
  const { updates, listeners, read, clock, answer, turns, demand } = await followed();
  listeners[0]!.next(read);
  listeners[0]!.fail(new Error("down"));
  await turns();
  for (const at of [2, 1]) if (at < updates.length) await answer(at);
  expect(demand()?.outageSince).toBe(clock.now());
});

it("an answer that cannot change is asked for twice a minute, every other failure every few seconds", async () => {
  const { listeners, clock } = await followed();
  listeners[0]!.fail(new Error("down"));
  await clock.advance(3_000);
  expect(listeners).toHaveLength(2);
  listeners[1]!.fail(new TokenRejected({ operation: "getNegotiation" }));
  await clock.advance(29_000);
  expect(listeners).toHaveLength(2);
  await clock.advance(1_000);
  expect(listeners).toHaveLength(3);
});

it("an id that the backend does not know is said as such, and asked for again as soon as after a failure", async () => {
  const { listeners, answer, clock, demand } = await followed();
  listeners[0]!.fail(new UnknownNegotiation({ operation: "getNegotiation", negotiation_id: "n" }));
  await answer(1);
  expect(demand()?.refusal).toContain("negotiation");
  await clock.advance(3_000);
  expect(listeners).toHaveLength(2);
});

it.each([
  ["confirming", "over", false],
  ["cancelling", "over", false],
  ["cancelling", "not_found", false],
  ["confirming", "asking", true],
  ["asking", "asking", true],
])("what was said of a decision on its way: from %s to %s it stands: %s", async (from, to, stands) => {
  const notice = { tone: "error" as const, text: "The answer was lost." };
  const { updates, tracker, read, turns, demand, change } = await followed();
  const finish = (at: number, name: string) => {
    const { seen, done } = updates[at]!;
    done({
      negotiation: seen ?? read,
      facts: { outcomes: new Map(), decided: [] },
      said: { stage: { name }, writers: {} },
      stage: { name },
    } as never);
    return turns();
  };
  tracker.check();
  await finish(1, from);
  change((state) => ({ ...state, notice }));
  tracker.check();
  await finish(2, to);
  expect(demand()?.stage.name).toBe(to);
  expect(change((state) => state).notice).toEqual(stands ? notice : undefined);
});

it("where the person's own refresh succeeds, the demand is followed from then on", async () => {
  const { tracker, listeners, answer, updates, clock } = await followed();
  listeners[0]!.fail(new TokenRejected({ operation: "getNegotiation" }));
  await answer(1);
  const refreshed = tracker.refresh();
  await soon(() => updates.length).toBe(3);
  await answer(2);
  await refreshed;
  expect(listeners).toHaveLength(2);
  await clock.advance(120_000);
  expect(listeners).toHaveLength(2);
});

it("an act that succeeded has not failed because the backend does not answer the read behind it", async () => {
  let state = EMPTY_STATE;
  let decided: unknown[] = [];
  const person = {
    tell: String,
    read: () => Promise.reject(new CutBody({ operation: "getNegotiation", stage: "head", reason: "closed" })),
    status: async () => ({
      negotiation: undefined,
      facts: { outcomes: new Map(), decided },
      stage: { name: "moving", decided },
      said: { stage: { name: "moving" }, writers: {} },
    }),
    follow: () => () => {},
  } as unknown as Person;
  const tracker = new DemandTracker({
    platform: platformWith(new ManualClock()),
    person,
    state: () => state,
    update: (change) => {
      state = change(state);
    },
  });
  await tracker.open("n");
  decided = [{ kind: "accept" }];
  await tracker.refreshAfterAct();
  expect(state.demand?.stage).toMatchObject({ name: "moving", decided });
  await expect(tracker.refresh()).rejects.toThrow(CutBody);
});

it("an update that began before a decision does not undo what one after it shows, though the backend says the same", async () => {
  const { tracker, updates, read, turns, demand } = await followed();
  const finish = (at: number, name: string) => {
    const { seen, done } = updates[at]!;
    done({
      negotiation: seen,
      facts: { outcomes: new Map(), decided: [] },
      said: { stage: { name }, writers: {} },
      stage: { name },
    } as never);
    return turns();
  };
  const first = tracker.refresh();
  await turns();
  await finish(1, "asking");
  await first;
  tracker.check();
  const decided = tracker.refresh();
  await turns();
  await finish(3, "confirming");
  await finish(2, "asking");
  if (updates.length > 4) await finish(4, "confirming");
  await decided;
  expect(demand()).toMatchObject({ negotiation: read, stage: { name: "confirming" } });
});
