import { html } from "hono/html";
import { joinList } from "../../text/join.ts";
import type { ReportTexts } from "../../text/report.ts";
import { type Offer, offerText } from "../../view/agents.ts";
import type { Content, Row } from "../content.ts";
import { type Agent, type Dossier, nobodyIn } from "../dossier.ts";
import { type Html, type Part, section } from "./part.ts";

/** This file draws the part of the page about the people: who takes part, what they do and what they offer. */

/** The number of offers that are shown in full. Of the others only the beginning is shown. */
const MAX_WHOLE = 24;
const MAX_ROWS = 2_000;
const ROW_CHARS = 200;

/** Draws the table of people: one row for the person, for each agent and for each task that nobody takes. */
export function peopleSection(dossier: Dossier, { rows, gaps }: Content, part: Part): Html {
  const { texts } = part;
  const heading = texts.people;
  if (rows.length + gaps.length === 0)
    return section(part, "people", heading, html`<p>${nobodyIn(dossier, texts)}</p>`);
  // The column for tasks is left out if no plan says who does what.
  const hasTasks = rows.some(({ does }) => does.length > 0) || gaps.length > 0;
  const shown = rows.slice(0, MAX_ROWS).map((row, index) => rowHtml(row, index < MAX_WHOLE, hasTasks, texts));
  const open = gaps.map(
    (need) => html`<tr class="gapr"><th scope="row">${texts.nobodyYet}</th><td>${need}</td><td></td></tr>`,
  );
  const does = hasTasks ? html`<th scope="col">${texts.does}</th>` : "";
  return section(
    part,
    "people",
    heading,
    html`<table class="ppl ${hasTasks ? "" : "two"}"><thead><tr><th scope="col">${texts.who}</th>${does}<th scope="col">${texts.offer}</th></tr></thead><tbody>${shown}${open}</tbody></table>`,
  );
}

function rowHtml(
  { name, mark, does, details, lists, agent }: Row,
  isWhole: boolean,
  hasTasks: boolean,
  texts: ReportTexts,
): Html {
  const task = hasTasks
    ? html`<td>${does.map((text) => html`<p>${text}</p>`)}${details.map((text) => html`<p class="mu">${text}</p>`)}</td>`
    : "";
  return html`<tr><th scope="row">${name}<span class="mu">${mark}</span></th>${task}<td>${agent === undefined ? "" : offerHtml(agent, lists, isWhole, texts)}</td></tr>`;
}

function offerHtml(
  { offer, isOfferCut }: Agent,
  listed: Row["lists"],
  isWhole: boolean,
  texts: ReportTexts,
): Html | string {
  if (offer === null) return "";
  const lists = listed.length === 0 ? "" : html`<p class="mu">${joinList(listed, texts.lang)}</p>`;
  const text = offerText(offer);
  if (text === "") return html`${lists}<p class="mu">${texts.emptyOffer}</p>`;
  if (!isWhole) return html`${lists}<p>${shortened(text)}</p>`;
  return html`${lists}${words(offer)}${isOfferCut ? html`<p class="mu">${texts.cutHere}</p>` : ""}`;
}

function words({ text, facts }: Offer): Html {
  const rows = facts.map(({ term, value }) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`);
  return html`${text.trim() === "" ? "" : html`<p class="words">${text}</p>`}${rows.length === 0 ? "" : html`<dl class="facts">${rows}</dl>`}`;
}

function shortened(text: string): string {
  const letters = [...text.slice(0, 2 * ROW_CHARS)];
  return letters.length <= ROW_CHARS && letters.join("") === text ? text : `${letters.slice(0, ROW_CHARS).join("")}…`;
}
