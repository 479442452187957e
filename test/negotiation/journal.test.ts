import { expect, it } from "vitest";
import { silentLog } from "../../src/log.ts";
import type { FactStore } from "../../src/negotiation/facts.ts";
import { Journal } from "../../src/negotiation/journal.ts";
import { StoreUnreachable } from "../../src/store/store.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createMemoryFacts } from "../support/memory-facts.ts";

const KEY = { origin: "https://network.test", id: "neg_1" };

it("after a store was away for too long, a short absence costs no fact", async () => {
  const clock = new ManualClock();
  const facts = createMemoryFacts();
  let isAway = true;
  const store: FactStore = {
    ...facts,
    create: async (...args) => {
      if (isAway) throw new StoreUnreachable({});
      return facts.create(...args);
    },
  };
  const journal = new Journal(KEY, { store, clock, log: silentLog });
  void journal.note("undone.1", { at: 1, why: "no_effect" });
  void journal.note("undone.2", { at: 1, why: "no_effect" });
  await clock.advance(700_000); // both are given up by now
  void journal.note("undone.3", { at: 1, why: "no_effect" });
  await clock.advance(5_000);
  isAway = false;
  await clock.advance(2_000);
  expect([...(await facts.read(KEY)).keys()]).toEqual(["undone.3"]);
});
