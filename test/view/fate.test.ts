import { describe, expect, test } from "vitest";
import { summarise } from "../../src/negotiation/describe.ts";
import { type Decided, type Facts, NO_FACTS, type Outcome } from "../../src/negotiation/facts.ts";
import { guardOf } from "../../src/negotiation/plan.ts";
import { says } from "../../src/negotiation/says.ts";
import { reduce } from "../../src/negotiation/stage.ts";
import { textsOf } from "../../src/text/index.ts";
import { fateOf } from "../../src/view/fate.ts";
import { negotiation } from "../report/sample.ts";

const DEADLINE = 300_000;
const owner = { instance: "i", pid: 1 };
const submitted = { at: 0, user_id: "u-1", deadline_at: DEADLINE, owner };
const policy = { onUnconfirmed: "cancel", confirmDeadlineMs: 300_000 } as const;
const decided = (kind: "reject" | "cancel" | "accept", by: "terminal" | "client"): Decided => ({
  ...{ at: 1, kind, by, owner },
});
const facts = (decision?: Decided, outcome?: Outcome): Facts => ({
  ...NO_FACTS,
  submitted,
  decided: decision === undefined ? [] : [decision],
  outcomes: new Map(outcome === undefined ? [] : [[1, outcome]]),
});
const OVER = { state: "completed", participants: [], plan_output: null, center_rounds: 0 };

const told = (of: Facts, shown: Parameters<typeof negotiation>[0] | undefined, isGuarded = true) => {
  const answer = shown && negotiation(shown);
  const stage = reduce(of, answer);
  const said = says({ negotiation: answer, stage, isGuarded });
  return { said, fate: fateOf(said, guardOf(stage, { isGuarded, policy })), text: summarise(said, textsOf("en")) };
};

describe("a cancel that came from a client", () => {
  const cancel = decided("cancel", "client");

  test("on its way, it is nobody's own no", () => {
    const { said, fate } = told(facts(cancel), undefined);
    expect(said.told.as).toBe("client_pending");
    expect(fate).toEqual({ of: "no", isPersons: false, isSending: true, isBroadcast: false, at: DEADLINE });
    expect(told(facts(decided("cancel", "terminal")), undefined).fate).toMatchObject({ isPersons: true });
  });

  test("is an ending of its own", () => {
    const { said, text } = told(facts(cancel, { at: 2, kind: "cancelled", participants: 0, in_time: true }), OVER);
    expect(said.ending).toBe("cancelled_by_client");
    expect(text).toBe("Your client withdrew this demand. It was not broadcast.");
  });
});

describe("a no whose effect is not written yet", () => {
  const no = facts(decided("reject", "terminal"));

  test("is being withdrawn while a program answers for it, and then told by how it ended", () => {
    expect(told(no, OVER)).toMatchObject({ said: { ending: undefined, isBeingWithdrawn: true } });
    expect(told(no, OVER).text).toBe("It is being withdrawn.");
    expect(told(no, OVER, false).said).toMatchObject({ ending: "rejected", isBeingWithdrawn: false });
  });

  test("came too late where a plan stands", () => {
    const { said } = told(no, { state: "completed" });
    expect(said).toMatchObject({ ending: "plan", isBeingWithdrawn: false });
  });
});

describe("silence", () => {
  test.each([
    [
      "withdrawn in time by the program that answers for it",
      true,
      "cancel",
      { as: "withdrawn", at: DEADLINE - 15_000 },
    ],
    ["broadcast by the backend where nobody answers for it", false, "cancel", { as: "unguarded", at: DEADLINE }],
    ["broadcast by the backend where it is left to it", true, "leave", { as: "broadcast", at: DEADLINE }],
  ] as const)("is %s", (_, isGuarded, onUnconfirmed, silence) => {
    const stage = reduce(facts());
    expect(guardOf(stage, { isGuarded, policy: { ...policy, onUnconfirmed } }).silence).toMatchObject(silence);
  });

  test("of somebody else's demand nobody here withdraws anything", () => {
    const stage = reduce(NO_FACTS, negotiation({ state: "formulated", plan_output: null, participants: [] }));
    const { silence } = guardOf(stage, { isGuarded: false, policy });
    expect(silence).toEqual({ of: "silence", as: "unguarded", at: undefined });
  });
});
