import { withMasksIn } from "../safety/pii/masks.ts";
import { joinList, joinSentences } from "../text/join.ts";
import { type ReportTexts, reportTexts } from "../text/report.ts";
import { offerText } from "../view/agents.ts";
import type { HistoryEvent } from "../view/course.ts";
import { briefOf, type FollowUp } from "./brief.ts";
import { contentOf, type Row } from "./content.ts";
import { type Coverage, coverageOf } from "./coverage.ts";
import { type Dossier, nobodyIn } from "./dossier.ts";
import type { Graph } from "./graph/model.ts";
import type { ReportOptions } from "./page/report.ts";

/** Matches the characters that a Markdown reader would take for markup. */
const MARKUP = /[\\`*_{}[\]()<>#|~!]|[-+=](?=\s|$)(?<=^\s*.)|\.(?=\s|$)(?<=^\s*\d+\.)/gm;

/** Escapes a text that others wrote, so that Markdown shows it letter by letter, without pictures, links or HTML. */
const inert = (text: string): string => text.replaceAll(MARKUP, "\\$&");

/** Escapes a text and puts it on one line, for a heading or a table. */
const inertLine = (text: string): string => inert(text.replaceAll(/\s+/g, " ").trim());

/** Matches an id that needs no quotes in a shell. */
const SHELL_WORD = /^[A-Za-z0-9_-]{1,80}$/;
const quoted = (text: string): string =>
  text
    .split("\n")
    .map((line) => `> ${inert(line)}`.trimEnd())
    .join("\n");

/**
 * Writes the report as Markdown. Text that others wrote is escaped, so that it shows no pictures, links or HTML.
 * `graph` is written as tables, for programs that cannot see the page's drawing.
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
    joinSentences([options.isMasked ? texts.masked : texts.notMasked, texts.foot]),
    "",
  ].join("\n\n");
}

/** Writes a suggested step with the shell command for it, because the people who read a report cannot call tools. */
function nextLine({ why, tool, params }: FollowUp, texts: ReportTexts): string {
  const { negotiation_id: id } = params;
  const isNamed = typeof id === "string" && SHELL_WORD.test(id);
  return isNamed ? why + texts.aside(`\`towow-mcp ${tool === "towow_demand" ? "confirm" : "watch"} ${id}\``) : why;
}

const list = (lines: readonly string[]): string => lines.map((line) => `- ${line}`).join("\n");

function negotiationPart(dossier: Dossier, texts: ReportTexts, timeOf: ReportOptions["timeOf"]): string[] {
  const { id, demand, reach, moments, risks, isPlanCut } = dossier;
  const { raw, formulated } = demand;
  const { lead, rows, gaps, weeks, steps, open, plan, isDrawn } = contentOf(dossier, texts);
  const part = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`### ${heading}`, list(lines)];
  return [
    `## ${inertLine(id)}`,
    lead,
    `### ${reach === "broadcast" ? texts.asBroadcast : texts.demand}`,
    ...(formulated === null || formulated === raw
      ? [raw === "" ? texts.noText : quoted(formulated ?? raw)]
      : [texts.original, quoted(raw), texts.formulatedBy[demand.by ?? "unknown"], quoted(formulated)]),
    `### ${texts.people}`,
    ...(rows.length + gaps.length === 0 ? [nobodyIn(dossier, texts)] : rows.map((row) => rowPart(row, texts))),
    ...(gaps.length === 0 ? [] : [list(gaps.map((need) => `**${texts.nobodyYet}** · ${inertLine(need)}`))]),
    ...part(
      texts.weeks,
      weeks.map(({ from, to, text }) => `**${texts.week(from, to)}** ${inertLine(text)}`),
    ),
    ...part(
      texts.stepByStep,
      steps.map(({ text }, index) => `**${index + 1}** ${inertLine(text)}`),
    ),
    ...part(
      texts.open,
      [...gaps, ...open].map((line) => inertLine(line)),
    ),
    ...(isDrawn ? [] : [`### ${texts.plan}`, plan === null ? texts.noPlan : quoted(plan)]),
    ...part(
      texts.risks,
      risks.map(({ severity, reason, follow_up }) => {
        return `**${texts.severity[severity]}** ${joinSentences([reason, follow_up])}`;
      }),
    ),
    ...(isDrawn && plan !== null ? [`### ${texts.planText}`, quoted(plan)] : []),
    ...(isPlanCut ? [texts.planCut] : []),
    ...part(texts.evidence, [
      ...(moments.length === 0 ? [texts.noRecord] : moments.map((moment) => momentLine(moment, texts, timeOf))),
      ...risks.map(({ code, evidence_path }) => `${texts.risk} \`${code}\` \`${evidence_path}\``),
    ]),
  ];
}

const momentLine = ({ at, ...moment }: HistoryEvent, texts: ReportTexts, timeOf: ReportOptions["timeOf"]): string =>
  `${timeOf(at)} ${texts.moments[moment.what]}${asideOf(moment, texts)}`;

function asideOf({ by, isLate }: Pick<HistoryEvent, "by" | "isLate">, texts: ReportTexts): string {
  const parts = [by === undefined ? undefined : texts.by[by], isLate && texts.tooLate].filter(Boolean);
  return parts.length === 0 ? "" : texts.aside(...(parts as string[]));
}

function rowPart({ name, mark, does, details, lists, agent }: Row, texts: ReportTexts): string {
  const head = [`**${inertLine(name)}**`, ...[mark, ...does, ...details, ...lists].map(inertLine)].join(" · ");
  if (agent === undefined || agent.offer === null) return head;
  const words = offerText(agent.offer);
  return `${head}\n\n${words === "" ? texts.emptyOffer : quoted(words)}${agent.isOfferCut ? `\n\n${texts.cutHere}` : ""}`;
}

/** Shows which offers name the needs that the reader listed. */
function coveragePart({ basis, rows }: Coverage, dossiers: readonly Dossier[], texts: ReportTexts): string[] {
  if (basis !== "given" || rows.length === 0) return [];
  const nameOf = new Map(dossiers.flatMap(({ agents }) => agents.map(({ id, name }) => [id, name])));
  const lines = rows.map(({ need, by, more_agents: more }) => {
    const names = [...new Set(by.map(({ agent_id }) => inertLine(nameOf.get(agent_id) ?? agent_id)))];
    const shown = joinList([...names, ...(more > 0 ? [texts.graphMore(more)] : [])], texts.lang);
    return `| ${inertLine(need)} | ${names.length === 0 ? `**${texts.nobodyYet}**` : shown} |`;
  });
  return [
    `## ${texts.coverage}`,
    texts.basis.given,
    [`| ${texts.need} | ${texts.name} |`, "| --- | --- |", ...lines].join("\n"),
  ];
}

/** Writes a graph as two Markdown tables: its entities, and the relations between them (seed 000, `reports.build`). Pure. */
function graphTables({ nodes, edges }: Graph, { tables }: ReportTexts): string[] {
  if (nodes.length === 0) return [];
  const labels = new Map(nodes.map(({ id, label }) => [id, label]));
  const named = (id: string): string => inertLine(labels.get(id) ?? id);
  return [
    `## ${tables.entities}`,
    table(
      [tables.type, tables.label, "id"],
      nodes.map(({ id, type, label }) => [inertLine(type), inertLine(label), inertLine(id)]),
    ),
    `## ${tables.relations}`,
    table(
      [tables.from, tables.type, tables.to, tables.weight],
      edges.map(({ type, from, to, weight }) => [named(from), inertLine(type), named(to), weight?.toFixed(2) ?? ""]),
    ),
  ];
}

const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
