import { html } from "hono/html";
import { toIsoSeconds } from "../../home/iso-time.ts";
import type { ReportTexts } from "../../text/report.ts";
import { inOneLine, isWord, type Passage } from "../../view/authorship.ts";
import type { HistoryEvent } from "../../view/course.ts";
import type { Dossier } from "../dossier.ts";
import { type Html, type Part, section } from "./part.ts";

/** What was asked for, what became of it, and who decided. */

const DECISIONS: readonly HistoryEvent["what"][] = ["accept", "edit", "reject", "cancel", "withdraw"];

export function demandSection({ demand }: Dossier, part: Part): Html {
  const { texts } = part;
  const body = demand.parts === null ? twoTexts(demand, texts) : marked(demand.parts, demand, texts);
  return section(part, "demand", { heading: texts.demand }, body);
}

function twoTexts({ raw, formulated, by }: Dossier["demand"], texts: ReportTexts): Html {
  if (formulated === null)
    return raw === "" ? html`<p class="s mu">${texts.noText}</p>` : html`<p class="text">${raw}</p>`;
  return html`<p class="s mu">${texts.notCompared}</p><h3>${texts.original}</h3><p class="text">${raw}</p><h3>${texts.formulatedBy[by ?? "unknown"]}</h3><p class="text">${formulated}</p>`;
}

/** Only of a text of the network's it is known that what nobody asked for is the network's. */
function marked(
  parts: readonly Passage[],
  { share, leftOut, by, formulated, raw }: Dossier["demand"],
  texts: ReportTexts,
): Html {
  const isNetworks = by === "network";
  const shown = parts.map(({ by: hand, text }) =>
    hand === "network" && isWord(text)
      ? html`<ins class="net"><span class="vh">${isNetworks ? texts.added : texts.unasked}</span>${text}</ins>`
      : text,
  );
  const bar = html`<div class="share" aria-hidden="true"><i style="flex:${100 - share}"></i><i style="flex:${share}"></i></div>`;
  const whose = isNetworks
    ? html`<span>${texts.share(share)}</span><span><ins class="net">${texts.addedByNetwork}</ins></span>`
    : html`<span>${texts.formulatedBy[by ?? "unknown"]}</span>${share === 0 ? "" : html`<span><ins class="net">${texts.notAskedFor}</ins></span>`}`;
  const legend =
    formulated === raw
      ? html`<p class="legend">${texts.unchanged}</p>`
      : html`${isNetworks ? bar : ""}<p class="legend">${whose}</p>`;
  const gone =
    leftOut.length === 0
      ? ""
      : html`<p class="s mu">${isNetworks ? texts.leftOut : texts.missing}<del>${inOneLine(leftOut)}</del></p>`;
  return html`${legend}<p class="text">${shown}</p>${gone}`;
}

export function timelineSection({ moments }: Dossier, part: Part): Html {
  const { texts } = part;
  const body = moments.length === 0 ? html`<p class="s mu">${texts.noRecord}</p>` : momentList(moments, part);
  return section(part, "timeline", { heading: texts.timeline }, body);
}

/** Only what somebody decided. */
export function trailSection({ moments }: Dossier, part: Part): Html | string {
  const decisions = moments.filter(({ what }) => DECISIONS.includes(what));
  return decisions.length === 0
    ? ""
    : section(part, "trail", { heading: part.texts.trail }, momentList(decisions, part));
}

const momentList = (moments: readonly HistoryEvent[], { texts, timeOf }: Part): Html =>
  html`<ol class="line">${moments.map(
    ({ at, what, by, isLate }) =>
      html`<li style="display:contents"><time datetime="${toIsoSeconds(at)}">${timeOf(at)}</time><span>${texts.moments[what]}${by === undefined ? "" : html`<span class="mu">${texts.aside(texts.by[by])}</span>`}${isLate ? html` <strong>${texts.tooLate}</strong>` : ""}</span></li>`,
  )}</ol>`;
