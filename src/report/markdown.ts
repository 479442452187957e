import { withMasksIn } from "../safety/pii/masks.ts";
import { joinList, joinSentences } from "../text/join.ts";
import { type ReportTexts, reportTexts } from "../text/report.ts";
import { offersFirst, offerText } from "../view/agents.ts";
import type { HistoryEvent } from "../view/course.ts";
import { briefOf, type FollowUp } from "./brief.ts";
import { type Coverage, coverageOf } from "./coverage.ts";
import { type Agent, type Dossier, nobodyIn } from "./dossier.ts";
import type { Graph } from "./graph/model.ts";
import { graphTables } from "./graph/tables.ts";
import { inert, inertLine } from "./inert.ts";
import type { ReportOptions } from "./page/report.ts";

/** An id that a shell takes as it is. */
const SHELL_WORD = /^[A-Za-z0-9_-]{1,80}$/;
const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${inert(line)}`.trimEnd())
    .join("\n");

/**
 * The report as Markdown. What others wrote stands in it as text: no picture, no link, no HTML of theirs. `graph`: for
 * programs, which read as tables what the page draws.
 */
export function reportMarkdown(collected: readonly Dossier[], options: ReportOptions, graph?: Graph): string {
  const dossiers = withMasksIn(options.lang, collected);
  const texts = reportTexts(options.lang);
  const coverage = coverageOf(dossiers, options.needs);
  const { follow_up_plan } = briefOf(
    dossiers,
    { ...texts, brief: { ...texts.brief, ...texts.next } },
    { needs: options.needs },
  );
  return [
    `# ${texts.title}`,
    texts.meta(options.timeOf(options.madeAt), options.host),
    ...dossiers.flatMap((dossier) => negotiationPart(dossier, texts, options.timeOf)),
    ...coveragePart(coverage, dossiers, texts),
    ...(graph === undefined ? [] : graphTables(graph, texts)),
    `## ${texts.brief.next}`,
    list(follow_up_plan.map((step) => nextLine(step, texts))),
    "---",
    options.isMasked ? texts.masked : texts.notMasked,
    texts.foot,
    "",
  ].join("\n\n");
}

/** What can be done, and the command that does it: a report is read by people. */
function nextLine({ why, tool, params }: FollowUp, texts: ReportTexts): string {
  const { negotiation_id: id } = params;
  const isNamed = typeof id === "string" && SHELL_WORD.test(id);
  return isNamed ? why + texts.aside(`\`towow-mcp ${tool === "towow_demand" ? "confirm" : "watch"} ${id}\``) : why;
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");

function negotiationPart(dossier: Dossier, texts: ReportTexts, timeOf: ReportOptions["timeOf"]): string[] {
  const { id, summary, demand, moments, agents, plan, outline, risks, isPlanCut } = dossier;
  const { raw, formulated } = demand;
  const offers = offersFirst(agents);
  return [
    `## ${inertLine(id)}`,
    summary,
    `### ${texts.demand}`,
    ...(formulated === null || formulated === raw
      ? [raw === "" ? texts.noText : quoted(formulated ?? raw)]
      : [texts.original, quoted(raw), texts.formulatedBy[demand.by ?? "unknown"], quoted(formulated)]),
    `### ${texts.timeline}`,
    moments.length === 0 ? texts.noRecord : list(moments.map((moment) => momentLine(moment, texts, timeOf))),
    `### ${texts.offers}`,
    offers.length === 0 ? nobodyIn(dossier, texts) : offers.map((agent) => offerPart(agent, texts)).join("\n\n"),
    `### ${texts.plan}`,
    ...(outline.tasks.length > 0 ? [list(outline.tasks.map((task) => taskLine(task, agents, texts)))] : []),
    plan === null || plan.trim() === "" ? texts.noPlan : quoted(plan),
    ...(isPlanCut ? [texts.planCut] : []),
    `### ${texts.risks}`,
    risks.length === 0
      ? texts.noRisks
      : list(
          risks.map(({ code, severity, reason, follow_up, evidence_path }) => {
            return `**${texts.severity[severity]}** ${joinSentences([reason, follow_up])}${texts.aside(`\`${code}\``, `\`${evidence_path}\``)}`;
          }),
        ),
  ];
}

const momentLine = ({ at, ...moment }: HistoryEvent, texts: ReportTexts, timeOf: ReportOptions["timeOf"]): string =>
  `${timeOf(at)} ${texts.moments[moment.what]}${asideOf(moment, texts)}`;

function asideOf({ by, isLate }: Pick<HistoryEvent, "by" | "isLate">, texts: ReportTexts): string {
  const parts = [by === undefined ? undefined : texts.by[by], isLate && texts.tooLate].filter(Boolean);
  return parts.length === 0 ? "" : texts.aside(...(parts as string[]));
}

function offerPart({ name, scoreText, state, capabilities, offer, isOfferCut }: Agent, texts: ReportTexts): string {
  const lists = capabilities.length === 0 ? "" : ` · ${joinList(capabilities.map(inertLine), texts.lang)}`;
  const head = `**${inertLine(name)}** · ${scoreText} · ${texts.states[state]}${lists}`;
  if (offer === null) return head;
  const words = offerText(offer);
  return `${head}\n\n${words === "" ? texts.emptyOffer : quoted(words)}${isOfferCut ? `\n\n${texts.cutHere}` : ""}`;
}

function taskLine(
  { title, step, cover, assignee }: Dossier["outline"]["tasks"][number],
  agents: readonly Agent[],
  texts: ReportTexts,
): string {
  const by = cover === "own" ? texts.you : (agents.find((agent) => agent.id === assignee)?.name ?? texts.unassigned);
  return `${texts.stepIs(step, inertLine(title))} — ${inertLine(by)}`;
}

function coveragePart({ basis, rows }: Coverage, dossiers: readonly Dossier[], texts: ReportTexts): string[] {
  if (rows.length === 0) return [];
  const nameOf = new Map(dossiers.flatMap(({ agents }) => agents.map(({ id, name }) => [id, name])));
  const lines = rows.map(({ need, by, more_agents: more }) => {
    const names = [
      ...new Set(by.map(({ agent_id, claim }) => (claim === "own" ? texts.you : (nameOf.get(agent_id) ?? agent_id)))),
    ];
    return `| ${inertLine(need)} | ${names.length === 0 ? `**${texts.nobodyYet}**` : joinList([...names.map(inertLine), ...(more > 0 ? [texts.graphMore(more)] : [])], texts.lang)} |`;
  });
  return [
    `## ${texts.coverage}`,
    texts.basis[basis],
    [`| ${texts.need} | ${texts.name} |`, "| --- | --- |", ...lines].join("\n"),
  ];
}
