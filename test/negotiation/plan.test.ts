import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsOf } from "../../src/negotiation/facts.ts";
import {
  isLeftToBackend,
  marginMs,
  next,
  type PlanInput,
  type Policy,
  type Step,
  TIMES,
  timeoutMs,
} from "../../src/negotiation/plan.ts";
import { confirms, reduce, type Stage } from "../../src/negotiation/stage.ts";
import { Reached } from "../support/reached.ts";
import { decided, facts, openYes, snapshot } from "./fact-arbitraries.ts";

const RUNS = { numRuns: 2_000 };
/** For what is drawn seldom. */
const MANY = { numRuns: 5_000 };
const ms = fc.oneof(
  fc.integer({ min: 0, max: 90_000 }),
  fc.constantFrom(0, 250, 500, 3_000, 5_000, 15_000, 60_000, 2 ** 31),
);
const signedMs = fc.oneof(fc.integer({ min: -120_000, max: 310_000 }), fc.double({ min: -1e9, max: 1e9, noNaN: true }));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const seen: fc.Arbitrary<PlanInput> = fc.record({
  leftMs: maybe(signedMs),
  leftAtMostMs: maybe(signedMs),
  isMine: fc.boolean(),
  isOwnerAlive: fc.boolean(),
  isOnStandby: fc.boolean(),
  ownerAgeMs: ms,
  sinceReadMs: maybe(ms),
  sinceAnswerMs: maybe(ms),
  sinceRequestMs: maybe(ms),
  sinceRequestEndMs: maybe(ms),
  notFoundMs: maybe(ms),
  decisionAgeMs: ms,
  attempt: fc.record({
    count: fc.integer({ min: 0, max: 25 }),
    last: fc.constantFrom("none", "busy", "failed", "unknown"),
    sinceMs: ms,
    sinceLossMs: ms,
  }),
  text: fc.constantFrom("ready", "unread", "changed", "lost"),
  isDecidedHere: fc.boolean(),
  isWithdrawingAtEnd: fc.boolean(),
});
const policy: fc.Arbitrary<Policy> = fc.record({
  onUnconfirmed: fc.constantFrom("cancel", "leave"),
  confirmDeadlineMs: fc.constantFrom(4_000, 7_000, 40_000, 300_000),
  keepsOthers: fc.boolean(),
});
const stage: fc.Arbitrary<Stage> = fc
  .tuple(fc.oneof(facts, openYes), maybe(snapshot))
  .map(([list, shown]) => reduce(factsOf(new Map(list)), shown));
const isUndecided = ({ name }: Stage) => name === "formulating" || name === "asking";
const isFinished = ({ name }: Stage) => name === "over" || name === "moving" || name === "not_found";

const mayStandBy = (at: Stage, what: PlanInput, wanted: Policy) =>
  wanted.keepsOthers === true &&
  !what.isMine &&
  !what.isOnStandby &&
  isUndecided(at) &&
  !isLeftToBackend(at, wanted) &&
  (what.leftMs ?? 0) > 2 * marginMs(wanted);

const STEPS = [
  "wait",
  "read",
  "adopt",
  "withdraw",
  "confirm",
  "cancel",
  "conclude",
  "undo",
  "abandon",
  "idle",
  "stand_by",
];
type Check = (stage: Stage, seen: PlanInput, policy: Policy, step: Step) => void;
/** `about`: what is drawn more narrowly, so that the claim is reached. */
const forAll = (check: Check, about: fc.Arbitrary<Partial<PlanInput>> = fc.constant({}), stages = stage, runs = RUNS) =>
  fc.assert(
    fc.property(stages, seen, about, policy, (at, drawn, more, wanted) => {
      const what = { ...drawn, ...more };
      check(at, what, wanted, next(at, what, wanted));
    }),
    runs,
  );
const undecided = stage.filter(isUndecided);
const ofYes: fc.Arbitrary<Stage> = openYes.map((list) => reduce(factsOf(new Map(list))));
/** A no above all else that was written: drawn without it, hardly any stage is one. */
const ofNo: fc.Arbitrary<Stage> = fc
  .tuple(facts, decided, fc.constantFrom("reject", "cancel", "withdraw"), maybe(snapshot))
  .map(([list, no, kind, shown]) => reduce(factsOf(new Map([...list, ["decided.1", { ...no, kind }]])), shown))
  .filter(({ name }) => name === "cancelling");

