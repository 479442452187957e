import { expect, it } from "vitest";
import { Unreachable } from "../../src/backend/errors.ts";
import { type Decided, type Facts, NO_FACTS } from "../../src/negotiation/facts.ts";
import { followNegotiation } from "../../src/watch/updates.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";
import { accepted, guardOf, negotiation } from "./views.ts";

const OVER = negotiation({ state: "completed" });
const NO: Decided = { ...accepted, kind: "reject" };

/** One that another running program withdraws: the backend shows the end before that program has written it down. */
function withdrawn() {
  const clock = new ManualClock();
  let facts: Facts = {
    ...NO_FACTS,
    submitted: { at: 0, user_id: "u", deadline_at: 9e12, owner: NO.owner },
    decided: [NO],
  };
  const seen: unknown[] = [];
  const done = followNegotiation(platformWith(clock, { random: () => 0 }), {
    id: "neg_1",
    get: async () => OVER,
    local: async () => ({ facts, guard: guardOf("withdrawn", undefined), reviewed: new Set() }),
    signal: new AbortController().signal,
    onUpdate: ({ snapshot, local }) => seen.push([snapshot?.state, local.facts.outcomes.get(1)?.kind]),
  });
  const write = () => {
    facts = { ...facts, outcomes: new Map([[1, { at: 1, kind: "cancelled", participants: 0, in_time: true }]]) };
  };
  return { clock, seen, done, write };
}

it("the end of one that another program withdraws is shown with what came of that", async () => {
  const { clock, seen, done, write } = withdrawn();
  await clock.advance(2_000);
  expect(seen.filter((one) => JSON.stringify(one).includes("completed"))).toEqual([]);
  write();
  await clock.run(done);
  expect(seen.at(-1)).toEqual(["completed", "cancelled"]);
});

it("and without it, where that program does not write it within seconds", async () => {
  const { clock, seen, done } = withdrawn();
  await clock.run(done);
  expect(seen.at(-1)).toEqual(["completed", undefined]);
});

it("an outage began with its first look, however many more it lasts; the next one is another", async () => {
  const clock = new ManualClock();
  let isAway = false;
  let state = "offering";
  const seen: (number | undefined)[] = [];
  const done = followNegotiation(platformWith(clock, { random: () => 0 }), {
    id: "neg_1",
    async get() {
      if (isAway) throw new Unreachable({ operation: "getNegotiation", origin: "https://x", reason: "ECONNREFUSED" });
      return negotiation({ state });
    },
    local: async () => ({ facts: NO_FACTS, guard: guardOf("withdrawn", undefined), reviewed: new Set() }),
    signal: new AbortController().signal,
    onUpdate: ({ outage }) => {
      if (seen.at(-1) !== outage?.since) seen.push(outage?.since);
    },
  });
  for (let n = 0; n < 2; n++) {
    await clock.advance(60_000);
    isAway = true;
    await clock.advance(120_000);
    isAway = false;
  }
  state = "completed";
  await clock.run(done);
  expect(seen).toEqual([expect.any(Number), undefined, expect.any(Number), undefined]);
});
