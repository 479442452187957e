import { html } from "hono/html";
import type { ReportTexts } from "../../text/report.ts";
import type { Coverage } from "../coverage.ts";
import type { Dossier } from "../dossier.ts";
import { type Html, listed, type Part, section } from "./part.ts";

/** This file draws the parts of the page about risks, and about the needs that the reader listed. */

const MAX_NAMES = 6;

/** Draws the list of risks. Empty if there are none. */
export function risksSection({ risks }: Dossier, part: Part): Html | string {
  if (risks.length === 0) return "";
  const { texts } = part;
  const items = risks.map(
    ({ severity, reason, follow_up: next }) =>
      html`<li class="${severity}"><b>${texts.severity[severity]}</b> ${reason}${next === undefined ? "" : html` <span class="mu">${next}</span>`}</li>`,
  );
  return section(part, "risks", texts.risks, html`<ul class="risk">${items}</ul>`);
}

/**
 * Draws a table of the needs that the reader listed and the agents whose offers name them. Empty if the reader listed
 * none.
 */
export function coverageSection(
  { rows, basis, more }: Coverage,
  dossiers: readonly Dossier[],
  texts: ReportTexts,
): Html | string {
  if (basis !== "given" || rows.length === 0) return "";
  const nameOf = new Map(dossiers.flatMap(({ agents }) => agents.map(({ id, name }) => [id, name])));
  const lines = rows.map(({ need, by, more_agents }) => {
    if (by.length === 0) return html`<tr class="gapr"><th scope="row">${need}</th><td>${texts.nobodyYet}</td></tr>`;
    const ids = [...new Set(by.map(({ agent_id }) => agent_id))];
    const left = Math.max(0, ids.length - MAX_NAMES) + more_agents;
    const names = ids.slice(0, MAX_NAMES).map((id) => nameOf.get(id) ?? id);
    return html`<tr><th scope="row">${need}</th><td>${listed([...names, ...(left > 0 ? [texts.graphMore(left)] : [])], texts)}</td></tr>`;
  });
  return html`<section id="coverage" aria-labelledby="coverage-h"><h2 id="coverage-h">${texts.coverage}</h2><p class="xs mu">${texts.basis.given}</p><table class="ppl two"><thead><tr><th scope="col">${texts.need}</th><th scope="col">${texts.name}</th></tr></thead><tbody>${lines}</tbody></table>${more > 0 ? html`<p class="xs mu">${texts.moreRows(more)}</p>` : ""}</section>`;
}
