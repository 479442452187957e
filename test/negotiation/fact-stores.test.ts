import { createHash } from "node:crypto";
import { join } from "node:path";
import fc from "fast-check";
import { nanoid } from "nanoid";
import { describe, expect, it } from "vitest";
import { byCodeUnits } from "../../src/by-code-units.ts";
import { type FactStore, factName, factsOf, type NegotiationKey } from "../../src/negotiation/facts.ts";
import { Journal } from "../../src/negotiation/journal.ts";
import { TaskFacts } from "../../src/negotiation/service.ts";
import { createFactFiles } from "../../src/negotiation/stores/home-facts.ts";
import { createSharedFacts } from "../../src/negotiation/stores/shared-facts.ts";
import { createMemoryStore } from "../../src/store/memory.ts";
import { type Store, scoped } from "../../src/store/store.ts";
import { temporaryHome } from "../support/home.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createMemoryFacts } from "../support/memory-facts.ts";
import { platformWith } from "../support/platform.ts";

/** One contract, three stores: files of a home, memory, and a store that replicas share. */

const hash = (text: string) => createHash("sha256").update(text).digest("hex");
const KEY = { origin: "https://network.test", id: "neg_1" };
const clock = new ManualClock();

/** The same store as two programs reach it. */
type Pair = [FactStore, FactStore];
const twoOnFiles = async (): Promise<Pair> => {
  const dir = join(await temporaryHome(), "history");
  const open = () => createFactFiles({ dir, newId: nanoid, now: Date.now });
  return [open(), open()];
};
const twoInMemory = async (): Promise<Pair> => {
  const store = createMemoryFacts();
  return [store, store];
};
const twoShared = async (around: (store: Store) => Store = (store) => store): Promise<Pair> => {
  const store = around(createMemoryStore(clock));
  const open = () => createSharedFacts(scoped(store, "user:ada:"));
  return [open(), open()];
};
const STORES = [
  ["files", twoOnFiles],
  ["memory", twoInMemory],
  ["shared", () => twoShared()],
] as const;

type Showing = Parameters<TaskFacts["show"]>[1];

const sorted = (keys: NegotiationKey[]) => keys.map(({ origin, id }) => `${origin} ${id}`).sort(byCodeUnits);

