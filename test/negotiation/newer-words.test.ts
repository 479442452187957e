import { describe, expect, it } from "vitest";
import { factName } from "../../src/negotiation/facts.ts";
import { Permissions } from "../../src/session/permissions.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { cancels, confirms } from "../support/backend.ts";
import { lastQuestionId, sha256 } from "../support/facts.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { platformWith } from "../support/platform.ts";
import { createWorld, ORIGIN, type World } from "../support/world.ts";

/** Records that a newer program of the same home wrote, in words that this one does not know: they stand. */

const INTENT = "A designer for a hospital queue pilot";

/** A demand that a newer program has decided; that program runs, and has not sent its request yet. */
async function decidedByNewer(words: object, { outcome }: { outcome?: object } = {}) {
  const world = await createWorld();
  const p = await world.process();
  const { result } = await p.call("towow_demand", { intent: INTENT });
  const { negotiation_id: id } = result.data.resume_with.params;
  const key = { origin: ORIGIN, id };
  const formulated = String(world.mock.negotiations()[0]?.demand_formulated);
  const at = world.clock.now();
  const decision = {
    at,
    kind: "accept",
    by: "page",
    owner: { instance: "newer", pid: 77 },
    question_id: await lastQuestionId(world, id),
    text_hash: sha256(formulated),
    formulated_hash: sha256(formulated),
    display: { surface: "page", rendered_hash: sha256(formulated), author: "network", browser: "known" },
    ...words,
  };
  await world.facts.create(key, factName.decided(1), decision, "open");
  if (outcome) await world.facts.create(key, factName.outcome(1), { at, ...outcome }, "close");
  return { world, p, id };
}

const DISPLAY = { surface: "page", rendered_hash: "x", author: "network", browser: "known" };
const WORDS: [string, object][] = [
  ["a surface that decides", { by: "chat" }],
  ["a surface that showed it", { display: { ...DISPLAY, surface: "chat" } }],
  ["a proof of a browser", { display: { ...DISPLAY, browser: "chat" } }],
  ["an author", { display: { ...DISPLAY, author: "chat" } }],
  ["a kind of decision", { kind: "accept_part" }],
];

const isWithdrawn = (world: World) => world.mock.negotiations()[0]?.cancelled;

describe.each(WORDS)("%s that this version does not know", (_, words) => {
  it("is a decision: nobody is asked again, and a second word is told that there is one", async () => {
    const { world, p, id } = await decidedByNewer(words);
    const again = await p.call("towow_demand", { negotiation_id: id });
    expect(again.result.data.resume_with?.tool).not.toBe("towow_demand");
    expect(again.result.data.decision).not.toBeNull();
    const confirmation_id = await lastQuestionId(world, id);
    const second = await p.call("towow_demand", { negotiation_id: id, confirmation_id, decision: "accept" });
    expect(second.result.error?.code).toBe("tool.negotiation.conflict.already_decided");
    expect(second.text).not.toMatch(/undefined|\[object/);
    expect((await p.call("towow_demand", { negotiation_id: id, decision: "reject" })).result.error?.code).toBe(
      "tool.negotiation.conflict.already_decided",
    );
    expect([confirms(world.mock).length, cancels(world.mock).length]).toEqual([0, 0]);
  });

  it("while its program runs it is neither withdrawn nor carried out before the deadline", async () => {
    const { world, p, id } = await decidedByNewer(words);
    await p.call("towow_status", { negotiation_id: id });
    await world.clock.advance(280_000);
    expect([confirms(world.mock).length, isWithdrawn(world)]).toEqual([0, false]);
  });

  it("a cancel still stops it", async () => {
    const { world, p, id } = await decidedByNewer(words);
    const { result } = await p.call("towow_demand", { negotiation_id: id, decision: "cancel" });
    expect(result.data?.resume_with ?? result.error).toBeDefined();
    await world.clock.run(p.negotiations.cancel(id, "terminal").catch(() => undefined));
    expect(isWithdrawn(world)).toBe(true);
  });
});

it("an unknown kind of decision is left to its program, also behind the deadline", async () => {
  const { world, p, id } = await decidedByNewer({ kind: "accept_part" });
  await p.call("towow_status", { negotiation_id: id });
  await world.clock.advance(299_000);
  expect([confirms(world.mock).length, cancels(world.mock).length]).toEqual([0, 0]);
  await world.clock.run(p.negotiations.shutdown());
  expect(cancels(world.mock)).toHaveLength(0);
});

it("an unknown outcome is one: nobody is asked again", async () => {
  const { p, id } = await decidedByNewer({}, { outcome: { kind: "split" } });
  const { result } = await p.call("towow_demand", { negotiation_id: id });
  expect(result.data.resume_with?.tool).not.toBe("towow_demand");
});

it("an unknown policy of a demand does not make it somebody else's: undecided, it is withdrawn", async () => {
  const world = await createWorld();
  const { create } = world.facts;
  world.facts.create = (key, name, value, index) =>
    create(key, name, name === "submitted" ? { ...(value as object), on_unconfirmed: "ask_again" } : value, index);
  const p = await world.process({ config: { on_unconfirmed: "leave" } });
  await p.call("towow_demand", { intent: INTENT });
  const other = await world.process({ config: { on_unconfirmed: "leave" } });
  world.dead.add(p.pid);
  await world.clock.run(other.negotiations.recover());
  await world.clock.advance(310_000);
  expect(isWithdrawn(world)).toBe(true);
});

it.each([
  { verdict: "accept", by: { surface: "chat" } },
  { verdict: "accept", by: { surface: "page", browser: "chat" } },
  { verdict: "later", by: { surface: "page" } },
])("a permission in words of a newer replica (%j) is an answer, and none that this one acts on", async (answer) => {
  const store = createMemoryStore(new ManualClock());
  const permissions = new Permissions(platformWith(new ManualClock()), store);
  const id = await permissions.open("key");
  await store.put(`verdict:${id}`, answer, 60_000);
  await expect(permissions.take("key")).rejects.toMatchObject({ code: "tool.config.invalid.newer_version" });
});
