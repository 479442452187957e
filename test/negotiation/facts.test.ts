import fc from "fast-check";
import { expect, it } from "vitest";
import { factsOf } from "../../src/negotiation/facts.ts";
import { effectiveDecision, reduce } from "../../src/negotiation/stage.ts";
import { facts, T0 } from "./fact-arbitraries.ts";

/** Values are read from files and a shared store: whatever stands there, reading goes on. */

const OWNER = { instance: "program", pid: 1 };
const accept = { at: T0, kind: "accept", by: "form", owner: OWNER, text_hash: "text" };

const name = fc.oneof(
  fc.constantFrom(
    "submitted",
    "formulated",
    "watched.1",
    "asked.1.aa",
    "decided.1",
    "decided.2",
    "undone.1",
    "outcome.0",
    "outcome.1",
    "reported.outcome.0",
    "decided.0",
    "decided.01",
    "decided.-1",
    "decided.x",
    "outcome.",
    "outcome.9999999",
    "undone.1e3",
    "asked",
    "__proto__",
  ),
  fc.string({ maxLength: 20 }),
);

it("malformed values, and names that are none, count as absent and never throw", () => {
  fc.assert(
    fc.property(facts, fc.array(fc.tuple(name, fc.jsonValue()), { maxLength: 10 }), (good, junk) => {
      const taken = new Set(good.map(([each]) => each));
      // A numbered one that is malformed keeps its number: the next test.
      const beside = junk.filter(([each]) => !taken.has(each) && !/^(decided|watched)\./.test(each));
      const read = factsOf(new Map([...beside, ...good]));
      expect(read).toEqual(factsOf(new Map(good)));
      reduce(read);
    }),
    { numRuns: 500 },
  );
});

it("anything at all under any name never throws", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.anything()), { maxLength: 10 }), (junk) => {
      reduce(factsOf(new Map(junk)));
    }),
    { numRuns: 500 },
  );
});

it.each<[string, unknown]>([
  ["a kind that is no word", { ...accept, kind: 7 }],
  ["no owner", { ...accept, owner: undefined }],
  ["a time that is no date", { ...accept, at: 1e300 }],
  ["a text", "accept"],
  ["null", null],
])("a decision with %s is none", (_, value) => {
  expect(effectiveDecision(factsOf(new Map([["decided.1", value]])))).toBeUndefined();
});

it.each<[string, object, object]>([
  ["kind", { kind: "delegate" }, { kind: "newer" }],
  ["decider", { by: "voice" }, { by: "newer" }],
])("a decision with a %s of a later version is one", (_, word, read) => {
  expect(effectiveDecision(factsOf(new Map([["decided.1", { ...accept, ...word }]])))).toMatchObject(read);
});

it("a field that a later version added changes nothing", () => {
  fc.assert(
    fc.property(facts, fc.jsonValue(), (list, future) => {
      const more = list.map(([each, value]) => [each, { ...(value as object), future }] as const);
      expect(factsOf(new Map(more))).toEqual(factsOf(new Map(list)));
    }),
  );
});

it("a malformed decision keeps its number: the next one is not taken for it, and what was undone stays undone", () => {
  const entries = new Map<string, unknown>([
    ["decided.1", { ...accept, kind: 7 }],
    ["decided.2", accept],
  ]);
  expect(effectiveDecision(factsOf(entries))).toMatchObject({ number: 2, kind: "accept" });
  entries.set("undone.2", { at: T0, why: "no_effect" });
  expect(effectiveDecision(factsOf(entries))).toBeUndefined();
  entries.delete("undone.2");
  entries.set("undone.1", { at: T0, why: "no_effect" });
  expect(effectiveDecision(factsOf(entries))).toMatchObject({ number: 2, kind: "accept" });
});

it("answers stand in the order in which they came, whatever the order in which they are read", () => {
  const entries = new Map<string, unknown>([
    ["answered.3.q", { at: 20 }],
    ["answered.2.q", { at: 30 }],
    ["answered.1.q", { at: 20 }],
    ["answered.4.q", { at: 10 }],
  ]);
  for (const read of [entries, new Map([...entries].reverse())])
    expect(factsOf(read).answers.map(({ number }) => number)).toEqual([4, 1, 3, 2]);
});
