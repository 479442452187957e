import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nanoid } from "nanoid";
import { expect, it } from "vitest";
import { factName, factsOf } from "../../src/negotiation/facts.ts";
import { createFileHistory } from "../../src/negotiation/old-format/history-files.ts";
import { reduce } from "../../src/negotiation/stage.ts";
import { createHomeFacts } from "../../src/negotiation/stores/with-old-format.ts";

/** What a running program of version 0.1 and one of this version make of the same home. */

const ORIGIN = "https://network.test";
const KEY = { origin: ORIGIN, id: "neg_1" };
const OLD = { instance: "old", pid: 1 };
const NEW = { instance: "new", pid: 2 };
const question = { id: "question", shown_hash: "text", formulated_hash: "text", created_at: 2_000 };
const RECORD = {
  negotiation_id: KEY.id,
  origin: ORIGIN,
  user_id: "user",
  submitted_at: 1_000,
  deadline_at: 301_000,
  owner: OLD,
  confirmation: question,
};

async function home() {
  const dir = join(await mkdtemp(join(tmpdir(), "towow-test-")), "history");
  const deps = { dir, newId: nanoid, now: Date.now, hash: (text: string) => Buffer.from(text).toString("hex") };
  const old = createFileHistory(deps).at(ORIGIN);
  await old.put(RECORD);
  return { old, facts: createHomeFacts(deps) };
}

const yes = (owner: typeof OLD) => ({
  kind: "accept" as const,
  by: "form" as const,
  at: 3_000,
  owner,
  text_hash: "text",
});

it("a pause of the old version is asked about, and its own program answers for it", async () => {
  const { facts } = await home();
  const stage = reduce(factsOf(await facts.read(KEY)));
  expect(stage).toMatchObject({ name: "asking", deadlineAt: 301_000, owner: OLD });
  expect(stage.questions).toMatchObject([{ question_id: "question", shown_hash: "text" }]);
  expect(await facts.listOpen()).toEqual([KEY]);
});

it("of a decision by each version the first stands, for both", async () => {
  const first = await home();
  await first.old.decide(KEY.id, yes(OLD));
  expect(await first.facts.create(KEY, factName.decided(1), yes(NEW))).toMatchObject({
    created: false,
    current: { owner: OLD },
  });
  const second = await home();
  expect(await second.facts.create(KEY, factName.decided(1), yes(NEW))).toMatchObject({ created: true });
  expect(await second.old.decide(KEY.id, yes(OLD))).toMatchObject({ won: false, decision: { owner: NEW } });
});

it("what became of it is written for both, and a decision that had no effect is taken back for both", async () => {
  const { old, facts } = await home();
  await facts.create(KEY, factName.decided(1), yes(NEW));
  await facts.create(KEY, factName.undone(1), { at: 4_000, why: "too_late" });
  expect(await old.decision(KEY.id)).toBeUndefined();
  expect(reduce(factsOf(await facts.read(KEY)))).toMatchObject({ name: "asking", lateDecision: { kind: "accept" } });
  await facts.create(KEY, factName.outcome(0), { at: 5_000, kind: "moved" }, "close");
  expect(await old.get(KEY.id)).toMatchObject({ ended: { as: "auto_confirmed" } });
  expect(await facts.listOpen()).toEqual([]);
  expect(await facts.list()).toEqual([KEY]);
});

it("after a decision that had no effect, of the next ones by each version the first stands, for both", async () => {
  const withdraw = { ...yes(OLD), kind: "withdraw" as const, by: "guard" as const };
  const noEffect = { at: 4_000, why: "no_effect" };
  const first = await home();
  await first.facts.create(KEY, factName.decided(1), yes(NEW));
  await first.facts.create(KEY, factName.undone(1), noEffect);
  await first.facts.create(KEY, factName.decided(2), { ...yes(NEW), at: 5_000 });
  expect(await first.old.decide(KEY.id, withdraw)).toMatchObject({ won: false, decision: { owner: NEW } });
  const second = await home();
  await second.facts.create(KEY, factName.decided(1), yes(NEW));
  await second.facts.create(KEY, factName.undone(1), noEffect);
  await second.old.decide(KEY.id, withdraw);
  expect(reduce(factsOf(await second.facts.read(KEY)))).toMatchObject({ decision: { kind: "withdraw", number: 2 } });
  expect(await second.facts.create(KEY, factName.decided(2), yes(NEW))).toMatchObject({
    created: false,
    current: { owner: OLD },
  });
});

