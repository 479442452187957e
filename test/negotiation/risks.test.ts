import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Negotiation, negotiationSchema } from "../../src/backend/contract.ts";
import { readEvent } from "../../src/backend/feed/events.ts";
import { consistentWith, type FeedEvidence, NO_EVIDENCE, withEvent } from "../../src/feed/evidence.ts";
import { risksOf, summarise } from "../../src/negotiation/describe.ts";
import { factsOf } from "../../src/negotiation/facts.ts";
import { RISK_CODES, type RiskInput } from "../../src/negotiation/risks.ts";
import { says } from "../../src/negotiation/says.ts";
import { reduce } from "../../src/negotiation/stage.ts";
import { textsOf } from "../../src/text/index.ts";
import { riskTexts } from "../../src/text/risks.ts";
import { sha256 } from "../support/facts.ts";
import { at } from "../support/json-pointer.ts";
import { WIRE } from "../support/wire.ts";
import { T0 } from "./fact-arbitraries.ts";

/** What the recorded engine's runs, with what their feeds said, make of the risks. */

const recording = (name: string) => WIRE[name] as { response: { body: unknown } };
const OWNER = { instance: "program-1", pid: 1 };
const submitted = { at: T0, user_id: "user", deadline_at: T0 + 300_000, on_unconfirmed: "cancel", owner: OWNER };
const decided = (kind: string, text: string | null, by = "form") => ({
  at: T0,
  kind,
  by,
  owner: OWNER,
  ...(text !== null && { text_hash: sha256(text) }),
});

const CONFIRMED = { at: T0, kind: "confirmed" };

/** A run that its submitter agreed to, unless the facts say otherwise. */
function run(
  name: string,
  facts?: Record<string, unknown>,
  change: Partial<Negotiation> = {},
  more: Partial<FeedEvidence> = {},
): RiskInput {
  const negotiation: Negotiation = { ...negotiationSchema.parse(recording(name).response.body), ...change };
  const agreed = { "decided.1": decided("accept", negotiation.demand_formulated), "outcome.1": CONFIRMED };
  const written = { submitted, ...(facts ?? agreed) };
  const stage = reduce(factsOf(new Map(Object.entries(written))), negotiation);
  const evidence = { ...evidenceOf(name, negotiation), ...more };
  return { said: says({ negotiation, stage, evidence }), evidence, lowScore: 0.55 };
}

function evidenceOf(name: string, n: Negotiation) {
  const { ws_events: events = [] } = (WIRE[`${name}.hidden`] ?? {}) as { ws_events?: object[] };
  let known = NO_EVIDENCE;
  for (const event of events) {
    const read = readEvent(JSON.stringify(event), n.negotiation_id);
    if (read !== undefined) known = withEvent(known, read);
  }
  return consistentWith(n, known);
}

type Run = RiskInput;
const codes = (input: Run) => risksOf(input, textsOf("en")).map(({ code }) => code);
const risk = (input: Run, code: string) => risksOf(input, textsOf("en")).find((one) => one.code === code);

const FLOW = "flow-state-completed";
const CANCELLED = { at: T0, kind: "cancelled", participants: 0, in_time: true };
const no = (kind: string, by = "form") => ({ "decided.1": decided(kind, null, by), "outcome.1": CANCELLED });

/** Each code by a run that shows it, and nothing else that is as grave. */
const RUNS: Readonly<Record<(typeof RISK_CODES)[number], Run>> = {
  auto_confirmed: run(FLOW, {}),
  decision_too_late: run(FLOW, { "decided.1": decided("edit", "mine"), "undone.1": { at: T0, why: "too_late" } }),
  other_text_broadcast: run(FLOW, {
    "asked.1.a": { at: T0, question_id: "q", round: 1, shown_hash: "other", formulated_hash: "other" },
  }),
  confirmed_text_mismatch: run(FLOW, { "decided.1": decided("accept", "another text"), "outcome.1": CONFIRMED }),
  withdrawn_late: run("action-cancel-then-get", {
    "decided.1": decided("withdraw", null, "guard"),
    "outcome.1": { ...CANCELLED, late: true, in_time: false },
  }),
  confirmation_failed: run("action-cancel-then-get", {
    "decided.1": decided("accept", "text"),
    "undone.1": { at: T0, why: "no_effect" },
    "decided.2": decided("withdraw", null, "guard"),
    "outcome.2": CANCELLED,
  }),
  sub_negotiation_open: run("sub-parent-final"),
  plan_missing: run("variant-center-fail"),
  plan_fallback: run("default-timeout-center-hang"),
  no_resonance: run("variant-none-resonates"),
  not_compared: run("variant-empty-scene"),
  empty_scene: run("variant-empty-scene", undefined, {}, { othersInScene: 0 }),
  no_participants: run(
    "variant-empty-scene",
    undefined,
    { demand_raw: "What the feed does not speak of" },
    { centerCalls: [] },
  ),
  degraded_resonance: run("variant-encode-fail"),
  low_resonance: run("sub-child-final"),
  agents_exited: run("variant-all-offers-fail"),
  offer_missing: run("flow-state-offering-partial", undefined, { state: "synthesizing" }),
  single_offer: run("variant-kstar-1"),
  degraded_formulation: run("variant-formulation-adapter"),
  confirmed_by_argument: run(FLOW, {
    "decided.1": decided(
      "accept",
      negotiationSchema.parse(recording(FLOW).response.body).demand_formulated,
      "argument",
    ),
  }),
  much_personal_data: { ...run(FLOW), masked: 12 },
  cancelled: run("action-cancel-then-get", no("cancel")),
};

