import type { Negotiation, Participant } from "../../src/backend/contract.ts";
import { paintWith } from "../../src/terminal/paint.ts";
import { textsOf } from "../../src/text/index.ts";
import { watchTexts } from "../../src/text/watch.ts";
import type { Look } from "../../src/watch/look.ts";
import { type Facts, type View, type ViewInput, viewOf } from "../../src/watch/view.ts";

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

export const accepted: Facts["decision"] = {
  kind: "accept",
  by: "terminal",
  at: NOON - 60_000,
  owner: { instance: "other", pid: 1 },
  text_hash: "A product designer who knows hospital queues, remote, within two months.",
};

export function view(
  snapshot: Negotiation | undefined,
  facts: Partial<Facts> = {},
  input: Partial<ViewInput> = {},
): View {
  return viewOf({
    id: "neg_1",
    host: "127.0.0.1:8080",
    snapshot,
    facts: { own: true, decision: undefined, ended: undefined, decideBy: undefined, undecided: "withdrawn", ...facts },
    outage: undefined,
    hash: (text) => text,
    limits: { offerChars: 4_000, planChars: 16_000 },
    ...input,
  });
}

export const look = (width: number, lang: "zh" | "en" = "en", colour = false): Look => ({
  width,
  paint: paintWith(colour),
  texts: watchTexts(lang),
  all: textsOf(lang),
  timeOfDay: (at) => new Date(at).toISOString().slice(11, 19),
});
