import { html } from "hono/html";
import { differences, type Piece } from "../../ask/diff.ts";
import { toIsoSeconds } from "../../home/iso-time.ts";
import type { ReportTexts } from "../../text/report.ts";
import { attribute, shareOf } from "../../view/authorship.ts";
import type { Dossier, Moment } from "../dossier.ts";
import { type Html, type Part, section } from "./part.ts";

/** What was asked for, what became of it, and who decided. */

const DECISIONS: readonly Moment["what"][] = ["accept", "edit", "reject", "cancel", "withdraw"];

export async function demandSection({ demand }: Dossier, part: Part): Promise<Html> {
  const { texts } = part;
  const { formulated, raw } = demand;
  const pieces = formulated === null ? undefined : await differences(raw, formulated, texts.lang);
  // Counted as in the room: one text has one share.
  const passages = attribute(raw, formulated ?? raw);
  const isCompared = pieces !== undefined && passages !== undefined;
  const body = isCompared ? marked(pieces, shareOf(passages), demand.by, texts) : twoTexts(demand, texts);
  return section(part, "demand", { heading: texts.demand }, body);
}

function twoTexts({ raw, formulated, by }: Dossier["demand"], texts: ReportTexts): Html {
  if (formulated === null)
    return raw === "" ? html`<p class="s mu">${texts.noText}</p>` : html`<p class="text">${raw}</p>`;
  return html`<p class="s mu">${texts.notCompared}</p><h3>${texts.original}</h3><p class="text">${raw}</p><h3>${texts.formulatedBy[by]}</h3><p class="text">${formulated}</p>`;
}

function marked(pieces: readonly Piece[], percent: number, by: Dossier["demand"]["by"], texts: ReportTexts): Html {
  const isChanged = pieces.some(({ change }) => change !== "same");
  const parts = pieces.map(({ text, change }) =>
    change === "added"
      ? html`<ins class="net"><span class="vh">${texts.added}</span>${text}</ins>`
      : change === "removed"
        ? html`<del>${text}</del>`
        : text,
  );
  const legend = isChanged
    ? html`<div class="share" aria-hidden="true"><i style="flex:${100 - percent}"></i><i style="flex:${percent}"></i></div><p class="legend"><span>${texts.share[by](percent)}</span><span><ins class="net">${texts.addedBy[by]}</ins></span>${pieces.some(({ change }) => change === "removed") ? html`<span><del>${texts.removed}</del></span>` : ""}</p>`
    : html`<p class="legend">${texts.unchanged}</p>`;
  return html`${legend}<p class="text">${parts}</p>`;
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

const momentList = (moments: readonly Moment[], { texts, timeOf }: Part): Html =>
  html`<ol class="line">${moments.map(
    ({ at, what, by, isLate }) =>
      html`<li style="display:contents"><time datetime="${toIsoSeconds(at)}">${timeOf(at)}</time><span>${texts.moments[what]}${by === undefined ? "" : html` <span class="mu">${texts.by[by]}</span>`}${isLate ? html` <strong>${texts.tooLate}</strong>` : ""}</span></li>`,
  )}</ol>`;