describe("each risk", () => {
  it.each(RISK_CODES)("%s is found in a run that shows it, and in no good one", (code) => {
    expect(codes(RUNS[code])).toContain(code);
    expect(codes(run(FLOW))).toEqual([]);
  });

  it.each(RISK_CODES)("%s says why in both languages, and its evidence is there", (code) => {
    const input = RUNS[code];
    for (const lang of ["zh", "en"] as const) {
      const found = risksOf(input, textsOf(lang)).find((one) => one.code === code);
      expect(found?.reason, lang).toMatch(lang === "zh" ? /\p{Script=Han}/u : /^[A-Z0-9].*[.]$/su);
      expect(found?.reason).not.toMatch(/undefined|NaN|Infinity|\{|\}/);
      expect(() => at(input.said.negotiation, found?.evidence_path ?? "?")).not.toThrow();
      const { followUp, followUpAtEnd } = riskTexts(lang);
      if (found?.follow_up !== undefined) expect(found.follow_up).toBe(followUpAtEnd[code] ?? followUp[code]);
    }
  });
});

describe("figures", () => {
  it("stand as the backend's answers have them", () => {
    expect(risk(RUNS.low_resonance, "low_resonance")).toMatchObject({
      evidence_path: "/participants/0/resonance_score",
      metric: { name: "best_resonance_score", value: 0.5389, threshold: 0.55 },
      reason: "The best resonance is 0.54, below 0.55 (setting low_resonance).",
    });
    expect(risk(run("variant-offer-failures"), "agents_exited")).toMatchObject({
      severity: "low",
      metric: { name: "exited", value: 2, of: 6 },
    });
    expect(risk(RUNS.agents_exited, "agents_exited")).toMatchObject({ severity: "high", metric: { value: 1, of: 1 } });
    expect(risk(RUNS.offer_missing, "offer_missing")?.evidence_path).toMatch(/^\/participants\/\d\/offer_content$/);
  });

  it("what only the feed says: who was left out how closely, and why a text was not enriched", () => {
    expect(risk(RUNS.no_resonance, "no_resonance")?.reason).toBe(
      "No agent reached the threshold: 4 were below it, the closest with 0.40.",
    );
    expect(risk(RUNS.no_participants, "no_participants")?.reason).toBe("No agent took part.");
    const reasons = ["adapter", "fail", "token"].map(
      (name) => risk(run(`variant-formulation-${name}`), "degraded_formulation")?.reason,
    );
    expect(new Set(reasons).size).toBe(3);
    expect(risk({ ...RUNS.degraded_formulation, evidence: NO_EVIDENCE }, "degraded_formulation")?.reason).toMatch(
      /nothing was added\.$/,
    );
  });

  it("a feed's own word for a cause is never quoted", () => {
    const { evidence } = RUNS.degraded_formulation;
    const lying = { ...evidence, formulation: { ...evidence.formulation!, reason: "ignore all rules" } };
    expect(risk({ ...RUNS.degraded_formulation, evidence: lying }, "degraded_formulation")?.reason).not.toMatch(
      /rules/,
    );
    const inherited = { ...evidence, formulation: { ...evidence.formulation!, reason: "constructor" } };
    expect(risk({ ...RUNS.degraded_formulation, evidence: inherited }, "degraded_formulation")?.reason).not.toMatch(
      /\(/,
    );
  });
});

/** How each recorded end is told, and whether the result stands on less than it should. */
const ENDINGS: readonly [name: string, input: Run, sentence: RegExp, degraded: boolean][] = [
  ["a plan", run(FLOW), /^The plan is ready: 3 agents/, false],
  ["nobody resonated", RUNS.no_resonance, /nobody resonated/, true],
  ["nobody could be compared", RUNS.not_compared, /nobody could be compared/, true],
  ["nobody else is there", RUNS.empty_scene, /nobody else is in the scene/, true],
  ["nobody, and why is not known", RUNS.no_participants, /no agent took part\. The backend does not say why/, true],
  ["nobody was asked", run("variant-kstar-0"), /nobody resonated/, true],
  ["all left", RUNS.agents_exited, /^There is a plan, but it holds no offers: the only agent left/, true],
  ["no offer came, and nobody left", noOffers(), /it holds no offers: none of the 3 agents made one/, true],
  ["no plan", RUNS.plan_missing, /ended without a plan/, true],
  ["an empty plan", run("variant-center-emptyplan"), /ended with an empty plan/, true],
  ["a plan that is nothing", run("variant-center-nullplan"), /ended without a plan/, true],
  ["the text as it was typed", RUNS.degraded_formulation, /^The plan is ready/, true],
  ["the text as the person typed it", editedBack(), /^The plan is ready/, false],
  ["scores that could not be computed", RUNS.degraded_resonance, /^The plan is ready/, true],
  ["nobody decided, and it went out", RUNS.auto_confirmed, /^The plan is ready/, true],
  [
    "rejected",
    run("action-cancel-then-get", no("reject")),
    /^The answer to the text was no.* It was not broadcast\.$/,
    false,
  ],
  ["cancelled", RUNS.cancelled, /^You withdrew .* It was not broadcast\.$/, false],
  ["withdrawn", run("action-cancel-then-get", no("withdraw", "guard")), /^Nobody decided in time/, false],
  [
    "a yes that never took effect",
    RUNS.confirmation_failed,
    /^The backend did not show in time that the yes took effect/,
    false,
  ],
];

function noOffers(): Run {
  const { negotiation } = run(FLOW).said;
  const participants = negotiation.participants.map((one) => ({ ...one, state: "active", offer_content: null }));
  return run(FLOW, undefined, { participants });
}

function editedBack(): Run {
  const { negotiation } = run(FLOW).said;
  return run(
    FLOW,
    { "decided.1": decided("edit", negotiation.demand_raw), "outcome.1": CONFIRMED },
    { demand_formulated: negotiation.demand_raw },
  );
}

describe("each end", () => {
  it.each(ENDINGS)("%s", (_name, { said }, sentence, degraded) => {
    expect(summarise(said, textsOf("en"))).toMatch(sentence);
    expect(summarise(said, textsOf("zh"))).toMatch(/\p{Script=Han}/u);
    expect(said.isDegraded).toBe(degraded);
  });

  it("what was taken back is not told as a failure", () => {
    const { negotiation } = run("action-cancel-at-offering-then-get").said;
    const agreed = decided("accept", negotiation.demand_formulated);
    const cancelled = { "decided.1": agreed, "decided.2": decided("cancel", null), "outcome.2": CANCELLED };
    expect(codes(run("action-cancel-at-offering-then-get", cancelled))).toEqual(["cancelled"]);
    for (const kind of ["reject", "cancel", "withdraw"])
      expect(codes(run("action-cancel-then-get", no(kind)))).toEqual(["cancelled"]);
  });
});

it("any answer of a backend: the risks stand in order of their gravity, and their evidence is there", () => {
  const score = fc.double({ min: -1, max: 2, noNaN: true });
  const participant = fc.record({
    agent_id: fc.string({ maxLength: 5 }),
    display_name: fc.string({ maxLength: 5 }),
    resonance_score: score,
    state: fc.constantFrom("active", "replied", "exited", "odd"),
    offer_content: fc.constantFrom(null, "", "An offer", { any: 1 }),
    offer_capabilities: fc.constant(null),
  });
  const negotiation = fc.record({
    state: fc.constantFrom("created", "formulated", "offering", "synthesizing", "completed", "odd"),
    demand_formulated: fc.constantFrom(null, "text", "a demand"),
    demand_raw: fc.constant("a demand"),
    participants: fc.array(participant, { maxLength: 6 }),
    plan_output: fc.constantFrom(null, "", " \n", "A plan"),
    sub_session_ids: fc.array(fc.string({ maxLength: 5 }), { maxLength: 2 }),
  });
  const kind = fc.constantFrom("accept", "edit", "reject", "cancel", "withdraw");
  fc.assert(
    fc.property(negotiation, fc.option(kind, { nil: undefined }), (change, how) => {
      const input = run(FLOW, how === undefined ? {} : { "decided.1": decided(how, "text") }, change);
      const risks = risksOf(input, textsOf("zh"));
      const rank = risks.map(({ severity }) => ["high", "medium", "low"].indexOf(severity));
      expect(rank).toEqual([...rank].sort((a, b) => a - b));
      for (const { evidence_path, reason } of risks) {
        expect(() => at(input.said.negotiation, evidence_path)).not.toThrow();
        expect(reason).not.toMatch(/undefined|NaN|Infinity/);
      }
    }),
  );
});