it("a decision of the old version that is taken back keeps its number", async () => {
  const { old, facts } = await home();
  await old.decide(KEY.id, { ...yes(OLD), kind: "edit" });
  await facts.create(KEY, factName.undone(1), { at: 4_000, why: "edit_lost" });
  await facts.create(KEY, factName.decided(2), yes(NEW));
  const stage = reduce(factsOf(await facts.read(KEY)));
  expect(stage).toMatchObject({ name: "confirming", decision: { kind: "accept", number: 2 } });
});

it("a decision that is taken back twice makes room once", async () => {
  const { old, facts } = await home();
  await facts.create(KEY, factName.decided(1), yes(NEW));
  await old.release(KEY.id); // and the fact of it could not be written
  await old.decide(KEY.id, { ...yes(OLD), kind: "withdraw" });
  await facts.create(KEY, factName.undone(1), { at: 4_000, why: "no_effect" });
  expect(await old.decision(KEY.id)).toMatchObject({ kind: "withdraw" });
  expect(reduce(factsOf(await facts.read(KEY)))).toMatchObject({ decision: { kind: "withdraw", number: 2 } });
});

it("a cancel that had no effect does not take back the yes before it", async () => {
  const { old, facts } = await home();
  await facts.create(KEY, factName.decided(1), yes(NEW));
  const cancel = { ...yes(NEW), kind: "cancel", at: 4_000 };
  expect(await facts.create(KEY, factName.decided(2), cancel)).toMatchObject({ created: true });
  await facts.create(KEY, factName.undone(2), { at: 5_000, why: "no_effect" });
  expect(await old.decision(KEY.id)).toMatchObject({ kind: "accept" });
});

it("a negotiation of another backend with the same id is another negotiation", async () => {
  const { facts } = await home();
  expect(await facts.read({ origin: "https://elsewhere.test", id: KEY.id })).toEqual(new Map());
});

it("after a decision without effect, of the next one by each version the first stands, for both", async () => {
  const again = async () => {
    const { old, facts } = await home();
    await facts.create(KEY, factName.decided(1), yes(NEW));
    await facts.create(KEY, factName.undone(1), { at: 4_000, why: "no_effect" });
    return { old, facts };
  };
  const no = (owner: typeof OLD) => ({ kind: "withdraw" as const, by: "guard" as const, at: 5_000, owner });
  const first = await again();
  expect(await first.facts.create(KEY, factName.decided(2), { ...yes(NEW), at: 5_000 })).toMatchObject({
    created: true,
  });
  expect(await first.old.decide(KEY.id, no(OLD))).toMatchObject({ won: false, decision: { owner: NEW } });
  expect(reduce(factsOf(await first.facts.read(KEY)))).toMatchObject({ decision: { number: 2, owner: NEW } });
  const second = await again();
  await second.old.decide(KEY.id, no(OLD));
  expect(reduce(factsOf(await second.facts.read(KEY)))).toMatchObject({ decision: { number: 2, kind: "withdraw" } });
  expect(await second.facts.create(KEY, factName.decided(2), yes(NEW))).toMatchObject({
    created: false,
    current: { owner: OLD },
  });
});

it("what is begun here under an id hides no old record of that id at another backend", async () => {
  const { facts } = await home();
  const before = await facts.read(KEY);
  await facts.create({ ...KEY, origin: "http://other.test" }, factName.submitted, { at: 4_000 }, "open");
  expect([...(await facts.read(KEY)).keys()]).toEqual([...before.keys()]);
  expect(before.has(factName.submitted)).toBe(true);
});
