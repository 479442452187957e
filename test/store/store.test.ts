import { describe } from "vitest";
import { createMemoryStore } from "../../src/store/memory.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { contract } from "./contract.ts";

/** In Redis: `redis.full.test.ts`. */
describe("in memory", () => {
  const clock = new ManualClock();
  const store = createMemoryStore(clock);
  contract(
    async () => [store, store],
    async (ms, check) => {
      await clock.advance(ms);
      await check();
    },
  );
});
