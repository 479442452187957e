import { expect, it } from "vitest";
import { Rate } from "../../src/mcp/http/rate.ts";
import type { Store } from "../../src/store/store.ts";
import { ManualClock } from "../support/manual-clock.ts";

it("where the store does not count, a call goes on and says so itself, and no token is given out", async () => {
  const rate = new Rate(10, new ManualClock());
  const store = { increment: () => Promise.reject(new Error("away")) } as unknown as Store;
  await rate.count(store);
  await expect(rate.count(store, Number.POSITIVE_INFINITY)).rejects.toThrow();
});