describe("the plan", () => {
  it("has a step for everything, the same for the same", () => {
    forAll((at, what, wanted, step) => {
      expect(STEPS).toContain(step.do);
      expect(next(at, what, wanted)).toEqual(step);
    });
  });

  it("waits at least a millisecond and at most ten seconds", () => {
    const reached = new Reached();
    forAll((_, __, ___, step) => {
      if (!reached.when(step.do === "wait") || step.do !== "wait") return;
      expect(step.ms).toBeGreaterThanOrEqual(1);
      expect(step.ms).toBeLessThanOrEqual(10_000);
      expect(Number.isInteger(step.ms)).toBe(true);
    });
    reached.atLeast(100);
  });

  it("never waits past the moment at which an undecided demand is withdrawn", () => {
    const reached = new Reached();
    forAll(
      (at, what, wanted, step) => {
        if (step.do !== "wait" || isLeftToBackend(at, wanted)) return;
        reached.when(true);
        expect(what.leftMs).toBeGreaterThan(marginMs(wanted));
        expect((what.leftMs ?? 0) - step.ms).toBeGreaterThan(marginMs(wanted) - 1);
      },
      fc.constant({ isMine: true }),
      undecided,
    );
    reached.atLeast(100);
  });

  it("undecided, mine, within the margin: withdrawn at once, whatever was seen", () => {
    const [gone, there] = [new Reached(), new Reached()];
    forAll(
      (at, { leftMs = 0, notFoundMs = 0, leftAtMostMs = 0, isWithdrawingAtEnd }, wanted, step) => {
        if (isLeftToBackend(at, wanted) || leftMs > marginMs(wanted)) return;
        const isGone = notFoundMs >= TIMES.notFoundBelievedMs && leftAtMostMs <= 0;
        if (gone.when(isGone && !isWithdrawingAtEnd)) expect(step).toEqual({ do: "abandon" });
        else if (there.when(true)) expect(step.do).toBe("withdraw");
      },
      fc.record({ isMine: fc.constant(true), leftMs: fc.integer({ min: -TIMES.givenUpAfterMs, max: 15_000 }) }),
      undecided,
    );
    gone.atLeast(20);
    there.atLeast(200);
  });

  it("under leave nothing is withdrawn, unless the program ends", () => {
    const [left, cancelled] = [new Reached(), new Reached()];
    forAll(
      (at, what, wanted, step) => {
        if (left.when(isLeftToBackend(at, wanted) && !what.isWithdrawingAtEnd)) expect(step.do).not.toBe("withdraw");
        if (cancelled.when(at.onUnconfirmed === "cancel")) expect(isLeftToBackend(at, wanted)).toBe(false);
      },
      undefined,
      undecided,
    );
    left.atLeast(100);
    cancelled.atLeast(100);
  });

  it("confirms only what somebody said yes to, with the text at hand, and only here", () => {
    const reached = new Reached();
    const check: Check = (at, what, _, step) => {
      if (!reached.when(step.do === "confirm")) return;
      expect(at.name).toBe("confirming");
      expect(at.decision !== undefined && confirms(at.decision)).toBe(true);
      expect(what.isMine).toBe(true);
      expect(what.text).toBe("ready");
    };
    forAll(check);
    // Near its deadline, and none of its tries has an answer that is still looked for.
    const ready = fc.record({
      leftMs: fc.integer({ min: 10_000, max: 20_000 }),
      sinceReadMs: fc.integer({ min: 0, max: 2_000 }),
      decisionAgeMs: fc.constant(60_000),
      attempt: fc.constant({ count: 0, last: "none" as const, sinceMs: 0, sinceLossMs: 0 }),
    });
    forAll(check, ready, ofYes);
    reached.atLeast(100);
  });

  it("cancels only where a no stands, and only here", () => {
    const reached = new Reached();
    const check: Check = (at, what, _, step) => {
      if (!reached.when(step.do === "cancel")) return;
      expect(at.name).toBe("cancelling");
      expect(at.decision !== undefined && !confirms(at.decision)).toBe(true);
      expect(what.isMine).toBe(true);
    };
    forAll(check);
    forAll(check, undefined, ofNo);
    reached.atLeast(100);
  });

  it("while another program that answers for it is running: waits, and writes nothing but that it went on undecided", () => {
    const reached = new Reached();
    forAll(
      (at, what, wanted, step) => {
        if (!reached.when(at.owner !== undefined)) return;
        const { leftMs = Number.POSITIVE_INFINITY } = what;
        const isUndecidedEnd = isFinished(at) && at.decision === undefined;
        if (step.do === "adopt") expect(leftMs).toBeLessThanOrEqual((marginMs(wanted) * 2) / 3);
        else if (step.do === "stand_by" || step.do === "read") expect(mayStandBy(at, what, wanted)).toBe(true);
        else expect(isUndecidedEnd ? ["wait", "idle", "conclude"] : ["wait", "idle"]).toContain(step.do);
      },
      fc.constant({ isMine: false, isOwnerAlive: true }),
    );
    reached.atLeast(200);
  });

  it("offers to answer for what waits: once, with time left, after a read, and where it would withdraw it", () => {
    const wanted: Policy = { onUnconfirmed: "cancel", confirmDeadlineMs: 300_000, keepsOthers: true };
    const read = { leftMs: 31_000, isMine: false, isOwnerAlive: true, isOnStandby: false, isWithdrawingAtEnd: false };
    fc.assert(
      fc.property(stage, seen, (at, what) => {
        fc.pre(isUndecided(at));
        const input = { ...what, ...read, sinceAnswerMs: 10_000, notFoundMs: undefined };
        const stepOf = (other: Partial<PlanInput>, by: Partial<Policy> = {}) =>
          next(at, { ...input, ...other }, { ...wanted, ...by }).do;
        expect(stepOf({})).toBe("stand_by");
        expect(stepOf({ sinceAnswerMs: undefined, sinceRequestMs: undefined })).toBe("read");
        for (const no of [{ isOnStandby: true }, { leftMs: 30_000 }, { sinceAnswerMs: 10_001 }, { notFoundMs: 0 }])
          expect(stepOf(no)).not.toBe("stand_by");
        for (const no of [{ keepsOthers: false }, { isDry: true }]) expect(stepOf({}, no)).not.toBe("stand_by");
        expect(stepOf({}, { onUnconfirmed: "leave" })).toBe(
          isLeftToBackend(at, { ...wanted, onUnconfirmed: "leave" }) ? "wait" : "stand_by",
        );
      }),
    );
  });

  it("one that only seems to run had its chance: whoever knows an open negotiation takes it over before the deadline", () => {
    const reached = new Reached();
    forAll(
      (at, { leftMs = 0, ownerAgeMs }, wanted, step) => {
        const margin = marginMs(wanted);
        if (isFinished(at) || isLeftToBackend(at, wanted) || leftMs > margin / 3 || ownerAgeMs < margin / 6) return;
        reached.when(true);
        expect(step.do).toBe("adopt");
      },
      fc.record({
        isMine: fc.constant(false),
        isWithdrawingAtEnd: fc.constant(false),
        leftMs: fc.integer({ min: 1, max: 5_000 }),
        ownerAgeMs: fc.integer({ min: 0, max: 90_000 }),
      }),
    );
    reached.atLeast(200);
  });

  it("rests, for good, where all is written", () => {
    const [finished, gone] = [new Reached(), new Reached()];
    forAll(
      (at, _, __, step) => {
        if (finished.when(isFinished(at))) expect(["idle", "conclude", "wait", "adopt"]).toContain(step.do);
        if (gone.when(at.name === "not_found")) expect(step.do).toBe("idle");
      },
      undefined,
      stage,
      MANY,
    );
    finished.atLeast(100);
    gone.atLeast(20);
  });

  it("near the deadline no request outlasts a third of the margin; none takes for ever", () => {
    fc.assert(
      fc.property(fc.constantFrom("read", "confirm", "cancel"), signedMs, policy, (kind, leftMs, wanted) => {
        const margin = marginMs(wanted);
        const most = timeoutMs(kind, { leftMs }, wanted);
        expect(most).toBeGreaterThan(0);
        expect(most).toBeLessThanOrEqual(30_000);
        if (leftMs > -margin && leftMs <= margin) expect(most).toBeLessThanOrEqual(margin / 3);
        // What begins before the margin leaves two thirds of it for the withdrawal.
        if (leftMs > margin) expect(leftMs - most).toBeGreaterThanOrEqual((margin * 2) / 3 - 1);
      }),
      RUNS,
    );
  });
});

