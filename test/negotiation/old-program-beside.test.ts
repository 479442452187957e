import { describe, expect, it } from "vitest";
import { factName } from "../../src/negotiation/facts.ts";
import type { OldDecision } from "../../src/negotiation/old-format/history.ts";
import { createStoreHistory } from "../../src/negotiation/old-format/history-store.ts";
import { createReplicaFacts } from "../../src/negotiation/stores/with-old-format.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { decisionAbout, factsAbout, leaveDecision, outcomeOf, sha256 } from "../support/facts.ts";
import { createWorld, ORIGIN } from "../support/world.ts";

/** What a status says of a negotiation that a program of version 0.1 began, and still decides about. */

const OLD = { instance: "old", pid: 1 };
const TEXT = "Wants a designer for a hospital queue pilot.";
const EDIT = "Wants a nurse instead.";

async function worldWithOldProgram() {
  const world = await createWorld();
  const { clock, mock } = world;
  const deps = { store: createMemoryStore(clock), hash: sha256 };
  Object.assign(world.facts, createReplicaFacts(deps));
  const old = createStoreHistory(deps);
  mock.engine.formulateWith(() => TEXT);
  const post = async (path: string, body: object) => {
    const headers = { "Content-Type": "application/json" };
    const request = new Request(`${ORIGIN}/v1/api/negotiations/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return (await clock.run(Promise.resolve(mock.fetch(request)))).json() as Promise<{ negotiation_id: string }>;
  };
  const submitted_at = clock.now();
  const { negotiation_id: id } = await post("submit", { scene_id: world.sceneId, user_id: "user_test", intent: "A" });
  const text_hash = sha256(TEXT);
  const question = { id: "question", shown_hash: text_hash, formulated_hash: text_hash, created_at: submitted_at };
  await clock.advance(3_000);
  await old.put({
    negotiation_id: id,
    origin: ORIGIN,
    user_id: "user_test",
    submitted_at,
    deadline_at: submitted_at + 300_000,
    owner: OLD,
    confirmation: question,
  });
  const decide = (kind: OldDecision["kind"], text: string) =>
    old.decide(id, {
      kind,
      by: "form",
      at: clock.now(),
      owner: OLD,
      confirmation_id: "question",
      text_hash: sha256(text),
    });
  return {
    world,
    id,
    old,
    decide,
    /** The old program's yes goes out, and the program is killed before it writes down what came of it. */
    async confirmAndDie() {
      await clock.advance(1_000);
      expect(await decide("accept", TEXT)).toMatchObject({ won: true });
      await post(`${id}/confirm`, { confirmed_text: TEXT });
      world.dead.add(OLD.pid);
      await clock.advance(60_000);
    },
  };
}

describe("a yes of the old program that took effect is told as the person's own", () => {
  it("after a decision of that program which it had taken back", async () => {
    const { world, id, old, decide, confirmAndDie } = await worldWithOldProgram();
    const heir = await world.process();
    await decide("edit", EDIT);
    await heir.call("towow_status", { negotiation_id: id }); // it has seen the edit
    await old.release(id);
    await confirmAndDie();
    const { result } = await heir.call("towow_status", { negotiation_id: id });
    expect(result.summary).not.toContain("without your decision");
    expect(result.warnings).not.toContain("auto_confirmed");
    expect(await decisionAbout(world, id)).toMatchObject({ kind: "accept" });
    expect(await outcomeOf(world, id)).toMatchObject({ kind: "confirmed" });
  });

  it("after a decision of a killed new program, which it took over and took back", async () => {
    const { world, id, old, confirmAndDie } = await worldWithOldProgram();
    const killed = await world.process();
    await killed.call("towow_status", { negotiation_id: id });
    await leaveDecision(world, killed, id, { kind: "edit", text: EDIT });
    await old.release(id);
    await confirmAndDie();
    const heir = await world.process();
    const { result } = await heir.call("towow_status", { negotiation_id: id });
    expect(result.summary).not.toContain("without your decision");
    expect(result.warnings).not.toContain("auto_confirmed");
    expect(await decisionAbout(world, id)).toMatchObject({ kind: "accept", number: 2 });
  });
});

it("what the old program took back of a new program's decision is open again, and decided by one of them", async () => {
  const { world, id, old, decide } = await worldWithOldProgram();
  const killed = await world.process();
  await leaveDecision(world, killed, id, { kind: "edit", text: EDIT });
  await old.release(id);
  expect(await decisionAbout(world, id)).toBeUndefined();
  const yes = { at: world.clock.now(), kind: "accept", by: "form", owner: { instance: "new", pid: 2 } };
  const created = await world.facts.create({ origin: ORIGIN, id }, factName.decided(2), yes);
  expect(created.created).toBe(true);
  expect(await decide("accept", TEXT)).toMatchObject({ won: false, decision: { owner: yes.owner } });
  const { undone } = await factsAbout(world, id);
  expect([...undone.keys()]).toEqual([1]);
  expect(await decisionAbout(world, id)).toMatchObject({ number: 2, owner: yes.owner });
});

it("a yes that another old program takes back is not sent again, and the call that waits for it gets an answer", async () => {
  const { world, id, old, decide } = await worldWithOldProgram();
  const heir = await world.process();
  await decide("accept", TEXT);
  world.dead.add(OLD.pid);
  world.mock.faults.add({ route: "confirm", kind: "drop_before", delayMs: 2_000, times: Number.POSITIVE_INFINITY });
  const params = { negotiation_id: id, confirmation_id: "question", decision: "accept" };
  const from = world.clock.now();
  const waiting = heir.start("towow_demand", params);
  await world.clock.advance(1_000);
  await old.release(id);
  const { result } = await world.clock.run(waiting);
  expect(result.status).toBe("error");
  expect(world.clock.now() - from).toBeLessThan(5_000);
  world.mock.faults.clear();
  await world.clock.advance(300_000);
  const [negotiation] = world.mock.negotiations();
  expect(negotiation).toMatchObject({ cancelled: true, confirmCount: 0 });
});
