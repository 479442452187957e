import { expect, it } from "vitest";
import { Limits } from "../../src/mcp/http/limits.ts";
import type { Store } from "../../src/store/store.ts";
import { ManualClock } from "../support/manual-clock.ts";

it("where the store does not count, a call goes on and says so itself, and no token is given out", async () => {
  const limits = new Limits({ requestsPer10s: 10, atOnce: 10 }, new ManualClock());
  const store = { increment: () => Promise.reject(new Error("away")) } as unknown as Store;
  await limits.countRequest(store);
  await expect(limits.countRequest(store, Number.POSITIVE_INFINITY)).rejects.toThrow();
});
