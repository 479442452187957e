import { describe, expect, it } from "vitest";
import { effectiveDecision } from "../../src/negotiation/stage.ts";
import { cancels, confirms, submits } from "../support/backend.ts";
import { endedAs, seenOn } from "../support/facts.ts";
import { createReplicas } from "../support/replicas.ts";
import { accept, DEADLINE_MS, demand, GUARD_MS, only, paused } from "./store-support.ts";

describe("the deadline falls into a time without the store", () => {
  it("what the backend still holds back is withdrawn, and written down later", async () => {
    const world = createReplicas();
    const [a, b] = [world.replica(), world.replica()];
    const id = await paused(world, a);
    await world.clock.advance(GUARD_MS - 10_000);
    world.shared.away = true;
    await world.clock.advance(18_000);
    expect(cancels(world.mock)).toHaveLength(0); // the store may come back in time, and then it can be known
    await world.clock.advance(30_000);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
    expect(cancels(world.mock)).toHaveLength(1);
    world.shared.away = false;
    await world.clock.advance(2_000);
    expect(effectiveDecision(await b.user().facts(id))).toMatchObject({ kind: "withdraw", by: "guard" });
    expect(await endedAs(b.user(), id)).toBe("withdrawn");
    expect(await b.user().takeOwed(id)).toEqual(["withdrawn"]);
  });

  it("a store that answers late and takes no fact: what waits is withdrawn well before the deadline", async () => {
    for (const laterMs of [0, 1_000, 2_000, 3_000, 4_000]) {
      const world = createReplicas();
      await paused(world, world.replica());
      await world.clock.advance(GUARD_MS - 10_000 + laterMs);
      world.shared.answerMs = 1_900;
      world.shared.refusesAfterMs = 2_000;
      await world.clock.advance(21_000 - laterMs);
      const withdrawn = { confirmedBy: undefined, confirmCount: 0, cancelled: true };
      expect(only(world), `slow ${laterMs} ms later`).toMatchObject(withdrawn);
    }
  });

  it("the store comes back within the margin: what it says holds", async () => {
    const world = createReplicas();
    const [a, b] = [world.replica(), world.replica()];
    const id = await paused(world, a);
    await accept(world, b.user(), id);
    world.shared.away = true;
    await world.clock.advance(GUARD_MS + 4_000);
    world.shared.away = false;
    await world.clock.advance(60_000);
    expect(cancels(world.mock)).toHaveLength(0);
    expect(only(world)).toMatchObject({ confirmCount: 1, cancelled: false });
  });

  it("what was decided elsewhere is not cancelled, though nobody can tell that it was", async () => {
    const world = createReplicas();
    const [a, b] = [world.replica(), world.replica()];
    const id = await paused(world, a);
    await accept(world, b.user(), id);
    world.shared.away = true;
    await world.clock.advance(DEADLINE_MS + 60_000);
    world.shared.away = false;
    await world.clock.advance(60_000);
    expect(cancels(world.mock)).toHaveLength(0);
    expect(await endedAs(a.user(), id)).toBe("confirmed");
  });
});