describe.each(STORES)("facts in %s", (_, open) => {
  it("of twenty that write one fact one wins, and all see what stands", async () => {
    const [a, b] = await open();
    const writes = Array.from({ length: 20 }, (_, i) => (i % 2 ? a : b).create(KEY, "decided.1", { i }, "open"));
    const all = await Promise.all(writes);
    expect(all.filter(({ created }) => created)).toHaveLength(1);
    const current = all.find(({ created }) => created)?.current;
    for (const each of all) expect(each.current).toEqual(current);
    for (const store of [a, b]) expect(await store.read(KEY)).toEqual(new Map([["decided.1", current]]));
  });

  it("a task's question goes out under one key, which two programs share, each answer renews, and nothing tells", async () => {
    const tasks = (await open()).map((facts) => {
      const journal = new Journal(KEY, platformWith(clock), facts);
      const own = new TaskFacts(platformWith(clock), () => journal);
      return { show: async (at: Showing) => own.show(KEY.id, at, factsOf(await facts.read(KEY))), own, facts };
    });
    const [a, b] = tasks as [(typeof tasks)[0], (typeof tasks)[0]];
    const at: Showing = { questionId: "Question_1", shape: "form", taken: 0, attempt: 0 };
    const keys = await Promise.all([a.show(at), b.show(at), a.show(at)]);
    expect(new Set(keys).size).toBe(1);
    expect(await b.show(at)).toBe(keys[0]);
    const others = [{ shape: "page" as const }, { taken: 1 }, { attempt: 1 }, { questionId: "Question_2" }];
    const all = [keys[0], ...(await Promise.all(others.map((other) => a.show({ ...at, ...other }))))];
    expect(new Set(all).size).toBe(5);
    const facts = factsOf(await b.facts.read(KEY));
    expect(b.own.shownUnder(all as string[], "Question_1", facts)).toMatchObject({ shape: "form", at: clock.now() });
    expect(b.own.shownUnder(["guess"], "Question_1", facts)).toBeUndefined();
    await b.own.takeAnswer(KEY.id, { questionId: "Question_1", taken: 0 }, {});
    const after = factsOf(await a.facts.read(KEY));
    expect(a.own.shownUnder([keys[0]!], "Question_1", after)).toBeUndefined();
  });

  it("what one writes the other reads, also after it has read before; nothing is ever rewritten", async () => {
    const [a, b] = await open();
    expect(await b.read(KEY)).toEqual(new Map());
    await a.create(KEY, "submitted", { text: "你好", list: [1, null] });
    expect(await b.read(KEY)).toEqual(new Map([["submitted", { text: "你好", list: [1, null] }]]));
    expect(await b.create(KEY, "submitted", { text: "another" })).toEqual({
      created: false,
      current: { text: "你好", list: [1, null] },
    });
    await a.create(KEY, "decided.1", 1);
    expect((await b.read(KEY)).size).toBe(2);
  });

  it("what was read is the reader's own: changing it changes nothing that stands", async () => {
    const [a, b] = await open();
    await a.create(KEY, "submitted", { at: 1 });
    ((await a.read(KEY)) as Map<string, unknown>).set("decided.1", "mine");
    expect(await a.read(KEY)).toEqual(new Map([["submitted", { at: 1 }]]));
    expect(await b.read(KEY)).toEqual(new Map([["submitted", { at: 1 }]]));
  });

  it("the index: open with the first fact, closed with the last, also by one that lost", async () => {
    const [a, b] = await open();
    await a.create(KEY, "submitted", 1, "open");
    expect([await a.listOpen(), await b.listOpen()]).toEqual([[KEY], [KEY]]);
    await b.create(KEY, "decided.1", 1);
    expect(await a.listOpen()).toEqual([KEY]);
    await b.create(KEY, "outcome.1", 1);
    await a.create(KEY, "outcome.1", 2, "close"); // whoever wrote it was killed, or is of another version
    expect([await a.listOpen(), await b.listOpen()]).toEqual([[], []]);
    expect([await a.list(), await b.list()]).toMatchObject([[KEY], [KEY]]);
    await b.create(KEY, "decided.1", 1, "open");
    expect(await a.listOpen()).toEqual([KEY]);
    await b.create(KEY, "outcome.1", 1, "close"); // its own, which it wrote without closing
    expect(await a.listOpen()).toEqual([]);
    await a.create(KEY, "decided.2", 1, "open"); // what was confirmed may be cancelled later
    expect(await b.listOpen()).toEqual([KEY]);
    await a.close(KEY);
    await b.close(KEY);
    expect([await a.listOpen(), await b.listOpen()]).toEqual([[], []]);
    expect((await a.read(KEY)).size).toBe(4);
  });

  it("an id means something at its own origin only", async () => {
    const [a, b] = await open();
    const elsewhere = { ...KEY, origin: "https://other.test" };
    await a.create(KEY, "submitted", 1, "open");
    expect(await b.read(elsewhere)).toEqual(new Map());
    expect((await b.create(elsewhere, "submitted", 2, "open")).created).toBe(true);
    expect(sorted(await a.listOpen())).toEqual(sorted([KEY, elsewhere]));
    await b.create(elsewhere, "outcome.0", 1, "close");
    expect(await a.listOpen()).toEqual([KEY]);
  });

  it("attempts are no negotiations", async () => {
    const [a, b] = await open();
    const demand = { ...KEY, id: `demand-${hash("a designer")}` };
    await a.create(demand, "attempt.1", { at: 1 });
    expect((await b.create(demand, "attempt.1", { at: 2 })).created).toBe(false);
    await b.create(demand, "answer.1", { lost: true });
    expect(await a.read(demand)).toEqual(
      new Map<string, unknown>([
        ["attempt.1", { at: 1 }],
        ["answer.1", { lost: true }],
      ]),
    );
    expect([await a.list(), await a.listOpen()]).toEqual([[], []]);
  });

  it("any id that a backend gives is kept apart from every other", async () => {
    const id = fc.oneof(
      fc.string({ minLength: 1, maxLength: 120, unit: "binary" }),
      fc.constantFrom("..", "../neg_1", "open", ".", "neg/1", "NEG_1", "neg_1", "x".repeat(300), "demand", "__proto__"),
    );
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(id, { minLength: 1, maxLength: 5 }), async (ids) => {
        const [a, b] = await open();
        const keys = ids.map((each) => ({ ...KEY, id: each }));
        for (const key of keys) expect((await a.create(key, "submitted", { of: key.id }, "open")).created).toBe(true);
        for (const key of keys) expect(await b.read(key)).toEqual(new Map([["submitted", { of: key.id }]]));
        expect(sorted(await b.list())).toEqual(sorted(keys));
        expect(sorted(await b.listOpen())).toEqual(sorted(keys));
      }),
      { numRuns: 25 },
    );
  });
});

const ACTIONS = ["decide", "undo", "adopt", "conclude", "ask", "refresh", "list"] as const;
type Action = (typeof ACTIONS)[number];
const actions = fc.array(fc.constantFrom(...ACTIONS), { minLength: 1, maxLength: 5 });

