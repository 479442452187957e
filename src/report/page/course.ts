import { html, raw } from "hono/html";
import { type Block, type Run, readMarkdown } from "../../markdown.ts";
import { inTurns } from "../../turn.ts";
import type { Content } from "../content.ts";
import { type Html, type Part, section } from "./part.ts";

/** This file draws the parts of the page about the plan: its weeks or steps, what is still open, and its own text. */

/** Draws the weeks of the plan, or its numbered steps if it names no week. Empty if it has neither. */
export function weeksSection({ weeks, steps }: Content, part: Part): Html | string {
  if (weeks.length + steps.length === 0) return "";
  const { texts } = part;
  const named = [
    ...weeks.map(({ from, to, ...rest }) => ({ title: texts.week(from, to), ...rest })),
    ...steps.map((step, index) => ({ title: `${index + 1}`, ...step })),
  ];
  const rows = named.map(
    ({ title, text, isOwn }) =>
      html`<tr><th scope="row">${title}</th><td>${text}</td><td class="mu">${isOwn ? texts.withYou : ""}</td></tr>`,
  );
  const heading = weeks.length > 0 ? texts.weeks : texts.stepByStep;
  return section(part, "weeks", heading, html`<table class="wk"><tbody>${rows}</tbody></table>`);
}

/** Draws the tasks that nobody takes and what else the plan leaves open. Empty if nothing is open. */
export function openSection({ gaps, open }: Content, part: Part): Html | string {
  if (gaps.length + open.length === 0) return "";
  const items = [...gaps, ...open].map((line) => html`<li>${line}</li>`);
  return section(part, "open", part.texts.open, html`<ul class="op">${items}</ul>`);
}

/** Draws the plan's own Markdown. What lies beyond the limit of the Markdown reader is shown as plain text. */
export async function planWords(plan: string, isCut: boolean, { texts }: Part): Promise<Html> {
  const { blocks, rest } = await inTurns(readMarkdown(plan));
  const more = [
    rest === "" ? "" : html`<div class="rest">${rest}</div>`,
    isCut ? html`<p class="mu">${texts.planCut}</p>` : "",
  ];
  return html`<div class="md">${drawBlocks(blocks, 3)}${more}</div>`;
}
const MAX_LEVEL = 6;

/**
 * Draws the blocks of a plan as HTML without links, pictures or scripts. Headings begin at level `under`, so that
 * they stay below the headings of the page.
 */
export function drawBlocks(blocks: readonly Block[], under: number): Html[] {
  let [above, first] = [under - 1, 0];
  const heading = (level: number, runs: readonly Run[]): Html => {
    first ||= level;
    // A plan may skip a heading level, but the outline of the page must have no gap.
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
