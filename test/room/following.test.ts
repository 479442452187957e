import { expect, it, vi } from "vitest";
import type { Negotiation } from "../../src/backend/contract.ts";
import { CutBody, TokenRejected } from "../../src/backend/errors.ts";
import { silentLog } from "../../src/log.ts";
import { Following } from "../../src/room/following.ts";
import type { Look, Person } from "../../src/room/person.ts";
import { EMPTY_FORM, type RoomState } from "../../src/room/room-state.ts";
import { ManualClock } from "../support/manual-clock.ts";

const EMPTY_STATE = {
  lang: "en",
  place: "demand",
  entered: {},
  form: EMPTY_FORM,
  scenes: { items: [] },
} as unknown as RoomState;

/** A demand that is followed, whose looks end when the test says so. */
async function followed() {
  const looks: { seen: Negotiation | undefined; done: (look: Look) => void }[] = [];
  const listeners: Parameters<Person["follow"]>[1][] = [];
  const read = { negotiation_id: "n", state: "formulating", participants: [] } as unknown as Negotiation;
  const person = {
    read: async () => read,
    look: (_: string, seen: Negotiation | undefined) => new Promise<Look>((done) => looks.push({ seen, done })),
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
  const following = new Following({ person, clock, log: silentLog, state: () => state, update });
  const turns = () => new Promise((resolve) => setImmediate(resolve));
  const answer = (at: number) => {
    const { seen, done } = looks[at]!;
    done({ negotiation: seen, facts: { outcomes: new Map(), decided: [] }, stage: { name: "asking" } } as never);
    return turns();
  };
  const opened = following.open("n", "ai");
  await answer(0);
  await opened;
  return { following, looks, listeners, read, clock, answer, turns, demand: () => state.demand };
}

it("a look that a newer answer overtakes gives when that one is shown: the first paint never misses both", async () => {
  const { following, looks, listeners, read, answer, turns, demand } = await followed();
  let isShown = false;
  const refreshed = following.refresh().then(() => {
    isShown = true;
  });
  await turns();
  listeners[0]!.next({ ...read, state: "formulated" } as Negotiation);
  await answer(1);
  expect(isShown).toBe(false);
  for (let at = 2; at < looks.length; at++) await answer(at);
  await refreshed;
  expect(demand()?.negotiation?.state).toBe("formulated");
});

it.each([
  ["the older ends last", [2, 1, 3]],
  ["the older ends first", [1, 2, 3]],
])("an outage is over with the answer that ends it, whichever look ends first: %s", async (_, order) => {
  const { looks, listeners, read, answer, turns, demand } = await followed();
  listeners[0]!.fail(new Error("down"));
  listeners[0]!.next(read);
  await turns();
  for (const at of order) if (at < looks.length) await answer(at);
  expect(demand()).toMatchObject({ negotiation: read, outageSince: undefined });
});

it("an outage stands when the look behind the last answer ends after it has begun", async () => {
  const { looks, listeners, read, clock, answer, turns, demand } = await followed();
  listeners[0]!.next(read);
  listeners[0]!.fail(new Error("down"));
  await turns();
  for (const at of [2, 1]) if (at < looks.length) await answer(at);
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

it("where the person's own look succeeds, the demand is followed from then on", async () => {
  const { following, listeners, answer, looks, clock } = await followed();
  listeners[0]!.fail(new TokenRejected({ operation: "getNegotiation" }));
  await answer(1);
  const refreshed = following.refresh();
  await vi.waitFor(() => expect(looks).toHaveLength(3));
  await answer(2);
  await refreshed;
  expect(listeners).toHaveLength(2);
  await clock.advance(120_000);
  expect(listeners).toHaveLength(2);
});

it("an act that succeeded has not failed because the backend does not answer the look behind it", async () => {
  let state = EMPTY_STATE;
  let decided: unknown[] = [];
  const person = {
    read: () => Promise.reject(new CutBody({ operation: "getNegotiation", stage: "head", reason: "closed" })),
    look: async () => ({
      negotiation: undefined,
      facts: { outcomes: new Map(), decided },
      stage: { name: "moving", decided },
    }),
    follow: () => () => {},
  } as unknown as Person;
  const following = new Following({
    person,
    clock: new ManualClock(),
    log: silentLog,
    state: () => state,
    update: (change) => {
      state = change(state);
    },
  });
  await following.open("n", "person");
  decided = [{ kind: "accept" }];
  await following.refreshAfterAct();
  expect(state.demand?.stage).toMatchObject({ name: "moving", decided });
  await expect(following.refresh()).rejects.toThrow(CutBody);
});