/** One program's life with one negotiation; gives the facts that it wrote, by name. */
async function live(program: number, store: FactStore, todo: readonly Action[]) {
  const journal = new Journal(KEY, platformWith(clock), store);
  const written = new Map<string, unknown>();
  const owner = { instance: `program-${program}`, pid: program };
  const claim = async (name: string, value: object, index?: "open" | "close") => {
    const { created, current } = await journal.claim(name, { at: 1, ...value }, index);
    if (created) written.set(name, current);
  };
  for (const [turn, action] of todo.entries()) {
    const { facts } = journal;
    if (action === "refresh") await journal.refresh();
    if (action === "list") await store.listOpen();
    if (action === "decide")
      await claim(factName.decided(facts.decided.length + 1), { kind: "accept", by: "form", owner }, "open");
    if (action === "adopt") await claim(factName.adopted(facts.adopted.length + 1), { owner, decisions: 0 });
    if (action === "ask")
      await claim(factName.asked(1, "same"), {
        question_id: `of-${program}-${turn}`,
        round: 1,
        shown_hash: "text",
        formulated_hash: "text",
      });
    if (action === "undo" && facts.decided.length > 0)
      await journal.note(factName.undone(facts.decided.length), { at: 1, why: "no_effect" });
    if (action === "conclude")
      await journal.note(factName.outcome(facts.decided.length), { at: 1, kind: "moved" }, "close");
  }
  return { journal, written };
}

/** What must be true after two programs have written about one negotiation, however their steps fell. */
async function expectNothingLost(stores: Pair, lives: Awaited<ReturnType<typeof live>>[]) {
  const [one, other] = await Promise.all(stores.map((store) => store.read(KEY)));
  expect(other).toEqual(one);
  const all = one ?? new Map();
  for (const { journal, written } of lives) {
    for (const [name, value] of written) expect(all.get(name), name).toEqual(value);
    const known = journal.facts;
    const final = factsOf(all);
    // What a program knew to be written stands, in its place.
    for (const [index, fact] of known.decided.entries()) expect(final.decided[index]).toEqual(fact);
    for (const [index, fact] of known.adopted.entries()) expect(final.adopted[index]).toEqual(fact);
    for (const number of known.undone.keys()) expect(final.undone.has(number)).toBe(true);
    for (const number of known.outcomes.keys()) expect(final.outcomes.has(number)).toBe(true);
    expect(await journal.refresh()).toEqual(final);
  }
  const claimed = lives.flatMap(({ written }) => [...written.keys()]);
  expect(new Set(claimed).size).toBe(claimed.length); // nobody won what another had won
  const noted = [...all.keys()].filter((name) => /^(undone|outcome)\./.test(name));
  expect([...claimed, ...noted].sort(byCodeUnits)).toEqual([...all.keys()].sort(byCodeUnits));
}

/** Every access waits for its turn, before it happens and before its answer arrives. */
const taken = <T extends object>(scheduler: fc.Scheduler, target: T): T =>
  new Proxy(target, {
    get:
      (_, name) =>
      async (...args: unknown[]) => {
        await scheduler.schedule(Promise.resolve(), String(name));
        const answer = await (target[name as keyof T] as (...args: unknown[]) => unknown)(...args);
        await scheduler.schedule(Promise.resolve(), `${String(name)} answers`);
        return answer;
      },
  });

describe("two programs that write about one negotiation at once", () => {
  const interleaved = async (open: (scheduler: fc.Scheduler) => Promise<Pair>, numRuns: number) =>
    fc.assert(
      fc.asyncProperty(fc.scheduler(), actions, actions, async (scheduler, first, second) => {
        const stores = await open(scheduler);
        const both = Promise.all([first, second].map((todo, i) => live(i + 1, stores[i] as FactStore, todo)));
        const lives = await scheduler.waitFor(both);
        const checked = expectNothingLost(stores, lives);
        await scheduler.waitFor(checked);
      }),
      { numRuns },
    );

  it("in memory: interleavings, no fact lost", async () => {
    await interleaved(async (scheduler) => {
      const [a, b] = await twoInMemory();
      return [taken(scheduler, a), taken(scheduler, b)];
    }, 400);
  });

  it("in a shared store: interleavings, no fact lost", async () => {
    await interleaved((scheduler) => twoShared((store) => taken(scheduler, store)), 400);
  });

  it("on files: interleavings, no fact lost", async () => {
    await fc.assert(
      fc.asyncProperty(actions, actions, async (first, second) => {
        const stores = await twoOnFiles(); // the disk itself mixes the steps
        const both = [first, second].map((todo, i) => live(i + 1, stores[i] as FactStore, todo));
        await expectNothingLost(stores, await Promise.all(both));
      }),
      { numRuns: 40 },
    );
  });
});
