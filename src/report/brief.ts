import { isNegotiationId } from "../backend/route.ts";
import { byCodeUnits } from "../by-code-units.ts";
import { toIsoSeconds } from "../home/iso-time.ts";
import type { Risk } from "../negotiation/describe.ts";
import { negotiationUri } from "../safety/resource-uris.ts";
import type { ReportTexts } from "../text/report.ts";
import { byResonance } from "../view/agents.ts";
import { type Coverage, coverageOf, gapsOf } from "./coverage.ts";
import type { Dossier } from "./dossier.ts";
import { type GraphSummary, mergedGraphOf } from "./graph/merge.ts";

/** A suggested next call, with its reason. The program makes none of these calls by itself. */
export interface FollowUp {
  why: string;
  tool: string;
  params: Record<string, unknown>;
  /** True if a person decides before the call takes effect. */
  needs_person: boolean;
}

export interface Brief {
  decision_summary: {
    negotiation_id: string;
    state: string;
    summary: string;
    offers: { received: number; exited: number; total: number };
    decisions: { what: string; by: string | null; at: string }[];
    /** The agents that made an offer, the strongest resonance first, at most ten. */
    candidates: { agent_id: string; display_name: string; resonance_score: number; capabilities: readonly string[] }[];
  }[];
  risks: (Risk & { negotiation_id: string; evidence: string })[];
  /**
   * The counts of the merged graph, and the first twenty differences between its sources. `diagnostics.conflicts`
   * counts all differences.
   */
  graph_summary: GraphSummary;
  coverage: Coverage;
  gaps: string[];
  follow_up_plan: FollowUp[];
  evidence_links: { what: string; uri: string }[];
  data_quality: {
    /** True if every negotiation is over, so that the brief can no longer change. */
    is_final: boolean;
    /** The codes of all risks. Each is a reason why the brief may be less reliable than it looks. */
    degraded_by: string[];
    tasks_from: "feed" | "words" | "none";
    plan_is_cut: boolean;
    /** The time of the oldest backend answer that the brief rests on, in ISO 8601. */
    observed_at: string;
  };
  recommended_read_order: string[];
}

const MAX_CANDIDATES = 10;
const MAX_LINKS = 60;
const MAX_FOLLOW_UPS = 12;
const MAX_DIFF = 20;

export interface BriefOptions {
  needs?: readonly string[] | undefined;
  /** The coverage of `needs`, if the caller has computed it already. */
  coverage?: Coverage;
  /** The graph to summarise, if it holds more than the current state of these negotiations. */
  graph?: GraphSummary;
}

/** Builds the summary for somebody who takes over these negotiations (agent layer §8). Pure. */
export function briefOf(
  dossiers: readonly Dossier[],
  texts: ReportTexts,
  { needs = [], coverage = coverageOf(dossiers, needs), graph = mergedGraphOf(dossiers) }: BriefOptions = {},
): Brief {
  const gaps = gapsOf(coverage);
  const risks = dossiers.flatMap(({ id, risks: found }) =>
    found.map((risk) => ({ ...risk, negotiation_id: id, evidence: `${negotiationUri(id)}#${risk.evidence_path}` })),
  );
  const observedAt = Math.min(...dossiers.map((dossier) => dossier.observedAt));
  return {
    decision_summary: dossiers.map(decisionOf),
    risks,
    graph_summary: summaryOf(graph),
    coverage,
    gaps,
    follow_up_plan: followUps(dossiers, gaps, texts),
    evidence_links: evidenceOf(dossiers, texts),
    data_quality: {
      is_final: dossiers.every(({ ending }) => ending !== null),
      degraded_by: [...new Set(risks.map(({ code }) => code))].sort(byCodeUnits),
      tasks_from: dossiers.some(({ outline }) => outline.basis === "tasks")
        ? "feed"
        : dossiers.some(({ outline }) => outline.basis === "words")
          ? "words"
          : "none",
      plan_is_cut: dossiers.some(({ isPlanCut }) => isPlanCut),
      observed_at: iso(observedAt),
    },
    recommended_read_order: [
      "decision_summary",
      ...(risks.length > 0 ? ["risks"] : []),
      ...(gaps.length > 0 ? ["gaps"] : []),
      "follow_up_plan",
      "coverage",
      "graph_summary",
      "evidence_links",
    ],
  };
}

const summaryOf = ({ summary, diagnostics, data_quality, diff }: GraphSummary): GraphSummary => ({
  summary,
  diagnostics,
  data_quality,
  diff: diff.slice(0, MAX_DIFF),
});

const iso = (at: number): string => toIsoSeconds(Number.isFinite(at) ? at : 0);

function decisionOf({ id, state, summary, counts, moments, agents }: Dossier): Brief["decision_summary"][number] {
  const decisions = moments.filter(({ what }) => ["accept", "edit", "reject", "cancel", "withdraw"].includes(what));
  return {
    negotiation_id: id,
    state,
    summary,
    offers: counts,
    decisions: decisions.map(({ what, by, at }) => ({ what, by: by ?? null, at: iso(at) })),
    candidates: byResonance(agents.filter((agent) => agent.state === "offered"))
      .slice(0, MAX_CANDIDATES)
      .map((agent) => ({
        agent_id: agent.id,
        display_name: agent.name,
        resonance_score: agent.score,
        capabilities: agent.capabilities,
      })),
  };
}

/**
 * Suggests the next calls. No suggestion contains the text of a demand, because only the person decides what to ask
 * for.
 */
function followUps(dossiers: readonly Dossier[], gaps: readonly string[], { brief }: ReportTexts): FollowUp[] {
  const list: FollowUp[] = [];
  for (const { id, isWaiting, ending, subIds, counts } of dossiers) {
    const params = { negotiation_id: id };
    if (isWaiting) list.push({ why: brief.decide, tool: "towow_demand", params, needs_person: true });
    else if (ending === null)
      list.push({ why: brief.wait, tool: "towow_status", params: { ...params, wait: "done" }, needs_person: false });
    else if (ending === "plan" && counts.received > 0)
      list.push({ why: brief.review, tool: "towow_status", params, needs_person: false });
    else list.push({ why: brief.again, tool: "towow_demand", params: {}, needs_person: true });
    for (const sub of subIds.filter(isNegotiationId))
      list.push({ why: brief.sub, tool: "towow_status", params: { negotiation_id: sub }, needs_person: false });
  }
  if (gaps.length > 0 && dossiers.every(({ ending }) => ending !== null))
    list.push({ why: brief.gap(gaps.length), tool: "towow_demand", params: {}, needs_person: true });
  return list.slice(0, MAX_FOLLOW_UPS);
}

function evidenceOf(dossiers: readonly Dossier[], { brief }: ReportTexts): Brief["evidence_links"] {
  return dossiers
    .flatMap(({ id, plan, agents }) => [
      { what: brief.negotiation, uri: negotiationUri(id) },
      ...(plan === null ? [] : [{ what: brief.plan, uri: `${negotiationUri(id)}/plan` }]),
      { what: brief.graph, uri: `${negotiationUri(id)}/graph` },
      ...agents.flatMap(({ state, uri }) => (state === "offered" && uri ? [{ what: brief.offer, uri }] : [])),
    ])
    .slice(0, MAX_LINKS);
}
