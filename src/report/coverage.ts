import { atOnce, type Steps, stepping } from "../turn.ts";
import { offerText } from "../view/agents.ts";
import type { Dossier } from "./dossier.ts";
import { names, plain, type Words, wordsOf } from "./matching.ts";

/**
 * Why somebody covers a need: the plan gives the need to an agent or to the person, an offer lists it, or an offer's
 * text names it.
 */
type Claim = "task" | "own" | "capability" | "text";

interface CoverageRow {
  need: string;
  /** The agents that cover the need, at most fifty. If there are none, the need is a gap. */
  by: { negotiation_id: string; agent_id: string; claim: Claim }[];
  /** How many more agents cover the need. */
  more_agents: number;
}

export interface Coverage {
  /**
   * Where the rows come from: the caller's needs, the tasks of the plan, or, if nobody says what is needed, the
   * capabilities that offers list. With capabilities, no gap can be seen.
   */
  basis: "given" | "tasks" | "capabilities";
  rows: CoverageRow[];
  /** How many rows were left out. */
  more: number;
}

/** The most rows. A plan has no more tasks than this, and none of its gaps may be left out. */
const MAX_ROWS = 100;
const MAX_AGENTS = 50;

/** Finds who covers what is needed, in one or several negotiations. It compares words and claims no more than that. Pure. */
export const coverageOf = (dossiers: readonly Dossier[], needs?: readonly string[]): Coverage =>
  atOnce(covering(dossiers, needs));

/** Does the work of {@link coverageOf} in steps, agent by agent and need by need. */
export function* covering(dossiers: readonly Dossier[], needs: readonly string[] = []): Steps<Coverage> {
  const wanted = unique(needs);
  if (wanted.length > 0) return limited("given", yield* coverNeeds(dossiers, wanted));
  const tasks = dossiers.flatMap(({ id, outline }) =>
    outline.tasks.map(({ title, cover, assignee }) => ({
      need: title,
      by:
        assignee === undefined
          ? []
          : [{ negotiation_id: id, agent_id: assignee, claim: cover === "own" ? ("own" as const) : ("task" as const) }],
    })),
  );
  return tasks.length > 0 ? limited("tasks", tasks) : limited("capabilities", yield* listCapabilities(dossiers));
}

type Row = Omit<CoverageRow, "more_agents">;

const limited = (basis: Coverage["basis"], rows: readonly Row[]): Coverage => ({
  basis,
  rows: rows.slice(0, MAX_ROWS).map(({ need, by }) => ({
    need,
    by: by.slice(0, MAX_AGENTS),
    more_agents: Math.max(0, by.length - MAX_AGENTS),
  })),
  more: Math.max(0, rows.length - MAX_ROWS),
});

export const gapsOf = ({ rows }: Coverage): string[] =>
  rows.filter(({ by }) => by.length === 0).map(({ need }) => need);

interface Offer {
  negotiation_id: string;
  agent_id: string;
  score: number;
  capabilities: Words[];
  text: Words;
}

function* coverNeeds(dossiers: readonly Dossier[], needs: readonly string[]): Steps<Row[]> {
  const offers: Offer[] = [];
  for (const { id, agents } of dossiers)
    for (const agent of agents.filter(({ state }) => state === "offered")) {
      const capabilities = agent.capabilities.map(wordsOf);
      const text = wordsOf(agent.offer === null ? "" : offerText(agent.offer));
      offers.push({ negotiation_id: id, agent_id: agent.id, score: agent.score, capabilities, text });
      yield;
    }
  offers.sort((a, b) => b.score - a.score);
  const rows: Row[] = [];
  for (const need of needs) {
    const words = wordsOf(need);
    const by: Row["by"] = [];
    yield* stepping(offers, ({ negotiation_id, agent_id, capabilities, text }) => {
      const claim = claimOf(capabilities, text, words);
      if (claim !== undefined) by.push({ negotiation_id, agent_id, claim });
    });
    yield;
    rows.push({ need, by });
  }
  return rows;
}

function claimOf(capabilities: readonly Words[], text: Words, need: Words): Claim | undefined {
  if (capabilities.some((capability) => names(capability, need))) return "capability";
  return names(text, need) ? "text" : undefined;
}

/** Lists what offers list, the most listed first. */
function* listCapabilities(dossiers: readonly Dossier[]): Steps<Row[]> {
  const rows = new Map<string, { need: string; by: CoverageRow["by"][number][] }>();
  for (const { id, agents } of dossiers)
    for (const agent of agents) {
      // A capability is shown in its first spelling.
      const shown = new Map(agent.capabilities.toReversed().map((text) => [plain(text), text]));
      for (const capability of new Set(agent.capabilities.map(plain))) {
        const row = rows.get(capability) ?? { need: shown.get(capability) ?? capability, by: [] };
        row.by.push({ negotiation_id: id, agent_id: agent.id, claim: "capability" });
        rows.set(capability, row);
      }
      yield;
    }
  return [...rows.values()].sort((a, b) => b.by.length - a.by.length || (a.need < b.need ? -1 : 1));
}

function unique(texts: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const text of texts) if (plain(text) !== "" && !seen.has(plain(text))) seen.set(plain(text), text.trim());
  return [...seen.values()];
}
