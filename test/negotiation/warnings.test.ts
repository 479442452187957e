import { describe, expect, it } from "vitest";
import type { Negotiation } from "../../src/backend/contract.ts";
import { factsOf } from "../../src/negotiation/facts.ts";
import { says } from "../../src/negotiation/says.ts";
import { reduce } from "../../src/negotiation/stage.ts";
import { sha256 } from "../support/facts.ts";
import { T0 } from "./fact-arbitraries.ts";

/** What is said of a negotiation, from the facts and the backend's answer alone. */

const OWNER = { instance: "program-1", pid: 1 };
const SUBMITTED = { at: T0, user_id: "user", deadline_at: T0 + 300_000, on_unconfirmed: "cancel", owner: OWNER };
const asked = (text: string) => ({
  at: T0,
  question_id: "q",
  round: 1,
  shown_hash: sha256(text),
  formulated_hash: sha256(text),
});
const decided = (kind: string) => ({ at: T0, kind, by: "form", owner: OWNER, text_hash: sha256("text") });

const agent = (resonance_score: number) => ({
  agent_id: "agent_one",
  display_name: "Lin",
  resonance_score,
  state: "active",
  offer_content: null,
});

const shown = (over: Partial<Record<keyof Negotiation, unknown>>) =>
  ({
    negotiation_id: "neg_1",
    state: "offering",
    participants: [],
    plan_output: null,
    demand_formulated: "text",
    center_rounds: 0,
    sub_session_ids: [],
    ...over,
  }) as unknown as Negotiation;

const stageOf = (facts: object, negotiation: Negotiation) =>
  reduce(factsOf(new Map(Object.entries({ submitted: SUBMITTED, ...facts }))), negotiation);

const warned = (facts: object, over: Partial<Record<keyof Negotiation, unknown>>) =>
  says({ negotiation: shown(over), stage: stageOf(facts, shown(over)) }).warnings;

describe("nobody decided, and the backend went on", () => {
  const SAID = ["auto_confirmed", "other_text_broadcast"];
  const about = (facts: object, over: Partial<Record<keyof Negotiation, unknown>> = {}) =>
    warned(facts, over).filter((code) => SAID.includes(code));

  it("with the text that the person was shown, with another one, or without any question", () => {
    expect(about({ "asked.1.a": asked("text") })).toEqual(["auto_confirmed"]);
    expect(about({ "asked.1.a": asked("an earlier text") })).toEqual(SAID);
    expect(about({})).toEqual(["auto_confirmed"]);
  });

  it("it is said of what went out only: on its way, or at its end with a plan, an agent or a round", () => {
    const other = { "asked.1.a": asked("an earlier text") };
    for (const shows of [{ plan_output: "A plan" }, { participants: [agent(0.5)] }, { center_rounds: 1 }])
      expect(about(other, { state: "completed", ...shows })).toEqual(SAID);
    expect(about(other, { state: "completed" })).toEqual([]);
    expect(about(other, { state: "formulated", plan_output: "A plan" })).toEqual([]);
  });

  it("not where somebody said yes to that text; a no that is written has stopped nothing", () => {
    const other = { "asked.1.a": asked("an earlier text") };
    expect(about({ ...other, "decided.1": decided("accept") })).toEqual([]);
    expect(about({ ...other, "decided.1": decided("reject") })).toEqual(SAID);
  });
});

it("another text than the confirmed one is seen at the end too, with a plan or without", () => {
  for (const shows of [{ plan_output: "A plan" }, { participants: [agent(0.5)] }])
    expect(
      warned(
        { "decided.1": decided("accept"), "outcome.1": { at: T0, kind: "confirmed" } },
        { state: "completed", demand_formulated: "another", ...shows },
      ),
    ).toContain("confirmed_text_mismatch");
});

it("one agent that was asked is a broadcast, whatever the state says", () => {
  for (const state of ["formulated", "completed", "a_state_of_a_later_version"]) {
    expect(stageOf({}, shown({ state, participants: [agent(0.5)] })).reach, state).toBe("broadcast");
    expect(stageOf({}, shown({ state })).reach, state).not.toBe("broadcast");
  }
});

it("a score of 0 for everybody is no resonance, once the text is out", () => {
  const is = (state: string, ...scores: number[]) =>
    warned({}, { state, participants: scores.map(agent) }).includes("degraded_resonance");
  expect(is("offering", 0, 0)).toBe(true);
  expect(is("completed", 0)).toBe(true);
  expect(is("offering", 0, 0.1)).toBe(false);
  expect(is("offering")).toBe(false);
  expect(is("formulated", 0)).toBe(false);
});
