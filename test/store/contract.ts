import { afterAll, beforeAll, expect, it } from "vitest";
import * as z from "zod";
import { type Store, scoped } from "../../src/store/store.ts";

export const MINUTE = 60_000;
export const ANY = z.any();

/** Waits until this much of a store's time has gone by, or somewhat more, and the check holds. */
export type Later = (ms: number, check: () => Promise<void> | void) => Promise<void>;

/** What every store does, by two that hold the same. */
export function contract(make: () => Promise<[Store, Store]>, later: Later) {
  let a: Store;
  let b: Store;
  let n = 0;
  const name = () => `k${++n}`;
  beforeAll(async () => {
    [a, b] = await make();
  });
  afterAll(async () => {
    await a.close();
    await b.close();
  });

  it("what one writes the other reads, until its lifetime ends", async () => {
    const key = name();
    await a.put(key, { text: "你好", list: [1, null] }, MINUTE);
    expect(await b.get(key, ANY)).toEqual({ text: "你好", list: [1, null] });
    await b.delete(key);
    expect(await a.get(key, ANY)).toBeUndefined();
    await a.put(key, 1, 20);
    await later(20, async () => expect(await b.get(key, ANY)).toBeUndefined());
  });

  it("gives many at once, in the order in which they were asked for, also what is not there", async () => {
    const [one, two] = [name(), name()];
    await a.put(one, { i: 1 }, MINUTE);
    await a.increment(two, 2, MINUTE);
    expect(await b.getMany([two, "nothing", one], ANY)).toEqual([2, undefined, { i: 1 }]);
  });

  it("what was written changes neither with what it was written from nor with what was read", async () => {
    const [key, value] = [name(), { list: [1] }];
    await a.put(key, value, MINUTE);
    value.list.push(2);
    const read = await a.get(key, ANY);
    try {
      read?.list.push(3);
    } catch {
      // one that cannot be changed is as good
    }
    expect(await a.get(key, ANY)).toEqual({ list: [1] });
  });

  it("of many that create at once one wins, and all see what stands", async () => {
    const key = name();
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? a : b).create(key, { i }, MINUTE, ANY)),
    );
    expect(all.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(all.map(({ value }) => value.i)).size).toBe(1);
  });

  it("of many that replace what they read one does, and nobody what was never there", async () => {
    const key = name();
    expect(await a.replace(key, { i: 0 }, { i: 1 }, MINUTE)).toBe(false);
    expect(await a.get(key, ANY)).toBeUndefined();
    await a.put(key, { i: 0, text: "你好" }, MINUTE);
    const read = await b.get(key, ANY);
    const all = await Promise.all([1, 2, 3, 4].map((i) => (i % 2 ? a : b).replace(key, read, { i }, MINUTE)));
    expect(all.filter((done) => done)).toHaveLength(1);
  });

  it("of many that take at once one gets it", async () => {
    const key = name();
    await a.put(key, "x", MINUTE);
    const all = await Promise.all([a, b, a, b].map((store) => store.take(key, ANY)));
    expect(all.filter((value) => value === "x")).toHaveLength(1);
  });

  it("counts what both add", async () => {
    const key = name();
    await Promise.all([a.increment(key, 1, MINUTE), b.increment(key, 2, MINUTE), a.increment(key, 3, MINUTE)]);
    expect(await b.get(key, ANY)).toBe(6);
  });

  it("a count ends when its first lifetime does, however often it is added to", async () => {
    const key = name();
    await a.increment(key, 1, 2_000); // long enough for the second on a busy machine
    expect(await b.increment(key, 1, MINUTE)).toBe(2);
    await later(2_000, async () => expect(await a.get(key, ANY)).toBeUndefined());
  });

  it("keeps members once each", async () => {
    const key = name();
    for (const member of ["x", "y", "x"]) await a.addMember(key, member, MINUTE);
    await b.removeMember(key, "y");
    expect(await b.members(key)).toEqual(["x"]);
    expect(await b.members(name())).toEqual([]);
  });

  const bare = { ttlMs: MINUTE, add: [], remove: [] };

  it("of twenty that write one field one wins, and all see what stands", async () => {
    const key = name();
    const writes = Array.from({ length: 20 }, (_, i) => (i % 2 ? a : b).createField(key, "decided.1", { i }, bare));
    const all = await Promise.all(writes);
    expect(all.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(all.map(({ value }) => (value as { i: number }).i)).size).toBe(1);
    expect(await a.fields(key)).toEqual({ "decided.1": all[0]?.value });
  });

  it("fields of one hash stand beside each other, and nothing stands where nothing was written", async () => {
    const key = name();
    await a.createField(key, "one", { text: "你好", list: [1, null] }, bare);
    await b.createField(key, "__proto__", false, bare);
    const fields = new Map(Object.entries(await a.fields(key)));
    expect(fields).toEqual(
      new Map<string, unknown>([
        ["one", { text: "你好", list: [1, null] }],
        ["__proto__", false],
      ]),
    );
    expect(await b.fields(name())).toEqual({});
  });

  it("the index is written in the same step: whoever sees the field sees it, and a later one takes it away", async () => {
    const key = name();
    const [open, all] = [name(), name()];
    for (let i = 0; i < 50; i++) {
      const add = [[open, `${i}`] as const, [all, `${i}`] as const];
      const writing = a.createField(key, `${i}`, i, { ...bare, add });
      const isSeen = `${i}` in (await b.fields(key));
      if (isSeen) expect(await b.members(open)).toContain(`${i}`);
      await writing;
      expect(await b.members(open)).toContain(`${i}`);
    }
    await b.createField(key, "end", 1, { ...bare, add: [[all, "end"]], remove: [[open, "7"]] });
    expect(await a.members(open)).toHaveLength(49);
    expect(await a.members(open)).not.toContain("7");
    expect(await a.members(all)).toHaveLength(51);
  });

  it("hash and sets end together, and every write gives them their time anew", async () => {
    const [key, set, witness] = [name(), name(), name()];
    await a.createField(key, "one", 1, { ttlMs: 100, add: [[set, "x"]], remove: [] });
    await a.createField(key, "one", 2, { ttlMs: MINUTE, add: [[set, "x"]], remove: [] }); // also one that lost
    await b.createField(witness, "one", 1, { ttlMs: 150, add: [], remove: [] });
    await later(150, async () => expect(await b.fields(witness)).toEqual({}));
    expect(await b.fields(key)).toEqual({ one: 1 });
    expect(await b.members(set)).toEqual(["x"]);
    await a.createField(key, "two", 2, { ttlMs: 20, add: [[set, "x"]], remove: [] });
    await later(20, async () => expect([await b.fields(key), await b.members(set)]).toEqual([{}, []]));
  });

  it("a lease has one holder, who may keep it, and passes on when let go or run out", async () => {
    const key = name();
    expect(await a.acquireLease(key, "one", MINUTE)).toBe(true);
    expect(await b.acquireLease(key, "two", MINUTE)).toBe(false);
    await b.releaseLease(key, "two"); // not its own
    expect(await b.acquireLease(key, "two", MINUTE)).toBe(false);
    expect(await a.acquireLease(key, "one", MINUTE)).toBe(true);
    await a.releaseLease(key, "one");
    expect(await b.acquireLease(key, "two", 20)).toBe(true);
    await later(20, async () => expect(await a.acquireLease(key, "one", MINUTE)).toBe(true));
  });

  it("a message reaches every listener once, in order, and nobody after they left", async () => {
    const channel = name();
    const heard: unknown[] = [];
    const leave = b.subscribe(channel, (message) => heard.push(message));
    await later(0, async () => {
      await a.publish(channel, "are you there");
      expect(heard.length).toBeGreaterThan(0);
    });
    heard.length = 0;
    for (const i of [1, 2, 3]) await a.publish(channel, { i });
    await later(0, () => expect(heard.filter((m) => typeof m === "object")).toEqual([{ i: 1 }, { i: 2 }, { i: 3 }]));
    leave();
    heard.length = 0;
    await a.publish(channel, "gone?");
    await a.checkWritable();
    expect(heard).toEqual([]);
  });

  it("what stands behind a prefix is out of another's reach", async () => {
    const key = name();
    await scoped(a, "user:1:").put(key, "mine", MINUTE);
    expect(await scoped(b, "user:2:").get(key, ANY)).toBeUndefined();
    expect(await scoped(b, "user:1:").get(key, ANY)).toBe("mine");
    const [hash, set] = [name(), name()];
    await scoped(a, "user:1:").createField(hash, "one", 1, { ttlMs: MINUTE, add: [[set, "x"]], remove: [] });
    expect([await scoped(b, "user:2:").fields(hash), await scoped(b, "user:2:").members(set)]).toEqual([{}, []]);
    expect([await scoped(b, "user:1:").fields(hash), await scoped(b, "user:1:").members(set)]).toEqual([
      { one: 1 },
      ["x"],
    ]);
  });
}
