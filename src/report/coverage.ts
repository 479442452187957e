import { atOnce, type Steps, stepping } from "../turn.ts";
import { offerText } from "../view/agents.ts";
import type { Dossier } from "./dossier.ts";
import { names, plain, type Words, wordsOf } from "./matching.ts";

/**
 * Why an agent counts as covering a need. `task`: the plan assigns the need to the agent. `own`: the plan assigns the
 * need to the person who asks. `capability`: the agent's offer lists the need. `text`: the offer's text names the
 * need.
 */
type Claim = "task" | "own" | "capability" | "text";

interface CoverageRow {
  need: string;
  /** The agents that cover the need, at most fifty. A need that no agent covers is a gap. */
  by: { negotiation_id: string; agent_id: string; claim: Claim }[];
  /** The number of covering agents that `by` leaves out. */
  more_agents: number;
}

export interface Coverage {
  /**
   * The source of the rows: the needs that the caller lists, else the tasks of the plan, else the capabilities that
   * offers list. The last of these can show no gap, because nobody said what is needed.
   */
  basis: "given" | "tasks" | "capabilities";
  rows: CoverageRow[];
  /** The number of rows left out. */
  more: number;
}

/** The maximum number of rows. An outline holds no more tasks than this, so no gap in a plan is left out. */
const MAX_ROWS = 100;
const MAX_AGENTS = 50;

/**
 * Finds which agents cover each need, in one or several negotiations. Needs that a caller lists are matched by their
 * words, so a match never proves that an agent can do something. Pure.
 */
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

/** Returns the needs that no agent covers. */
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

/** Returns a row for each capability that the agents list, the most frequent first. */
function* listCapabilities(dossiers: readonly Dossier[]): Steps<Row[]> {
  const rows = new Map<string, { need: string; by: CoverageRow["by"][number][] }>();
  for (const { id, agents } of dossiers)
    for (const agent of agents) {
      // If an agent spells a capability in several ways, the first spelling is shown.
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
