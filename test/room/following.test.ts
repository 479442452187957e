import { expect, it } from "vitest";
import type { Negotiation } from "../../src/backend/contract.ts";
import { CutBody } from "../../src/backend/errors.ts";
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

it("a look that a newer answer overtakes gives when that one is shown: the first paint never misses both", async () => {
  const looks: { seen: Negotiation | undefined; done: (look: Look) => void }[] = [];
  let next: (seen: Negotiation) => void = () => {};
  const read = { negotiation_id: "n", state: "formulating", participants: [] } as unknown as Negotiation;
  const person = {
    read: async () => read,
    look: (_: string, seen: Negotiation | undefined) => new Promise<Look>((done) => looks.push({ seen, done })),
    follow: (_: string, listener: { next: typeof next }) => {
      next = listener.next;
      return () => {};
    },
  } as unknown as Person;
  let state = EMPTY_STATE;
  const update = (change: (before: RoomState) => RoomState) => {
    state = change(state);
  };
  const following = new Following({ person, clock: new ManualClock(), log: silentLog, state: () => state, update });
  const answer = (at: number) => {
    const { seen, done } = looks[at]!;
    done({ negotiation: seen, facts: { outcomes: new Map(), decided: [] }, stage: { name: "asking" } } as never);
  };
  const turns = () => new Promise((resolve) => setImmediate(resolve));
  const opened = following.open("n", "ai");
  answer(0);
  await opened;
  let isShown = false;
  const refreshed = following.refresh().then(() => {
    isShown = true;
  });
  await turns();
  next({ ...read, state: "formulated" } as Negotiation);
  answer(1);
  await turns();
  expect(isShown).toBe(false);
  for (let at = 2; at < looks.length; at++) answer(at);
  await refreshed;
  expect(state.demand?.negotiation?.state).toBe("formulated");
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
