import type { Negotiation, Participant } from "../../src/backend/contract.ts";
import { type Decided, type Facts, NO_FACTS, type Outcome } from "../../src/negotiation/facts.ts";
import { paintWith } from "../../src/terminal/paint.ts";
import { textsOf } from "../../src/text/index.ts";
import { watchTexts } from "../../src/text/watch.ts";
import type { Format } from "../../src/watch/format.ts";
import { type LocalState, type View, type ViewInput, viewOf } from "../../src/watch/view.ts";
import { sha256 } from "../support/facts.ts";

export const NOON = Date.parse("2026-11-21T12:00:00Z");

export const agent = (fields: Partial<Participant> = {}): Participant => ({
  agent_id: "agent_1",
  display_name: "Priya Raman",
  resonance_score: 0.83,
  state: "active",
  offer_content: null,
  offer_capabilities: null,
  ...fields,
});

export const negotiation = (fields: Partial<Negotiation> = {}): Negotiation => ({
  negotiation_id: "neg_1",
  state: "offering",
  demand_raw: "A designer for a hospital pilot",
  demand_formulated: "A product designer who knows hospital queues, remote, within two months.",
  participants: [],
  plan_output: null,
  center_rounds: 0,
  depth: 0,
  parent_negotiation_id: null,
  sub_session_ids: [],
  ...fields,
});

export const accepted: Decided = {
  kind: "accept",
  by: "terminal",
  at: NOON - 60_000,
  owner: { instance: "other", pid: 1 },
  text_hash: sha256("A product designer who knows hospital queues, remote, within two months."),
};

const SUBMITTED = {
  at: NOON - 120_000,
  user_id: "user",
  deadline_at: NOON + 180_000,
  on_unconfirmed: "cancel" as const,
  owner: { instance: "other", pid: 1 },
};

export interface Sentence extends Partial<Pick<LocalState, "reviewed">> {
  decideBy?: number | undefined;
  /** What silence comes to. */
  undecided?: "withdrawn" | "broadcast" | "unguarded";
  decision?: Decided;
  outcome?: Outcome["kind"];
}

/** A yes that the backend went on after was answered. */
const answeredTo = (decision: Decided | undefined, snapshot: Negotiation | undefined): Outcome["kind"] | undefined =>
  decision?.kind === "accept" && ["offering", "completed"].includes(snapshot?.state ?? "") ? "confirmed" : undefined;

export const guardOf = (undecided: Sentence["undecided"], decideBy: number | undefined): LocalState["guard"] => ({
  isGuarded: undecided !== "unguarded",
  silence: { of: "silence", as: undecided ?? "withdrawn", at: decideBy },
});

export function view(
  snapshot: Negotiation | undefined,
  { decision, outcome = answeredTo(decision, snapshot), decideBy, undecided, ...local }: Sentence = {},
  input: Partial<ViewInput> = {},
): View {
  const facts: Facts = {
    ...NO_FACTS,
    submitted: SUBMITTED,
    decided: decision === undefined ? [] : [decision],
    outcomes: new Map(outcome === undefined ? [] : [[decision === undefined ? 0 : 1, { at: NOON, kind: outcome }]]),
  };
  return viewOf({
    id: "neg_1",
    host: "127.0.0.1:8080",
    snapshot,
    local: { facts, guard: guardOf(undecided, decideBy), reviewed: new Set(), ...local },
    outage: undefined,
    lowScore: 0.55,
    limits: { offerChars: 4_000, planChars: 16_000 },
    ...input,
  });
}

export const format = (width: number, lang: "zh" | "en" = "en", colour = false): Format => ({
  width,
  paint: paintWith(colour),
  texts: watchTexts(lang),
  all: textsOf(lang),
  timeOfDay: (at) => new Date(at).toISOString().slice(11, 19),
});
