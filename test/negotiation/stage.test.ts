import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DECISION_KINDS, factsOf } from "../../src/negotiation/facts.ts";
import { Journal } from "../../src/negotiation/journal.ts";
import { confirms, effectiveDecision, lastOutcome, mayFollow, reduce } from "../../src/negotiation/stage.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { createMemoryFacts } from "../support/memory-facts.ts";
import { platformWith } from "../support/platform.ts";
import { Reached } from "../support/reached.ts";
import { agent, negotiation } from "../watch/views.ts";
import { decided, facts, outcome, snapshot, T0 } from "./fact-arbitraries.ts";

const maybeShown = fc.option(snapshot, { nil: undefined });
const RUNS = { numRuns: 2_000 };
const journal = () =>
  new Journal({ origin: "https://network.test", id: "neg_1" }, platformWith(new ManualClock()), createMemoryFacts());

describe("one reading of the facts", () => {
  it("their order does not matter", () => {
    const shuffled = facts.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    fc.assert(
      fc.property(shuffled, maybeShown, ([one, other], shown) => {
        expect(reduce(factsOf(new Map(other)), shown)).toEqual(reduce(factsOf(new Map(one)), shown));
      }),
      { numRuns: 1_000 },
    );
  });

  it("reading twice is reading once, and what stood stays: facts are only ever added", () => {
    fc.assert(
      fc.property(facts, facts, (first, later) => {
        const it = journal();
        it.learn(new Map(first));
        const before = it.facts;
        it.learn(new Map(first));
        expect(it.facts).toBe(before);
        it.learn(new Map(later)); // with other values under the same names: the first one written stands
        expect(it.facts).toEqual(factsOf(new Map([...later, ...first])));
      }),
      RUNS,
    );
  });

  it("neither facts nor snapshot are changed by it", () => {
    fc.assert(
      fc.property(facts, maybeShown, (list, shown) => {
        const read = factsOf(new Map(list));
        const before = structuredClone([read, shown]);
        reduce(read, shown);
        expect([read, shown]).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });
});

describe("decisions", () => {
  it("at most one stands: the last that was not undone", () => {
    fc.assert(
      fc.property(facts, (list) => {
        const read = factsOf(new Map(list));
        const current = effectiveDecision(read);
        const left = read.decided.map((_, index) => index + 1).filter((number) => !read.undone.has(number));
        expect(current?.number).toBe(left.at(-1));
        const stage = reduce(read);
        expect(stage.decision).toEqual(current);
        if (stage.name === "confirming") expect(confirms(stage.decision)).toBe(true);
        if (stage.name === "cancelling") expect(confirms(stage.decision)).toBe(false);
      }),
      RUNS,
    );
  });

  it("a yes follows nothing that stands; a no follows a yes, and no other no", () => {
    for (const kind of DECISION_KINDS) {
      expect(mayFollow(kind, undefined)).toBe(true);
      for (const current of DECISION_KINDS) {
        const isNo = !["accept", "edit"].includes(kind);
        const wasYes = ["accept", "edit"].includes(current);
        expect(mayFollow(kind, { kind: current }), `${kind} after ${current}`).toBe(isNo && wasYes);
      }
    }
  });

  it("written by these rules, no two yeses stand at once, whatever was tried", () => {
    fc.assert(
      fc.property(fc.array(decided, { maxLength: 12 }), (tried) => {
        const entries = new Map<string, unknown>();
        for (const fact of tried) {
          const read = factsOf(entries);
          if (mayFollow(fact.kind as never, effectiveDecision(read)))
            entries.set(`decided.${read.decided.length + 1}`, fact);
        }
        const { decided: written } = factsOf(entries);
        expect(written.filter((fact) => fact !== undefined && confirms(fact)).length).toBeLessThanOrEqual(1);
        expect(written.length).toBeLessThanOrEqual(2);
      }),
      RUNS,
    );
  });
});

describe("who was reached", () => {
  it("an end without agents after a no shows that nobody was asked, before its program has written what came of it", () => {
    const no = { at: T0, kind: "reject", by: "page", owner: { instance: "other", pid: 1 } };
    const entries = new Map<string, unknown>([["decided.1", no]]);
    expect(reduce(factsOf(entries)).reach).toBe("not_known");
    expect(reduce(factsOf(entries), negotiation({ state: "completed" })).reach).toBe("nobody_asked");
    expect(reduce(factsOf(entries), negotiation({ state: "completed", participants: [agent()] })).reach).toBe(
      "broadcast",
    );
  });

  const outcomesOf = (list: [string, unknown][]) => [...factsOf(new Map(list)).outcomes.values()];
  const went = (list: [string, unknown][]) =>
    factsOf(new Map(list)).firstBroadcast !== undefined ||
    outcomesOf(list).some(({ kind }) => kind === "confirmed" || kind === "moved");
  const reached = (list: [string, unknown][]) =>
    outcomesOf(list).some((it) => it.seen_broadcast === true || (it.participants ?? 0) > 0);

  it("never 'not broadcast' once anything beyond the text was seen, nor 'nobody asked' once agents were", () => {
    const [seen, asked] = [new Reached(), new Reached()];
    fc.assert(
      fc.property(facts, maybeShown, (list, shown) => {
        const moving = ["encoding", "offering", "barrier_waiting", "synthesizing"].includes(shown?.state ?? "");
        const isShown = moving || (shown?.participants.length ?? 0) > 0 || typeof shown?.plan_output === "string";
        const { reach } = reduce(factsOf(new Map(list)), shown);
        if (seen.when(isShown || went(list))) expect(reach).not.toBe("not_broadcast");
        if (asked.when(isShown || reached(list))) expect(reach).not.toBe("nobody_asked");
      }),
      { numRuns: 1_000 },
    );
    seen.atLeast(100);
    asked.atLeast(100);
  });

  it("'not broadcast' of something that ended only after a cancel in time, with an answer that has no agents", () => {
    const [unheard, unasked] = [new Reached(), new Reached()];
    fc.assert(
      fc.property(facts, outcome, fc.boolean(), (list, silent, isLast) => {
        // Mostly the last outcome is one that may claim it.
        const last = { ...silent, kind: "cancelled", participants: 0 };
        const read = factsOf(new Map<string, unknown>(isLast ? [...list, ["outcome.99", last]] : list));
        const { reach } = reduce(read);
        if (unheard.when(reach === "not_broadcast"))
          expect(lastOutcome(read)).toMatchObject({ kind: "cancelled", participants: 0, in_time: true });
        if (unasked.when(reach === "nobody_asked"))
          expect(lastOutcome(read)).toMatchObject({ kind: "cancelled", participants: 0 });
      }),
      RUNS,
    );
    unheard.atLeast(50);
    unasked.atLeast(50);
  });

  it("an outcome that says nothing of agents claims nothing", () => {
    fc.assert(
      fc.property(outcome, ({ at, in_time }) => {
        const silent = { at, kind: "cancelled", ...(in_time !== undefined && { in_time }) };
        const entries = new Map<string, unknown>([["outcome.0", silent]]);
        expect(reduce(factsOf(entries)).reach).toBe("not_known");
      }),
    );
  });
});

describe("what a stage says", () => {
  it("believed as gone and not seen since: not found, with or without a decision", () => {
    fc.assert(
      fc.property(fc.option(decided, { nil: undefined }), (decision) => {
        const entries = new Map<string, unknown>([["outcome.0", { at: T0, kind: "not_found" }]]);
        if (decision !== undefined) entries.set("decided.1", decision);
        expect(reduce(factsOf(entries)).name).toBe("not_found");
      }),
    );
  });
});
