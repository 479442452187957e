import { expect, it } from "vitest";
import { Approvals } from "../../src/session/approvals.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { ManualClock } from "../support/manual-clock.ts";

const ON_PAGE = { surface: "page", browser: "own_window" } as const;
const LIFETIME_MS = 600_000;

function asking() {
  const clock = new ManualClock();
  let ids = 0;
  const approvals = new Approvals(createMemoryStore(clock), clock, () => `id${ids++}`);
  return { clock, approvals };
}

it("a question that is asked anew has all its time again", async () => {
  const { clock, approvals } = asking();
  const id = await approvals.open("key");
  await clock.advance(LIFETIME_MS - 1_000);
  expect(await approvals.open("key")).toBe(id);
  await clock.advance(LIFETIME_MS - 1_000);
  await approvals.decide(id, "accept", ON_PAGE);
  expect(await approvals.take("key")).toEqual({ verdict: "accept", by: ON_PAGE });
});

it("a yes in the last moment is still taken", async () => {
  const { clock, approvals } = asking();
  const id = await approvals.open("key");
  await clock.advance(LIFETIME_MS - 100);
  await approvals.decide(id, "accept", ON_PAGE);
  await clock.advance(500);
  expect(await approvals.take("key")).toEqual({ verdict: "accept", by: ON_PAGE });
});

it("one that comes later is none, and the question can be asked again", async () => {
  const { clock, approvals } = asking();
  const id = await approvals.open("key");
  await clock.advance(LIFETIME_MS + 1);
  await approvals.decide(id, "accept", ON_PAGE);
  expect(await approvals.take("key")).toBeUndefined();
  const again = await approvals.open("key");
  expect(await approvals.isOpen(again)).toBe(true);
});

it("a yes works once, though the question is asked anew before and after", async () => {
  const { approvals } = asking();
  const id = await approvals.open("key");
  await approvals.decide(id, "accept", ON_PAGE);
  expect(await approvals.open("key")).toBe(id);
  expect(await approvals.take("key")).toEqual({ verdict: "accept", by: ON_PAGE });
  expect(await approvals.take("key")).toBeUndefined();
  const again = await approvals.open("key");
  expect(again).not.toBe(id);
  expect(await approvals.take("key")).toBeUndefined();
});
