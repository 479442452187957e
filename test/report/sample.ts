import type { Negotiation, Participant } from "../../src/backend/contract.ts";
import type { Risk } from "../../src/negotiation/describe.ts";
import { NO_FACTS } from "../../src/negotiation/facts.ts";
import { says } from "../../src/negotiation/says.ts";
import { reduce } from "../../src/negotiation/stage.ts";
import { type Dossier, type DossierInput, dossierOf } from "../../src/report/dossier.ts";
import { SANITIZE_DEFAULTS, type SanitizeOptions } from "../../src/safety/sanitize/options.ts";
import { atOnce } from "../../src/turn.ts";

export const participant = (agent_id: string, rest: Partial<Participant> = {}): Participant => ({
  agent_id,
  display_name: agent_id,
  resonance_score: 0.6,
  state: "replied",
  offer_content: `I am ${agent_id} and can help.`,
  offer_capabilities: [],
  ...rest,
});

export const negotiation = (rest: Partial<Negotiation> = {}): Negotiation => ({
  negotiation_id: "neg_1",
  state: "completed",
  demand_raw: "I need a designer.",
  demand_formulated: "I need a designer. Remote is fine.",
  participants: [
    participant("alice", { resonance_score: 0.8, offer_capabilities: ["python", "machine learning"] }),
    participant("bob", { resonance_score: 0.7, offer_capabilities: ["product design", "React"] }),
    participant("carol", { state: "exited", offer_content: null, offer_capabilities: null, resonance_score: 0.5 }),
  ],
  plan_output: "## Plan\n\nAlice and Bob work together.",
  center_rounds: 1,
  depth: 0,
  parent_negotiation_id: null,
  sub_session_ids: [],
  ...rest,
});

/** How {@link says} tells the end of it. */
const endingIn = (of: Partial<Negotiation>) => {
  const stage = reduce(NO_FACTS, negotiation(of));
  return says({ negotiation: negotiation(of), stage }).ending;
};

/** A negotiation as reports work with it. */
export function dossier(
  of: Partial<Negotiation> = {},
  rest: Partial<DossierInput> & { risks?: readonly Risk[] } = {},
  options: SanitizeOptions = SANITIZE_DEFAULTS,
): Dossier {
  const input: DossierInput = {
    negotiation: negotiation(of),
    summary: "The plan is ready.",
    ...({ ending: endingIn(of), isWaiting: of.state === "formulated", reach: "broadcast", writer: "network" } as const),
    ...{ moments: [], warnings: [], risks: [], tasks: [], ownId: undefined, observedAt: 0 },
    ...rest,
  };
  return atOnce(dossierOf(input, options)).value;
}
