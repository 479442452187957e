import type { Dossier } from "./dossier.ts";
import { names, plain, type Words, wordsOf } from "./matching.ts";

/** How an agent stands to a need: the plan gives it to them, their offer lists it, or its text names it. */
export type Claim = "task" | "capability" | "text";

export interface CoverageRow {
  need: string;
  /** Nobody covers it where this is empty: a gap. At most fifty. */
  by: { negotiation_id: string; agent_id: string; claim: Claim }[];
  /** How many there are beyond those. */
  more_agents: number;
}

export interface Coverage {
  /**
   * Where the rows come from: the caller's needs, the tasks of the plan, or, where nobody says what is needed, the
   * capabilities that offers list. In the last case no gap can be seen.
   */
  basis: "given" | "tasks" | "capabilities";
  rows: CoverageRow[];
  /** Rows that were left out. */
  more: number;
}

const MAX_ROWS = 60;
const MAX_AGENTS = 50;

/** Who covers what is needed, in one or several negotiations. Pure; compares words, and claims no more than that. */
export function coverageOf(dossiers: readonly Dossier[], needs: readonly string[] = []): Coverage {
  const wanted = unique(needs);
  if (wanted.length > 0) return limited("given", coverNeeds(dossiers, wanted));
  const tasks = dossiers.flatMap(({ id, outline }) =>
    outline.tasks.map(({ title, assignee }) => ({
      need: title,
      by: assignee === undefined ? [] : [{ negotiation_id: id, agent_id: assignee, claim: "task" as const }],
    })),
  );
  return tasks.length > 0 ? limited("tasks", tasks) : limited("capabilities", listCapabilities(dossiers));
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

function coverNeeds(dossiers: readonly Dossier[], needs: readonly string[]): Row[] {
  const offers = dossiers.flatMap(({ id, agents }) =>
    agents
      .filter(({ state }) => state === "offered")
      .map((agent) => ({
        negotiation_id: id,
        agent_id: agent.id,
        score: agent.score,
        capabilities: agent.capabilities.map(wordsOf),
        text: wordsOf(agent.offer ?? ""),
      })),
  );
  offers.sort((a, b) => b.score - a.score);
  return needs.map((need) => {
    const words = wordsOf(need);
    const by = offers.flatMap(({ negotiation_id, agent_id, capabilities, text }) => {
      const claim = claimOf(capabilities, text, words);
      return claim === undefined ? [] : [{ negotiation_id, agent_id, claim }];
    });
    return { need, by };
  });
}

function claimOf(capabilities: readonly Words[], text: Words, need: Words): Claim | undefined {
  if (capabilities.some((capability) => names(capability, need))) return "capability";
  return names(text, need) ? "text" : undefined;
}

/** What offers list, the most listed first. */
function listCapabilities(dossiers: readonly Dossier[]): Row[] {
  const rows = new Map<string, { need: string; by: CoverageRow["by"][number][] }>();
  for (const { id, agents } of dossiers)
    for (const agent of agents)
      for (const capability of new Set(agent.capabilities.map((text) => plain(text)))) {
        const shown = agent.capabilities.find((text) => plain(text) === capability) ?? capability;
        const row = rows.get(capability) ?? { need: shown, by: [] };
        row.by.push({ negotiation_id: id, agent_id: agent.id, claim: "capability" });
        rows.set(capability, row);
      }
  return [...rows.values()].sort((a, b) => b.by.length - a.by.length || (a.need < b.need ? -1 : 1));
}

function unique(texts: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const text of texts) if (plain(text) !== "" && !seen.has(plain(text))) seen.set(plain(text), text.trim());
  return [...seen.values()];
}