describe("the store goes in the middle of a call", () => {
  it("after the submit has arrived: guarded all the same, and the same demand finds it", async () => {
    const world = createReplicas();
    const [a, b] = [world.replica(), world.replica()];
    world.shared.answerMs = 5;
    const submitting = a.user().submit(demand(world));
    await world.clock.until(() => submits(world.mock).length === 1, { stepMs: 1 });
    world.shared.away = true;
    const { id } = await world.clock.run(submitting);
    await world.clock.advance(3_000);
    world.shared.answerMs = 0;
    world.shared.away = false;
    await world.clock.advance(2_000);
    const again = await world.clock.run(b.user().submit(demand(world)));
    expect(again).toMatchObject({ duplicate: true, id });
    await world.clock.advance(DEADLINE_MS);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it.each(["accept", "reject"] as const)("after %s has arrived: the person is told so, once", async (kind) => {
    const world = createReplicas();
    const [a, b] = [world.replica(), world.replica()];
    const id = await paused(world, a);
    const question = await a.user().claimQuestion(await a.user().get(id), only(world).demand_formulated as string);
    const sent = () => confirms(world.mock).length + cancels(world.mock).length;
    world.shared.answerMs = 5;
    const rendering = seenOn("argument", only(world).demand_formulated as string);
    const decision = kind === "reject" ? { kind, by: "argument" as const } : { kind, rendering };
    const deciding = a.user().decide({ negotiationId: id, confirmationId: question.id, ...decision });
    await world.clock.until(() => sent() === 1, { stepMs: 1 });
    world.shared.away = true;
    expect(await world.clock.run(deciding)).toMatchObject({ kind: kind === "accept" ? "confirmed" : "rejected" });
    world.shared.away = false;
    world.shared.answerMs = 0;
    await world.clock.run(b.user().recover());
    await world.clock.advance(DEADLINE_MS + 60_000);
    expect(sent()).toBe(1);
    const as = kind === "accept" ? "confirmed" : "rejected";
    expect(await endedAs(b.user(), id)).toBe(as);
  });

  it("a decision that cannot be written is not sent", async () => {
    const world = createReplicas();
    const a = world.replica();
    const id = await paused(world, a);
    const question = await a.user().claimQuestion(await a.user().get(id), only(world).demand_formulated as string);
    const deciding = a.user().decide({
      negotiationId: id,
      confirmationId: question.id,
      kind: "accept",
      rendering: seenOn("argument", only(world).demand_formulated as string),
    });
    world.shared.away = true;
    await expect(world.clock.run(deciding)).rejects.toMatchObject({ code: "tool.config.unavailable.store" });
    await world.clock.advance(60_000);
    expect(confirms(world.mock)).toHaveLength(0);
  });
});

describe("the store comes back empty", () => {
  it("an undecided pause is withdrawn at its time, a decided one is left alone", async () => {
    const world = createReplicas();
    const [a, b] = [world.replica(), world.replica()];
    const decided = await paused(world, a);
    await accept(world, b.user(), decided);
    const { id } = await world.clock.run(a.user().submit(demand(world, "A nurse")));
    await world.clock.advance(5_000);
    world.shared.forget();
    await world.clock.advance(DEADLINE_MS + 60_000);
    expect(cancels(world.mock).map((e) => e.path)).toEqual([expect.stringContaining(id)]);
  });

  it("nobody is taken for gone: what one carries out, the other does not carry out as well", async () => {
    const world = createReplicas();
    const [a, b] = [world.replica(), world.replica()];
    const id = await paused(world, a);
    world.shared.away = true;
    await world.clock.advance(30_000);
    world.shared.away = false;
    await world.clock.run(b.user().recover());
    expect(await b.user().takeOwed(id)).toEqual([]);
    await world.clock.advance(40_000);
    await world.clock.run(b.user().recover());
    expect(await b.user().takeOwed(id)).toEqual([]);
  });
});

describe("a replica is gone", () => {
  it("and the store as well when its pause is looked at: the next call takes it over, in time", async () => {
    const world = createReplicas();
    const [a, b] = [world.replica(), world.replica()];
    await paused(world, a);
    await world.clock.advance(GUARD_MS - 60_000);
    a.kill();
    await world.clock.advance(70_000);
    world.shared.answerMs = 5;
    const looked = b.user().recover();
    await world.clock.advance(3); // the list is on its way, the facts are not asked for yet
    world.shared.away = true;
    await world.clock.run(looked);
    world.shared.answerMs = 0;
    world.shared.away = false;
    await world.clock.run(b.user().recover());
    await world.clock.advance(DEADLINE_MS);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0, confirmedBy: undefined });
  });

  it("the next call at another one adopts its pause, guards it and owes the person a word", async () => {
    const world = createReplicas();
    const [a, b] = [world.replica(), world.replica()];
    const id = await paused(world, a);
    await world.clock.advance(1_000);
    a.kill();
    await world.clock.run(b.user().recover());
    expect(await b.user().takeOwed(id)).toEqual([]); // silent for a moment only, for all that is known
    await world.clock.advance(30_000); // it looks again by itself
    expect(await b.user().takeOwed(id)).toEqual(["pause_was_unguarded"]);
    await world.clock.advance(DEADLINE_MS);
    expect(only(world)).toMatchObject({ cancelled: true, confirmCount: 0 });
  });

  it("its decision, sent or not, takes effect once and is told as what it is", async () => {
    const world = createReplicas();
    const [a, b] = [world.replica(), world.replica()];
    const id = await paused(world, a);
    const question = await a.user().claimQuestion(await a.user().get(id), only(world).demand_formulated as string);
    const rendering = seenOn("argument", only(world).demand_formulated as string);
    const request = { negotiationId: id, confirmationId: question.id, rendering };
    void a.user().decide({ ...request, kind: "accept" });
    await world.clock.until(() => confirms(world.mock).length === 1, { stepMs: 1 });
    a.kill();
    await world.clock.advance(70_000);
    await world.clock.run(b.user().recover());
    expect(await endedAs(b.user(), id)).toBe("confirmed");
    expect(only(world).confirmCount).toBe(1);
  });
});

it("the same new need at two replicas at once, after an old one: one negotiation", async () => {
  const world = createReplicas();
  const [a, b] = [world.replica(), world.replica()];
  const first = await world.clock.run(a.user().submit(demand(world)));
  await world.clock.advance(130_000);
  const both = await world.clock.run(Promise.all([a, b].map((replica) => replica.user().submit(demand(world)))));
  expect(new Set(both.map(({ id }) => id)).size).toBe(1);
  expect(both[0]?.id).not.toBe(first.id);
  expect(submits(world.mock)).toHaveLength(2);
});
