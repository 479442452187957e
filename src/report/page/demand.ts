import { html } from "hono/html";
import { toIsoSeconds } from "../../home/iso-time.ts";
import type { ReportTexts } from "../../text/report.ts";
import { inOneLine, isWord, type Passage } from "../../view/authorship.ts";
import type { HistoryEvent } from "../../view/course.ts";
import type { Content } from "../content.ts";
import type { Dossier } from "../dossier.ts";
import { type Html, type Part, section } from "./part.ts";

/** This file draws the part of the page about the demand: what was asked for, what went out, and who decided. */

/** Draws the section about the demand. The heading says whether the text was broadcast. */
export function demandSection({ demand, reach }: Dossier, { yes }: Content, part: Part): Html {
  const { texts } = part;
  const body = demand.parts === null ? twoTexts(demand, texts) : marked(demand.parts, demand, texts);
  const by = yes === undefined ? "" : html`<p class="xs mu">${momentWords(yes, part)}</p>`;
  return section(part, "demand", reach === "broadcast" ? texts.asBroadcast : texts.demand, [body, by]);
}

function twoTexts({ raw, formulated, by }: Dossier["demand"], texts: ReportTexts): Html {
  if (formulated === null)
    return raw === "" ? html`<p class="s mu">${texts.noText}</p>` : html`<p class="text">${raw}</p>`;
  return html`<p class="s mu">${texts.notCompared}</p><h3>${texts.original}</h3><p class="text">${raw}</p><h3>${texts.formulatedBy[by ?? "unknown"]}</h3><p class="text">${formulated}</p>`;
}

/**
 * Draws the formulated text and marks the words that the submitted text lacks. These words are called the network's
 * only if the network wrote the text, because otherwise their author is not known.
 */
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
  const whose = isNetworks
    ? html`<ins class="net">${texts.addedByNetwork}</ins> ${share}%`
    : html`${texts.formulatedBy[by ?? "unknown"]}${share === 0 ? "" : html` · <ins class="net">${texts.notAskedFor}</ins>`}`;
  const legend = html`<p class="xs mu">${formulated === raw ? texts.unchanged : whose}</p>`;
  const gone =
    leftOut.length === 0
      ? ""
      : html`<p class="xs mu">${isNetworks ? texts.leftOut : texts.missing}<del>${inOneLine(leftOut)}</del></p>`;
  return html`<p class="text">${shown}</p>${legend}${gone}`;
}

/** Returns the line that says what was decided, by whom and when. */
const momentWords = ({ at, what, by }: HistoryEvent, { texts, timeOf }: Part): string =>
  `${texts.moments[what]}${by === undefined ? "" : texts.aside(texts.by[by])} · ${timeOf(at)}`;

/** Draws the list of everything that is written down about the negotiation's course. */
export const momentRows = ({ moments }: Dossier, { texts, timeOf }: Part): Html | string =>
  moments.length === 0
    ? html`<p class="mu">${texts.noRecord}</p>`
    : html`<dl class="ev">${moments.map(
        ({ at, what, by, isLate }) =>
          html`<div><dt><time datetime="${toIsoSeconds(at)}">${timeOf(at)}</time></dt><dd>${texts.moments[what]}${by === undefined ? "" : texts.aside(texts.by[by])}${isLate ? html` <strong>${texts.tooLate}</strong>` : ""}</dd></div>`,
      )}</dl>`;
