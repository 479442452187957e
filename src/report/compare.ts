import { atOnce, type Steps, stepping } from "../turn.ts";
import { offersFirst, offerText } from "../view/agents.ts";
import { type Coverage, covering, gapsOf } from "./coverage.ts";
import type { Agent, Dossier } from "./dossier.ts";
import { plain } from "./matching.ts";

interface ComparedNegotiation {
  negotiation_id: string;
  state: string;
  summary: string;
  offers: { received: number; exited: number; total: number };
  /** The strongest resonance among the agents that made an offer. Null if there are none. */
  strongest_resonance: number | null;
  has_plan: boolean;
  risks: string[];
}

interface ComparedOffer {
  negotiation_id: string;
  agent_id: string;
  display_name: string;
  resonance_score: number;
  state: Agent["state"];
  capabilities: string[];
  /** The capabilities that no other agent in the comparison lists. */
  only_here: string[];
  excerpt: string | null;
  /**
   * The needs that this agent covers. Empty if the coverage only lists capabilities, because nobody said what is
   * needed.
   */
  covers: string[];
  whole?: string;
}

export interface Comparison {
  negotiations: ComparedNegotiation[];
  /** The agents that made an offer, then the others. Each group is sorted by resonance, the strongest first. */
  offers: ComparedOffer[];
  /** The number of agents that `offers` leaves out. */
  more_offers: number;
  coverage: Coverage;
  gaps: string[];
  differences: {
    /** Capabilities that at least two agents list. */
    shared_capabilities: string[];
    /** Agents that take part in several of the negotiations. */
    agents_in_several: {
      agent_id: string;
      display_name: string;
      in: { negotiation_id: string; resonance_score: number }[];
    }[];
  };
}

const MAX_COMPARED_OFFERS = 40;
const MAX_SHARED = 40;
const EXCERPT_CHARS = 400;

/** Compares several negotiations, or the offers of one. Pure. */
export const compare = (dossiers: readonly Dossier[], needs?: readonly string[]): Comparison =>
  atOnce(comparing(dossiers, needs));

/** Does the work of {@link compare} in small steps, between which other work can run. */
export function* comparing(dossiers: readonly Dossier[], needs: readonly string[] = []): Steps<Comparison> {
  const coverage = yield* covering(dossiers, needs);
  const owners = yield* ownersOf(dossiers);
  const all = dossiers.flatMap((dossier) => dossier.agents.map((agent) => ({ ...agent, dossier })));
  const shown = offersFirst(all).slice(0, MAX_COMPARED_OFFERS);
  return {
    negotiations: dossiers.map(comparedOf),
    offers: shown.map(({ dossier, ...agent }) => ({
      negotiation_id: dossier.id,
      agent_id: agent.id,
      display_name: agent.name,
      resonance_score: agent.score,
      state: agent.state,
      capabilities: [...agent.capabilities],
      only_here: agent.capabilities.filter((text) => owners.get(plain(text))?.size === 1),
      excerpt: agent.offer && [...offerText(agent.offer)].slice(0, EXCERPT_CHARS).join(""),
      covers: coverage.basis === "capabilities" ? [] : needsOf(coverage, dossier.id, agent.id),
      ...(agent.uri !== undefined && { whole: agent.uri }),
    })),
    more_offers: all.length - shown.length,
    coverage,
    gaps: gapsOf(coverage),
    differences: {
      shared_capabilities: [...owners]
        .filter(([, by]) => by.size > 1)
        .map(([text]) => text)
        .slice(0, MAX_SHARED),
      agents_in_several: inSeveral(dossiers),
    },
  };
}

function comparedOf({ id, state, summary, counts, agents, plan, risks }: Dossier): ComparedNegotiation {
  const scores = agents.filter((agent) => agent.state === "offered").map(({ score }) => score);
  return {
    negotiation_id: id,
    state,
    summary,
    offers: counts,
    strongest_resonance: scores.length === 0 ? null : Math.max(...scores),
    has_plan: plan !== null && plan.trim() !== "",
    risks: risks.map(({ code }) => code),
  };
}

/** Maps each capability to the ids of the agents that list it. */
function* ownersOf(dossiers: readonly Dossier[]): Steps<Map<string, Set<string>>> {
  const owners = new Map<string, Set<string>>();
  const agents = dossiers.flatMap((dossier) => dossier.agents);
  yield* stepping(agents, ({ id, capabilities }) => {
    for (const text of capabilities) owners.set(plain(text), (owners.get(plain(text)) ?? new Set()).add(id));
  });
  return owners;
}

const needsOf = ({ rows }: Coverage, negotiationId: string, agentId: string): string[] =>
  rows
    .filter(({ by }) => by.some((one) => one.negotiation_id === negotiationId && one.agent_id === agentId))
    .map(({ need }) => need);

function inSeveral(dossiers: readonly Dossier[]): Comparison["differences"]["agents_in_several"] {
  const found = new Map<string, Comparison["differences"]["agents_in_several"][number]>();
  for (const { id, agents } of dossiers)
    for (const agent of agents) {
      const one = found.get(agent.id) ?? { agent_id: agent.id, display_name: agent.name, in: [] };
      one.in.push({ negotiation_id: id, resonance_score: agent.score });
      found.set(agent.id, one);
    }
  return [...found.values()]
    .filter((one) => new Set(one.in.map(({ negotiation_id }) => negotiation_id)).size > 1)
    .slice(0, MAX_SHARED);
}
