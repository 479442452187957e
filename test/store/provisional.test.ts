import fc from "fast-check";
import { expect, it } from "vitest";
import * as z from "zod";
import { TooManyNewTokens } from "../../src/backend/errors.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { provisional } from "../../src/store/provisional.ts";
import type { Store } from "../../src/store/store.ts";
import { ManualClock } from "../support/manual-clock.ts";

const KEYS = ["a", "b", "c", "d", "e", "f"];
const LONG_MS = 3_600_000;
const WRITES: Record<string, (store: Store, key: string) => Promise<unknown>> = {
  put: (store, key) => store.put(key, 1, LONG_MS),
  create: (store, key) => store.create(key, 1, LONG_MS, z.number()),
  replace: (store, key) => store.replace(key, undefined, 1, LONG_MS),
  createField: (store, key) => store.createField(key, "f", 1, { ttlMs: LONG_MS, add: [], remove: [] }),
  increment: (store, key) => store.increment(key, 1, LONG_MS),
  addMember: (store, key) => store.addMember(key, "m", LONG_MS),
  acquireLease: (store, key) => store.acquireLease(key, "h", LONG_MS),
};
const write = fc.tuple(fc.constantFrom(...Object.keys(WRITES)), fc.constantFrom(...KEYS));

it("before it is kept: so many names at most, and nothing of it stays; after that, everything does", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(write), fc.array(write), fc.boolean(), async (first, later, isKept) => {
      const inner = createMemoryStore(new ManualClock());
      const { store, keep, drop } = provisional(inner, 3, () => new TooManyNewTokens({ operation: "store" }));
      const written = new Set<string>();
      for (const [how, key] of first) {
        const outcome = await WRITES[how]?.(store, `${how}:${key}`).then(
          () => "written",
          (error) => error.code,
        );
        if (outcome === "written") written.add(`${how}:${key}`);
        else expect(outcome).toBe("tool.backend.unavailable.new_tokens");
      }
      expect(written.size).toBeLessThanOrEqual(3);
      if (isKept) {
        keep();
        for (const [how, key] of later) await WRITES[how]?.(store, `${how}:${key}`);
      }
      const current = async () => {
        const keys = Object.keys(WRITES).flatMap((how) => KEYS.map((key) => `${how}:${key}`));
        return (await Promise.all(keys.map((key) => inner.get(key, z.unknown())))).filter(
          (value) => value !== undefined,
        ).length;
      };
      const before = await current();
      await drop();
      expect(await current()).toBe(isKept ? before : 0);
    }),
  );
});

it("before it is kept, a hash gains so many fields at most, and the sets that list it count as names", async () => {
  const inner = createMemoryStore(new ManualClock());
  const { store, drop } = provisional(inner, 3, () => new TooManyNewTokens({ operation: "store" }));
  const write = (key: string, field: string, set?: string) =>
    store.createField(key, field, 1, { ttlMs: LONG_MS, add: set === undefined ? [] : [[set, key]], remove: [] });
  for (const field of ["1", "2", "3", "3"]) await write("h", field, "all");
  await expect(write("h", "4")).rejects.toMatchObject({ code: "tool.backend.unavailable.new_tokens" });
  await drop();
  expect(await inner.fields("h")).toEqual({});
  expect(await inner.members("all")).toEqual([]);
});
