import { expect, it } from "vitest";
import { Permissions } from "../../src/session/permissions.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";

const ON_PAGE = { surface: "page", browser: "own_window" } as const;
const LIFETIME_MS = 600_000;

function asking() {
  const clock = new ManualClock();
  let ids = 0;
  const permissions = new Permissions(platformWith(clock, { newId: () => `id${ids++}` }), createMemoryStore(clock));
  return { clock, permissions };
}

it("a question that is asked anew has all its time again", async () => {
  const { clock, permissions } = asking();
  const id = await permissions.open("key");
  await clock.advance(LIFETIME_MS - 1_000);
  expect(await permissions.open("key")).toBe(id);
  await clock.advance(LIFETIME_MS - 1_000);
  await permissions.decide(id, "accept", ON_PAGE);
  expect(await permissions.take("key")).toEqual({ verdict: "accept", by: ON_PAGE });
});

it("a yes in the last moment is still taken", async () => {
  const { clock, permissions } = asking();
  const id = await permissions.open("key");
  await clock.advance(LIFETIME_MS - 100);
  await permissions.decide(id, "accept", ON_PAGE);
  await clock.advance(500);
  expect(await permissions.take("key")).toEqual({ verdict: "accept", by: ON_PAGE });
});

it("one that comes later is none, and the question can be asked again", async () => {
  const { clock, permissions } = asking();
  const id = await permissions.open("key");
  await clock.advance(LIFETIME_MS + 1);
  await permissions.decide(id, "accept", ON_PAGE);
  expect(await permissions.take("key")).toBeUndefined();
  const again = await permissions.open("key");
  expect(await permissions.isOpen(again)).toBe(true);
});

it("a yes works once, though the question is asked anew before and after", async () => {
  const { permissions } = asking();
  const id = await permissions.open("key");
  await permissions.decide(id, "accept", ON_PAGE);
  expect(await permissions.open("key")).toBe(id);
  expect(await permissions.take("key")).toEqual({ verdict: "accept", by: ON_PAGE });
  expect(await permissions.take("key")).toBeUndefined();
  const again = await permissions.open("key");
  expect(again).not.toBe(id);
  expect(await permissions.take("key")).toBeUndefined();
});
