import { html, raw } from "hono/html";
import { type Block, type Run, readMarkdown } from "../../markdown.ts";
import { inTurns } from "../../turn.ts";
import type { DatedWeek, Outline, Task } from "../../view/plan.ts";
import type { Dossier } from "../dossier.ts";
import { type Html, listed, type Part, section } from "./part.ts";

/** The plan: who does what, when, what is mine, what is open, and its own words. */

const isEmpty = (plan: string | null): plan is null => plan === null || plan.trim() === "";

export function planSection({ plan, outline, agents }: Dossier, part: Part): Html {
  const { texts } = part;
  const heading = texts.plan;
  if (isEmpty(plan)) return section(part, "plan", { heading }, html`<p class="mu">${texts.noPlan}</p>`);
  const nameOf = new Map(agents.map(({ id, name }) => [id, name]));
  const parts = [tasks(outline, nameOf, part), weeks(outline, nameOf, part)];
  const beside = [ownPart(outline, part), openPoints(outline, part)].filter((one) => one !== "");
  if (beside.length > 0) parts.push(html`<div class="grid sec">${beside}</div>`);
  // A plan without steps, weeks or open points is read in its own words; what leads to it still does.
  if (parts.every((one) => one === "")) return html`<span id="${part.id}-plan"></span>`;
  return section(part, "plan", { heading, isPlain: true }, parts);
}

/** The whole of it, as it was written. */
export async function planTextSection({ plan, isPlanCut }: Dossier, part: Part): Promise<Html | string> {
  if (isEmpty(plan)) return "";
  const { texts } = part;
  const { blocks, rest } = await inTurns(readMarkdown(plan));
  const more = [
    rest === "" ? "" : html`<div class="rest">${rest}</div>`,
    isPlanCut ? html`<p class="mu">${texts.planCut}</p>` : "",
  ];
  return section(
    part,
    "text",
    { heading: texts.planText },
    html`<div class="md">${drawBlocks(blocks, 3)}${more}</div>`,
  );
}

type Names = ReadonlyMap<string, string>;

function tasks({ tasks: list }: Outline, nameOf: Names, { texts }: Part): Html | string {
  if (list.length === 0) return "";
  const cards = list
    .toSorted((a, b) => a.step - b.step)
    .map(({ title, step, cover, assignee, description }: Task) => {
      const by = cover === "own" ? texts.you : assignee === undefined ? texts.unassigned : nameOf.get(assignee);
      const kind = { gap: "nobody", own: "me", agent: "" }[cover];
      const words = description === "" ? "" : html`<p class="s mu">${description}</p>`;
      return html`<li class="card ${kind}"><span class="xs mu">${texts.step(step)}</span><h4>${title}</h4><p class="s by">${by}</p>${words}</li>`;
    });
  return html`<h3 class="vh">${texts.team}</h3><ol class="steps">${cards}</ol>`;
}

function weeks({ weeks: list }: Outline, nameOf: Names, part: Part): Html | string {
  if (list.length === 0) return "";
  const { texts } = part;
  const items = list.map((week) => weekItem(week, nameOf, part));
  return html`<div class="card blk sec"><h3 class="s">${texts.weeks}</h3><div class="scroll" tabindex="0" role="group" aria-label="${texts.weeks}"><ol class="weeks n" style="--n:${list.length}">${items}</ol></div></div>`;
}

function weekItem({ from, to, text, who, isOwn }: DatedWeek, nameOf: Names, { texts }: Part): Html {
  const names = [...who.map((id) => nameOf.get(id) ?? id), ...(isOwn ? [texts.you] : [])];
  return html`<li class="${isOwn ? "mine" : ""}"><b>${texts.week(from, to)}</b><span>${text}</span><span class="mu">${listed(names, texts)}</span></li>`;
}

function ownPart({ own, basis }: Outline, { texts }: Part): Html | string {
  if (own.length === 0) return "";
  const note = basis === "tasks" ? "" : html`<p class="xs mu">${texts.mineFromWords}</p>`;
  return html`<div class="card blk part"><h3 class="s">${texts.mine}</h3>${note}<ul>${own.map(({ line }) => html`<li>${line}</li>`)}</ul></div>`;
}

function openPoints({ open }: Outline, { texts }: Part): Html | string {
  if (open.length === 0) return "";
  return html`<div class="card blk"><h3 class="s">${texts.open}</h3><ul class="open">${open.map((line) => html`<li>${line}</li>`)}</ul></div>`;
}

const MAX_LEVEL = 6;

/**
 * Blocks of a plan as HTML that loads nothing, leads nowhere and runs nothing. Its headings begin at `under`, so that they
 * stand below the page's own.
 */
export function drawBlocks(blocks: readonly Block[], under: number): Html[] {
  let [above, first] = [under - 1, 0];
  const heading = (level: number, runs: readonly Run[]): Html => {
    first ||= level;
    // A level that the plan leaves out is left out of the page's outline too.
    above = Math.min(above + 1, Math.max(under, level - first + under), MAX_LEVEL);
    return element(`h${above}`, drawRuns(runs));
  };
  const drawn = (block: Block): Html => {
    if (block.kind === "heading") return heading(block.level, block.runs);
    if (block.kind === "paragraph") return html`<p>${drawRuns(block.runs)}</p>`;
    if (block.kind === "code") return html`<pre><code>${block.text}</code></pre>`;
    if (block.kind === "rule") return html`<hr>`;
    if (block.kind === "quote") return html`<blockquote>${block.blocks.map(drawn)}</blockquote>`;
    if (block.kind === "table") return drawTable(block.rows);
    const items = block.items.map(
      (item) =>
        html`<li>${item.map((one, i) => (i === 0 && one.kind === "paragraph" ? drawRuns(one.runs) : drawn(one)))}</li>`,
    );
    return block.start === null ? html`<ul>${items}</ul>` : html`<ol start="${block.start}">${items}</ol>`;
  };
  return blocks.map(drawn);
}

function drawTable([head = [], ...rows]: readonly Run[][][]): Html {
  const row = (cells: readonly Run[][], name: "th" | "td") =>
    html`<tr>${cells.map((cell) => element(name, drawRuns(cell)))}</tr>`;
  return html`<table><thead>${row(head, "th")}</thead><tbody>${rows.map((cells) => row(cells, "td"))}</tbody></table>`;
}

const drawRuns = (runs: readonly Run[]): (Html | string)[] =>
  runs.map(({ text, looks }) => looks.reduceRight<Html | string>((inner, look) => element(look, inner), text));

const element = (name: string, inner: unknown): Html => html`${raw(`<${name}>`)}${inner}${raw(`</${name}>`)}`;
