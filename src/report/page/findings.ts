import { html } from "hono/html";
import { byCodeUnits } from "../../by-code-units.ts";
import type { ReportTexts } from "../../text/report.ts";
import { byResonance } from "../../view/agents.ts";
import { type Claim, type Coverage, type CoverageRow, gapsOf } from "../coverage.ts";
import type { Agent, Dossier } from "../dossier.ts";
import { type Html, listed, type Part, section } from "./part.ts";

/** Who covers what is needed, and what calls for a second look. */

const MAX_PEOPLE = 8;
const MAX_NAMES = 6;
const DOTS: Readonly<Record<Claim, string>> = { task: "lead", own: "lead", capability: "lead", text: "help" };

export function coverageSection(coverage: Coverage, dossiers: readonly Dossier[], texts: ReportTexts): Html | string {
  if (coverage.rows.length === 0 || !isKnown(dossiers)) return "";
  const people = peopleIn(coverage, dossiers, texts);
  const body = people.length <= MAX_PEOPLE ? matrix(coverage, people, texts) : listing(coverage, people, texts);
  return html`<section class="card blk sec" id="coverage" aria-labelledby="coverage-h"><div class="row" style="flex-wrap:wrap"><h2 id="coverage-h">${texts.coverage}</h2><p class="legend push">${legend(coverage, texts)}</p></div>
<p class="xs mu">${texts.basis[coverage.basis]}</p><div class="scroll" tabindex="0" role="group" aria-labelledby="coverage-h">${body}</div>${coverage.more > 0 ? html`<p class="xs mu">${texts.moreRows(coverage.more)}</p>` : ""}</section>`;
}

function legend({ rows }: Coverage, texts: ReportTexts): Html[] {
  const claims = [...new Set(rows.flatMap(({ by }) => by.map(({ claim }) => claim)))].sort(byCodeUnits);
  return claims.map(
    (claim) => html`<span><span class="dot ${DOTS[claim]}" aria-hidden="true"></span> ${texts.claims[claim]}</span>`,
  );
}

type Named = Pick<Agent, "id" | "name">;

/** Those that a row names, by resonance, each once, and the person behind them. */
function peopleIn({ rows }: Coverage, dossiers: readonly Dossier[], texts: ReportTexts): Named[] {
  const claims = rows.flatMap(({ by }) => by);
  const own = claims.find(({ claim }) => claim === "own")?.agent_id;
  const named = new Set(claims.map(({ agent_id }) => agent_id));
  const all = byResonance(dossiers.flatMap(({ agents }) => agents)).filter(({ id }) => named.has(id) && id !== own);
  const people = new Map(all.map(({ id, name }) => [id, { id, name }]));
  return [...people.values(), ...(own === undefined ? [] : [{ id: own, name: texts.you }])];
}

function matrix({ rows }: Coverage, people: readonly Named[], texts: ReportTexts): Html {
  const head = people.map(({ name }) => html`<th scope="col">${name}</th>`);
  return html`<table><thead><tr><th scope="col">${texts.need}</th>${head}</tr></thead><tbody>${rows.map((row) =>
    row.by.length === 0
      ? gap(row, Math.max(1, people.length), texts)
      : html`<tr><th scope="row">${row.need}</th>${people.map(({ id }) => cell(row, id, texts))}</tr>`,
  )}</tbody></table>`;
}

const gap = ({ need }: CoverageRow, span: number, texts: ReportTexts): Html =>
  html`<tr class="gap"><th scope="row">${need}</th><td class="g" colspan="${span}">${texts.nobodyYet}</td></tr>`;

function cell({ by }: CoverageRow, id: string, texts: ReportTexts): Html {
  const claim = by.find(({ agent_id }) => agent_id === id)?.claim;
  const [dot, words] = claim === undefined ? ["none", texts.not] : [DOTS[claim], texts.claims[claim]];
  return html`<td><span class="dot ${dot}" aria-hidden="true"></span><span class="vh">${words}</span></td>`;
}

function listing({ rows }: Coverage, people: readonly Named[], texts: ReportTexts): Html {
  const nameOf = new Map(people.map(({ id, name }) => [id, name]));
  return html`<table class="rows"><thead><tr><th scope="col">${texts.need}</th><th scope="col">${texts.name}</th></tr></thead><tbody>${rows.map(
    (row) => {
      if (row.by.length === 0) return gap(row, 1, texts);
      const ids = [...new Set(row.by.map(({ agent_id }) => agent_id))];
      const shown = ids.slice(0, MAX_NAMES).map((id) => nameOf.get(id) ?? id);
      const left = ids.length - shown.length + row.more_agents;
      const more = left > 0 ? [texts.graphMore(left)] : [];
      return html`<tr><th scope="row">${row.need}</th><td>${listed([...shown, ...more], texts)}</td></tr>`;
    },
  )}</tbody></table>`;
}

/** Before there is an offer nobody can cover anything. */
const isKnown = (dossiers: readonly Dossier[]): boolean =>
  dossiers.some(({ ending, counts }) => counts.received > 0 || ending !== null);

/** How many needs nobody covers, as a sentence; once all is over. */
export function uncovered(coverage: Coverage, dossiers: readonly Dossier[], texts: ReportTexts): string | undefined {
  if (dossiers.some(({ ending }) => ending === null)) return undefined;
  const gaps = gapsOf(coverage).length;
  return gaps === 0 ? undefined : texts.uncovered(gaps);
}

export function risksSection({ risks, agents }: Dossier, part: Part): Html {
  const { id, texts } = part;
  const items = risks.map(({ code, severity, reason, follow_up: next, evidence_path: path }) => {
    const link = html`<a href="#${anchorOf(path, id, agents.length)}">${texts.evidence}<span class="vh"> (${code})</span></a>`;
    return html`<li class="${severity}"><span class="sev">${texts.severity[severity]}</span><span>${reason}${next === undefined ? "" : html` <span class="mu">${next}</span>`}</span>${link}<span class="code mono xs">${code} · ${path}</span></li>`;
  });
  const body = items.length === 0 ? html`<p class="mu">${texts.noRisks}</p>` : html`<ul class="risk">${items}</ul>`;
  return section(part, "risks", { heading: texts.risks }, body);
}

/** Where on the page the evidence of a JSON pointer stands. */
export function anchorOf(pointer: string, id: string, agents: number): string {
  const [, field, index] = pointer.split("/");
  if (field === "participants" && index !== undefined && /^\d+$/.test(index) && Number(index) < agents)
    return `${id}-participants-${Number(index)}`;
  if (field === "participants") return `${id}-offers`;
  if (field === "plan_output" || field === "center_rounds") return `${id}-plan`;
  if (field === "demand_raw" || field === "demand_formulated") return `${id}-demand`;
  if (field === "sub_session_ids") return `${id}-subs`;
  return `${id}-timeline`;
}
