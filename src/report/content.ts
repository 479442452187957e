import { joinSentences } from "../text/join.ts";
import type { ReportTexts } from "../text/report.ts";
import { offersFirst } from "../view/agents.ts";
import type { HistoryEvent } from "../view/course.ts";
import type { DatedWeek, Outline } from "../view/plan.ts";
import { teamOf } from "../view/team.ts";
import type { Agent, Dossier } from "./dossier.ts";

/**
 * This file decides what a report says about a negotiation, and in which order. The page and the Markdown both draw
 * its result, so that they say the same. Pure.
 */

export interface Row {
  name: string;
  /**
   * The agent's resonance, and its state if it made no offer. In the person's own row, the words that say that they
   * ask.
   */
  mark: string;
  does: readonly string[];
  details: readonly string[];
  /** The capabilities that the offer lists and `does` does not. Empty if `details` say more. */
  lists: readonly string[];
  agent?: Agent;
}

export interface Content {
  /**
   * The first sentence: how many people and weeks the plan has and how much is uncovered. If no plan shows this, the
   * sentence says where the negotiation stands.
   */
  lead: string;
  rows: readonly Row[];
  /** The titles of the tasks that nobody takes. */
  gaps: readonly string[];
  weeks: readonly DatedWeek[];
  /** The plan's numbered lines, if it names no week. */
  steps: Outline["steps"];
  /** What the plan leaves open. */
  open: readonly string[];
  /** The plan's own text. Null if there is none, or if nobody takes part. */
  plan: string | null;
  /** True if the plan can be drawn as rows and weeks. Otherwise its text is shown as it is. */
  isDrawn: boolean;
  /** The decision that sent the text out, if this person's programs wrote one down. */
  yes?: HistoryEvent;
}

const YES: readonly HistoryEvent["what"][] = ["accept", "edit"];

/** Decides what a report says about one negotiation. Pure. */
export function contentOf(dossier: Dossier, texts: ReportTexts): Content {
  const { outline, agents, ending, summary, moments } = dossier;
  const plan = agents.length === 0 || dossier.plan?.trim() === "" ? null : dossier.plan;
  const team = teamOf(outline, agents);
  const isDrawn = plan !== null && team.isDrawn;
  const rowOf = (agent: Agent, does: readonly string[] = [], details: readonly string[] = []): Row => {
    const state = agent.state === "offered" ? [] : [texts.states[agent.state]];
    const lists = details.length > 0 ? [] : agent.capabilities.filter((text) => !does.includes(text));
    return {
      name: agent.name,
      mark: [texts.resonanceOf(agent.scoreText), ...state].join(" · "),
      does,
      details,
      lists,
      agent,
    };
  };
  const members = isDrawn ? team.members : [];
  const inPlan = new Set(members.map(({ agent }) => agent.id));
  const own = isDrawn ? [{ name: texts.you, mark: texts.asks, does: team.own, details: [], lists: [] }] : [];
  const yes = moments.find(({ what, isLate }) => YES.includes(what) && isLate !== true);
  const gaps = isDrawn ? team.gaps.map(({ title }) => title) : [];
  return {
    lead:
      isDrawn && team.people > 0 && ending !== null
        ? joinSentences([
            texts.peopleAndWeeks(team.people, team.weeks),
            gaps.length > 0 ? texts.uncovered(gaps.length) : undefined,
          ])
        : summary,
    rows: [
      ...own,
      ...members.map(({ agent, does, details }) => rowOf(agent, does, details)),
      ...offersFirst(agents.filter(({ id }) => !inPlan.has(id))).map((agent) => rowOf(agent)),
    ],
    gaps,
    weeks: isDrawn ? outline.weeks : [],
    steps: isDrawn ? outline.steps : [],
    open: isDrawn ? outline.open : [],
    plan,
    isDrawn,
    ...(yes !== undefined && { yes }),
  };
}
