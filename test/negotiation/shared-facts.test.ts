import { expect, it } from "vitest";
import { createSharedFacts } from "../../src/negotiation/stores/shared-facts.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { ManualClock } from "../support/manual-clock.ts";

const DAY_MS = 24 * 3_600_000;

it("what nothing is left of is listed no more, and takes no room", async () => {
  const clock = new ManualClock();
  const store = createMemoryStore(clock);
  const facts = createSharedFacts(store);
  for (let day = 0; day < 60; day += 1) {
    const key = { origin: "o", id: `n${day}` };
    await facts.create(key, "submitted", { at: clock.now() }, "open");
    await facts.create(key, "outcome.0", { at: clock.now(), kind: "moved" }, "close");
    await clock.advance(DAY_MS);
  }
  const ids = (await facts.list()).map(({ id }) => id);
  expect(ids).toContain("n59");
  expect(ids).not.toContain("n20");
  expect(await store.members("facts:all")).toHaveLength(ids.length);
});
