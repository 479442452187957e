import { html, raw } from "hono/html";
import { withMasksIn } from "../../safety/pii/masks.ts";
import { mark } from "../../style/mark.ts";
import { type ReportTexts, reportTexts } from "../../text/report.ts";
import { turn } from "../../turn.ts";
import { coverageOf } from "../coverage.ts";
import type { Dossier } from "../dossier.ts";
import { mergedGraphOf } from "../graph/merge.ts";
import { planSection, planTextSection } from "./course.ts";
import { demandSection, timelineSection, trailSection } from "./demand.ts";
import { coverageSection, risksSection, uncovered } from "./findings.ts";
import { graphSvg } from "./graph-svg.ts";
import { type Html, type Part, section } from "./part.ts";
import { offersSection, resonanceSection } from "./people.ts";
import REPORT_CSS from "./report.css";

/** What a report says besides the negotiations, in every format. */
export interface ReportOptions {
  lang: "zh" | "en";
  /** Whose negotiations these are: the backend's host. */
  host: string;
  /** When the report is made, in ms since the epoch. */
  madeAt: number;
  /** A time of day with its date, as the person reads it. */
  timeOf: (atMs: number) => string;
  /** What is needed, where somebody listed it. */
  needs: readonly string[];
  /** Whether contact data is masked in the dossiers. */
  isMasked: boolean;
}

/**
 * One self-contained page about one or several negotiations: it is read without a script, loads nothing, and prints.
 * Whatever others wrote stands in it as text.
 */
export async function reportPage(collected: readonly Dossier[], options: ReportOptions): Promise<string> {
  const dossiers = withMasksIn(options.lang, collected);
  const texts = reportTexts(options.lang);
  const coverage = coverageOf(dossiers, options.needs);
  const [first] = dossiers;
  const isOne = dossiers.length === 1;
  const covered = coverageSection(coverage, dossiers, texts);
  const gaps = uncovered(coverage, dossiers, texts);
  const sections: Html[] = [];
  for (const [index, dossier] of dossiers.entries()) {
    sections.push(
      await negotiationPart(dossier, isOne ? covered : "", {
        id: `n${index + 1}`,
        isOnly: isOne,
        texts,
        timeOf: options.timeOf,
      }),
    );
    await turn();
  }
  const page = html`<!doctype html>
<html lang="${texts.lang === "zh" ? "zh-CN" : "en"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${texts.title}${isOne && first ? ` · ${first.id}` : ""}</title><style>${raw(REPORT_CSS)}</style></head>
<body><header class="wrap"><div class="top">${raw(mark())}<b>${texts.brand}</b><span class="mu">${texts.title}</span><span class="sep opt" aria-hidden="true">/</span><span class="mono opt">${isOne && first ? first.id : texts.several(dossiers.length)}</span><span class="pill mono push">${options.host}</span></div></header>
<main class="wrap"><div class="head"><h1>${isOne ? texts.title : texts.titleOf(texts.several(dossiers.length))}</h1><p>${isOne && first ? first.summary : ""} ${gaps === undefined ? "" : html`<strong>${gaps}</strong>`}</p></div>
${isOne ? "" : comparisonSection(dossiers, texts)}
${isOne ? "" : covered}${sections}
${graphSection(dossiers, texts)}
<footer class="foot"><p>${texts.meta(options.timeOf(options.madeAt), options.host)}</p><p>${options.isMasked ? texts.masked : texts.notMasked}</p><p>${texts.foot}</p></footer></main></body></html>`;
  return `${await page}\n`;
}

/** `covered`: who covers what is needed, where this is the only negotiation. */
async function negotiationPart(dossier: Dossier, covered: Html | string, part: Part): Promise<Html> {
  const { id, isOnly, texts } = part;
  const title = isOnly ? "" : html`<h2 class="mono part-title" id="${id}-title">${dossier.id}</h2>`;
  const subs =
    dossier.subIds.length === 0
      ? ""
      : section(
          part,
          "subs",
          { heading: texts.subs },
          html`<ul class="mono s">${dossier.subIds.map((sub) => html`<li>${sub}</li>`)}</ul>`,
        );
  return html`${title}<div class="grid">${await demandSection(dossier, part)}${timelineSection(dossier, part)}</div>
${dossier.risks.length === 0 ? "" : risksSection(dossier, part)}${planSection(dossier, part)}${covered}${resonanceSection(dossier, part)}${offersSection(dossier, part)}${await planTextSection(dossier, part)}
<div class="${dossier.risks.length === 0 ? "grid" : ""}">${dossier.risks.length === 0 ? risksSection(dossier, part) : ""}${trailSection(dossier, part)}</div>${subs}`;
}

function comparisonSection(dossiers: readonly Dossier[], texts: ReportTexts): Html {
  const rows = dossiers.map(({ id, summary, counts, risks }, index) => {
    return html`<tr><th scope="row"><a href="#n${index + 1}-demand" class="mono">${id}</a></th><td>${summary}</td><td>${counts.received}/${counts.total}</td><td>${risks.length}</td></tr>`;
  });
  return html`<section class="card blk sec" aria-labelledby="compared"><h2 id="compared">${texts.comparison}</h2><div class="scroll" tabindex="0" role="group" aria-labelledby="compared"><table class="rows"><thead><tr><th scope="col">ID</th><th scope="col">${texts.stateHead}</th><th scope="col">${texts.offer}</th><th scope="col">${texts.risks}</th></tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

function graphSection(dossiers: readonly Dossier[], texts: ReportTexts): Html {
  return html`<section class="card blk sec" aria-labelledby="graph"><h2 id="graph">${texts.graph}</h2><div class="scroll" tabindex="0" role="group" aria-labelledby="graph">${graphSvg(mergedGraphOf(dossiers), texts)}</div></section>`;
}

/** The graph alone, as a picture of its own. */
export const reportSvg = (dossiers: readonly Dossier[], lang: "zh" | "en"): string =>
  `${graphSvg(mergedGraphOf(dossiers), reportTexts(lang), { isFile: true })}\n`;
