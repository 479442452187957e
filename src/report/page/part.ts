import { html } from "hono/html";
import { BASE } from "../../style/base.ts";
import { MAP } from "../../style/map.ts";
import { PLAN } from "../../style/plan.ts";
import { TOKENS } from "../../style/tokens.ts";
import { joinList } from "../../text/join.ts";
import type { ReportTexts } from "../../text/report.ts";
import { GRAPH_STYLE } from "./graph-svg.ts";

export type Html = ReturnType<typeof html>;

/** One negotiation's part of the page. */
export interface Part {
  /** Before every id in it. */
  id: string;
  /** Whether it is the only one; else its title is a part of each section's name. */
  isOnly: boolean;
  texts: ReportTexts;
  /** A moment as the person reads it. */
  timeOf: (atMs: number) => string;
}

export interface SectionOptions {
  heading: string;
  /** Stands on the page itself, since cards stand in it. */
  isPlain?: boolean;
}

/** A section with its heading; `name` makes its id. */
export const section = (
  part: Part,
  name: string,
  { heading, isPlain = false }: SectionOptions,
  body: unknown,
): Html => {
  const id = `${part.id}-${name}`;
  const label = part.isOnly ? `${id}-h` : `${part.id}-title ${id}-h`;
  return html`<section class="${isPlain ? "" : "card blk "}sec" id="${id}" aria-labelledby="${label}"><h2 id="${id}-h">${heading}</h2>
${body}</section>`;
};

export const listed = (names: readonly string[], { lang }: ReportTexts): string => joinList(names, lang);

const REPORT = `main{padding-bottom:var(--7)}
.sec>h2{margin-bottom:var(--2)}.part-title{font-size:15px;margin-top:var(--6)}.head{padding-block:var(--5) var(--4)}.head p{color:var(--muted);margin-top:2px}.head strong{color:var(--me)}
.sec{margin-top:var(--4)}.grid{display:grid;grid-template-columns:minmax(0,7fr) minmax(0,5fr);gap:var(--4)}.grid>*{min-width:0}
.text{font:var(--l) var(--sans);white-space:pre-wrap;margin-top:var(--2)}
.share{display:flex;height:4px;gap:2px;margin-block:var(--2)}.share i{background:var(--ink)}.share i+i{background:var(--add)}
del{color:var(--muted);text-decoration:line-through;text-decoration-thickness:1px}
.line{display:grid;grid-template-columns:auto 1fr;gap:var(--1) var(--4);font:var(--s) var(--sans)}.line time{color:var(--muted);white-space:nowrap}
.who{display:grid;grid-template-columns:minmax(0,1fr) 240px;gap:var(--5);align-items:start}
.list li{display:grid;grid-template-columns:16px 1fr auto;gap:0 var(--3);align-items:center;padding:6px 0}.list .st{grid-column:2/-1;font:var(--xs) var(--sans);color:var(--muted)}.list .of .st{color:var(--accent)}.list .gone .nm{color:var(--muted)}
.bead{width:12px;height:12px;border-radius:50%;border:2px solid var(--ink)}.of .bead{background:var(--accent);border-color:var(--accent)}.gone .bead{border-color:var(--edge);background:var(--line)}
.map .narrow{display:none}.map svg{max-width:600px;margin-inline:auto}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(264px,1fr));gap:var(--3)}
.offer{padding:var(--4)}.offer p{margin-top:var(--3);white-space:pre-wrap}.offer .meter{height:4px;background:var(--sunk);border-radius:2px;margin-top:var(--3)}.offer .meter i{display:block;height:100%;background:var(--accent);border-radius:2px}
.scroll{overflow-x:auto}.rows td,.rows th{text-align:start;padding:8px 12px 8px 0;width:auto;vertical-align:top}.rows thead th{text-align:start;white-space:nowrap}
.steps{display:grid;grid-template-columns:repeat(auto-fill,minmax(220px,1fr));gap:var(--3);margin-top:var(--3)}.steps li{padding:var(--3) var(--4)}.steps h4{margin:0;font:600 var(--m) var(--sans)}.steps .s{margin-top:var(--1)}.steps .me{border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}.steps .nobody{border-color:var(--me);border-style:dashed}.steps .nobody .by{color:var(--me);font-weight:600}
.weeks.n{grid-template-columns:repeat(var(--n,5),minmax(120px,1fr));margin-top:var(--3)}
.risk li{padding:10px 0;border-top:1px solid var(--line);font:var(--s) var(--sans);display:grid;grid-template-columns:88px 1fr auto;gap:var(--1) var(--4)}.risk li:first-child{border-top:0}.risk .sev{font-weight:600}.risk .high .sev,.risk .medium .sev{color:var(--me)}.risk .code{color:var(--muted);grid-column:2}
.open li{padding:4px 0 4px 20px;font:var(--s) var(--sans);position:relative}.open li::before{content:"";position:absolute;left:0;top:8px;width:10px;height:10px;border:1.5px solid var(--edge);border-radius:3px}
.md{margin-top:var(--2);max-width:68ch;line-height:24px}.md>*+*{margin-top:var(--3)}.md ul,.md ol{padding-inline-start:var(--5);list-style:revert}.md li+li{margin-top:var(--1)}.md blockquote{padding-inline-start:var(--4);border-inline-start:2px solid var(--line);color:var(--muted)}.md pre{overflow-x:auto;background:var(--sunk);padding:var(--3);border-radius:var(--r1);white-space:pre-wrap}.md code{font-family:var(--mono);font-size:.93em}.md th,.md td{padding:6px 10px 6px 0;text-align:start;width:auto}.gap td.g{width:auto;white-space:nowrap;padding-inline:var(--3)}.md :is(h3,h4,h5,h6)+*{margin-top:var(--1)}.md h3,.md h4,.md h5,.md h6{font:600 var(--m) var(--sans)}.md :is(h3,h4,h5,h6){margin-bottom:0}.md .rest{white-space:pre-wrap}.md hr{border:0;border-top:1px solid var(--line)}
.foot{margin-top:var(--6);padding-top:var(--3);border-top:1px solid var(--line);font:var(--xs) var(--sans);color:var(--muted);display:grid;gap:var(--1)}
.gr{display:block;min-width:680px;width:100%;max-width:892px;height:auto}
:target{outline:2px solid var(--accent);outline-offset:2px;border-radius:var(--r2)}
@media (max-width:900px){.grid,.who{grid-template-columns:minmax(0,1fr)}}
@media (max-width:720px){.text{font:17px/29px var(--sans)}.has-narrow .wide{display:none}.has-narrow .narrow{display:block}.weeks.n{grid-template-columns:1fr}.risk li{grid-template-columns:1fr}.risk .code{grid-column:1}.top .opt{display:none}}
@media print{:root{--bg:#fff;--shadow:none}
  body{font-size:11pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}.wrap{max-width:none;padding:0}.card,.offer,.steps li,.risk li,.list li,tr,figure{break-inside:avoid}h2{break-after:avoid}.grid,.who{grid-template-columns:minmax(0,1fr)}.scroll{overflow:visible}.who .list{columns:2}.card:has(.md),.card:has(.gr),.card:has(tbody tr:nth-child(9)){break-inside:auto}}
@page{margin:14mm}
`;

/** All that the report is drawn with; nothing is fetched. */
export const STYLE = `${TOKENS}${BASE}${PLAN}${MAP}${GRAPH_STYLE}${REPORT}`;