describe("a yes that another program wrote", () => {
  const POLICY: Policy = { onUnconfirmed: "cancel", confirmDeadlineMs: 300_000 };
  const at = Date.parse("2026-11-21T00:00:00Z");
  const owner = { instance: "program-1", pid: 1 };
  const yes = reduce(
    factsOf(
      new Map<string, unknown>([
        ["submitted", { at, user_id: "u", deadline_at: at + 300_000, on_unconfirmed: "cancel", owner }],
        ["decided.1", { at, kind: "accept", by: "form", owner, text_hash: "text", formulated_hash: "text" }],
      ]),
    ),
  );
  const SEEN: PlanInput = {
    leftMs: 200_000,
    leftAtMostMs: 200_000,
    isMine: true,
    isOwnerAlive: false,
    isOnStandby: false,
    ownerAgeMs: 0,
    sinceReadMs: 0,
    sinceAnswerMs: 0,
    sinceRequestMs: 0,
    sinceRequestEndMs: 0,
    notFoundMs: undefined,
    decisionAgeMs: TIMES.settlingMs,
    attempt: { count: 0, last: "none", sinceMs: 2 ** 31, sinceLossMs: 2 ** 31 },
    text: "ready",
    isDecidedHere: false,
    isWithdrawingAtEnd: false,
  };
  const step = (over: Partial<PlanInput>) => next(yes, { ...SEEN, ...over }, POLICY);
  const tried = (sinceMs: number, sinceLossMs = sinceMs) => ({
    attempt: { count: 1, last: "unknown" as const, sinceMs, sinceLossMs },
  });

  it("at the deadline it is looked at once more, and sent or withdrawn", () => {
    const leftMs = marginMs(POLICY);
    expect(step({ leftMs, sinceRequestMs: undefined })).toEqual({ do: "read" });
    expect(step({ leftMs })).toEqual({ do: "confirm" });
    // Seen without effect, it goes once more while there is time to withdraw it, too.
    expect(step({ leftMs, ...tried(60_000) })).toEqual({ do: "confirm" });
    expect(step({ leftMs: 5_001, ...tried(60_000) })).toEqual({ do: "confirm" });
    expect(step({ leftMs: 5_000, ...tried(60_000) })).toEqual({ do: "withdraw", by: "guard" });
    // Of an edit the network's text would go out by silence, which nobody agreed to.
    const edit = { ...yes, decision: { ...yes.decision, kind: "edit" } } as typeof yes;
    const late = { ...SEEN, leftMs: 10_000, ...tried(60_000) };
    expect(next(edit, late, POLICY)).toEqual({ do: "withdraw", by: "guard" });
    // Also at this program's end: the person said yes to that very text.
    expect(step({ leftMs, isWithdrawingAtEnd: true })).toEqual({ do: "confirm" });
    expect(step({ leftMs, isWithdrawingAtEnd: true, ...tried(60_000) })).toEqual({ do: "withdraw", by: "shutdown" });
    expect(step({ leftMs, ...tried(60_000, 1) })).toEqual({ do: "wait", ms: TIMES.effectReadEveryMs });
    expect(step({ leftMs: leftMs / 3, ...tried(60_000, 1) })).toEqual({ do: "withdraw", by: "guard" });
    expect(step({ leftMs, ...tried(0) })).toEqual({ do: "wait", ms: 1 }); // a look in the same instant
  });
});
