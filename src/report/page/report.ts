import { html, raw } from "hono/html";
import { withMasksIn } from "../../safety/pii/masks.ts";
import { mark } from "../../style/mark.ts";
import { joinSentences } from "../../text/join.ts";
import { type ReportTexts, reportTexts } from "../../text/report.ts";
import { turn } from "../../turn.ts";
import { type Content, contentOf } from "../content.ts";
import { coverageOf } from "../coverage.ts";
import type { Dossier } from "../dossier.ts";
import { mergedGraphOf } from "../graph/merge.ts";
import { openSection, planWords, weeksSection } from "./course.ts";
import { demandSection, momentRows } from "./demand.ts";
import { coverageSection, risksSection } from "./findings.ts";
import { graphSvg } from "./graph-svg.ts";
import { type Html, type Part, section } from "./part.ts";
import { peopleSection } from "./people.ts";
import REPORT_CSS from "./report.css";

/** What a report in any format needs besides the negotiations. */
export interface ReportOptions {
  lang: "zh" | "en";
  /** The host of the backend where the negotiations are. */
  host: string;
  /** The time at which the report is made, in ms since the epoch. */
  madeAt: number;
  /** Formats a time, given in ms since the epoch, with its date for the person. */
  timeOf: (atMs: number) => string;
  /** The needs that the reader listed, if any. */
  needs: readonly string[];
  /** True if contact data is masked in the dossiers. */
  isMasked: boolean;
  /** The names of the person who asked and of the scene. Given only for a report about one negotiation. */
  asked?: Asked | undefined;
}

/** The names of the person who asked and of the scene that the demand went to. A name that is not known is undefined. */
export interface Asked {
  name: string | undefined;
  scene: string | undefined;
}

/**
 * Writes one self-contained HTML page about one or several negotiations. The page runs no script, loads nothing and
 * prints on a sheet or two. Text that others wrote is escaped.
 */
export async function reportPage(collected: readonly Dossier[], options: ReportOptions): Promise<string> {
  const dossiers = withMasksIn(options.lang, collected);
  const texts = reportTexts(options.lang);
  const covered = coverageSection(coverageOf(dossiers, options.needs), dossiers, texts);
  const [first] = dossiers;
  const isOne = dossiers.length === 1;
  const contents = dossiers.map((dossier) => contentOf(dossier, texts));
  const parts: Html[] = [];
  for (const [index, dossier] of dossiers.entries()) {
    const part = { id: `n${index + 1}`, isOnly: isOne, texts, timeOf: options.timeOf };
    parts.push(await negotiationPart(dossier, contents[index]!, part));
    await turn();
  }
  const made = `${options.timeOf(options.madeAt)} · ${options.host}`;
  const page = html`<!doctype html>
<html lang="${texts.lang === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light"><meta name="referrer" content="no-referrer"><meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${texts.title}${isOne && first ? ` · ${first.id}` : ""}</title><style>${raw(REPORT_CSS)}</style></head>
<body><main class="paper"><p class="rh">${raw(mark(6))}<b>${texts.brand}</b><span class="push">${made}</span></p><h1>${isOne ? texts.title : texts.titleOf(texts.several(dossiers.length))}</h1>${isOne ? html`<p class="mu">${joinSentences([options.asked && texts.asked(options.asked), contents[0]?.lead])}</p>` : comparison(dossiers, contents, texts)}
${covered}${parts}
<p class="xs mu">${joinSentences([options.isMasked ? texts.masked : texts.notMasked, texts.foot])}</p></main></body></html>`;
  return `${await page}\n`;
}

async function negotiationPart(dossier: Dossier, content: Content, part: Part): Promise<Html> {
  const { id, isOnly, texts } = part;
  const { plan, isDrawn } = content;
  const words = plan === null ? "" : await planWords(plan, dossier.isPlanCut, part);
  const title = isOnly ? "" : html`<h2 class="mono part-title" id="${id}-title">${dossier.id}</h2>`;
  return html`${title}${demandSection(dossier, content, part)}${peopleSection(dossier, content, part)}${weeksSection(content, part)}${openSection(content, part)}${plan !== null && !isDrawn ? section(part, "text", texts.planText, words) : ""}${risksSection(dossier, part)}
${plan !== null && isDrawn ? html`<details><summary>${texts.planText}</summary>${words}</details>` : ""}${evidence(dossier, part)}`;
}

/**
 * Draws the folded section that says what happened and when. The section shows no hash of the text, because anybody
 * could find a masked telephone number by hashing all numbers.
 */
function evidence(dossier: Dossier, part: Part): Html {
  const { texts } = part;
  const { id, subIds, risks } = dossier;
  const rows = [
    html`<div><dt>${texts.negotiation}</dt><dd class="mono">${id}</dd></div>`,
    ...subIds.map((sub) => html`<div><dt>${texts.sub}</dt><dd class="mono">${sub}</dd></div>`),
    ...risks.map(
      ({ code, evidence_path: path }) => html`<div><dt>${texts.risk}</dt><dd class="mono">${code} · ${path}</dd></div>`,
    ),
  ];
  return html`<details><summary>${texts.evidence} <span class="mu">${texts.evidenceHolds}</span></summary><dl class="ev">${rows}</dl>${momentRows(dossier, part)}</details>`;
}

function comparison(dossiers: readonly Dossier[], contents: readonly Content[], texts: ReportTexts): Html {
  const rows = dossiers.map(({ id, counts }, index) => {
    return html`<tr><th scope="row"><a href="#n${index + 1}-demand" class="mono">${id}</a></th><td>${contents[index]?.lead}</td><td>${counts.received}/${counts.total}</td></tr>`;
  });
  return html`<table class="cmp"><thead><tr><th scope="col">${texts.negotiation}</th><th scope="col">${texts.stateHead}</th><th scope="col">${texts.offer}</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Draws the merged graph of all negotiations as an SVG file. */
export const reportSvg = (dossiers: readonly Dossier[], lang: "zh" | "en"): string =>
  `${graphSvg(mergedGraphOf(dossiers), reportTexts(lang), { isFile: true })}\n`;
