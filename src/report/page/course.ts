import { html, raw } from "hono/html";
import { micromark } from "micromark";
import { gfmTable, gfmTableHtml } from "micromark-extension-gfm-table";
import { inTurns, type Steps } from "../../turn.ts";
import type { Dossier } from "../dossier.ts";
import type { DatedWeek, Outline, Task } from "../outline.ts";
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
  const { html: written, rest } = await inTurns(renderMarkdown(plan, 3));
  const more = [
    rest === "" ? "" : html`<div class="rest">${rest}</div>`,
    isPlanCut ? html`<p class="mu">${texts.planCut}</p>` : "",
  ];
  return section(part, "text", { heading: texts.planText }, html`<div class="md">${raw(written)}${more}</div>`);
}

type Names = ReadonlyMap<string, string>;

function tasks({ tasks: list, own }: Outline, nameOf: Names, { texts }: Part): Html | string {
  if (list.length === 0) return "";
  const cards = list
    .toSorted((a, b) => a.step - b.step)
    .map(({ id, title, step, assignee, description }: Task) => {
      const by = assignee === undefined ? texts.unassigned : (nameOf.get(assignee) ?? texts.you);
      const kind = assignee === undefined ? "nobody" : own.includes(title) ? "me" : "";
      const words = description === "" ? "" : html`<p class="s mu">${description}</p>`;
      return html`<li class="card ${kind}"><span class="xs mu">${texts.step(step)}</span><h4>${title || id}</h4><p class="s by">${by}</p>${words}</li>`;
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
  return html`<div class="card blk part"><h3 class="s">${texts.mine}</h3>${note}<ul>${own.map((line) => html`<li>${line}</li>`)}</ul></div>`;
}

function openPoints({ open }: Outline, { texts }: Part): Html | string {
  if (open.length === 0) return "";
  return html`<div class="card blk"><h3 class="s">${texts.open}</h3><ul class="open">${open.map((line) => html`<li>${line}</li>`)}</ul></div>`;
}

/** Of a plan, in UTF-16 units, so much is read as Markdown. */
const MAX_MARKDOWN = 24_000;
/** And so much in one step, where its lines allow; some texts cost the square of their length. */
const MAX_PIECE = 4_000;
/** So many runs of stars and underscores: each that closes nothing is compared with all before it. */
const MAX_EMPHASIS_MARKS = 1_000;
const EMPHASIS_MARKS = /\*+|_+/g;
/** Of quotes and lists in each other on one line, the seventh is text: nobody writes more, and a browser draws no more. */
const DEEP =
  /^(?![ \t]*([-*])(?:[ \t]*\1)*[ \t]*$)((?:[ \t]*(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t]))){6}[ \t]*\d{0,9})([>.)*+-])/gm;
const FENCE = /^ {0,3}(?:`{3}|~{3})/;
const MAX_LEVEL = 6;
const HEADING = /<h([1-6])>(.*?)<\/h\1>/gs;

/** No HTML, no picture and no link: what they are written with is shown as it stands. */
const WITHOUT = ["htmlFlow", "htmlText", "labelStartImage", "labelStartLink", "autolink", "definition"];
const optionsWithout = (constructs: string[]) => ({
  extensions: [gfmTable(), { disable: { null: constructs } }],
  htmlExtensions: [gfmTableHtml()],
});
const OPTIONS = optionsWithout(WITHOUT);
const WITHOUT_EMPHASIS = optionsWithout([...WITHOUT, "attention"]);

/**
 * A plan's Markdown as HTML that loads nothing, leads nowhere and runs nothing. Its headings begin at `under`, so that
 * they stand below the page's own.
 *
 * @returns the HTML, and the text behind what is read as Markdown
 */
export function* renderMarkdown(text: string, under: number): Steps<{ html: string; rest: string }> {
  const end = text.length <= MAX_MARKDOWN ? text.length : cutAt(text);
  let [above, first, html] = [under - 1, 0, ""];
  for (let from = 0; from < end; ) {
    const piece = text.slice(from, from + endOfPiece(text.slice(from, end)));
    html += htmlOf(piece).replaceAll(HEADING, (_, level: string, words: string) => {
      if (words.trim() === "") return "";
      first ||= Number(level);
      // A level that the plan leaves out is left out of the page's outline too.
      above = Math.min(above + 1, Math.max(under, Number(level) - first + under), MAX_LEVEL);
      return `<h${above}>${words}</h${above}>`;
    });
    from += piece.length;
    yield;
  }
  return { html, rest: text.slice(end) };
}

function htmlOf(piece: string): string {
  const hasEmphasis = (piece.match(EMPHASIS_MARKS)?.length ?? 0) <= MAX_EMPHASIS_MARKS;
  return micromark(piece.replace(DEEP, "$2\\$3"), hasEmphasis ? OPTIONS : WITHOUT_EMPHASIS);
}

/** The last line that ends within the limit. */
function cutAt(text: string): number {
  const line = text.lastIndexOf("\n", MAX_MARKDOWN);
  return line > 0 ? line : MAX_MARKDOWN;
}

/** Between two blocks; where the first is longer than a piece, at the end of a line. */
function endOfPiece(text: string): number {
  if (text.length <= MAX_PIECE) return text.length;
  let [end, at, isCode, wasBlank] = [0, 0, false, false];
  for (const line of text.slice(0, MAX_PIECE).split("\n")) {
    if (wasBlank && !isCode && /^\S/.test(line)) end = at;
    if (FENCE.test(line)) isCode = !isCode;
    wasBlank = line.trim() === "";
    at += line.length + 1;
  }
  const lineEnd = text.lastIndexOf("\n", MAX_PIECE) + 1 || text.indexOf("\n", MAX_PIECE) + 1;
  return end || lineEnd || text.length;
}
