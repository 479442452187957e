import { html } from "hono/html";
import { showInvisible } from "../../safety/invisible.ts";
import type { Texts } from "../../text/index.ts";
import { type QuestionTexts, questionTexts } from "../../text/question.ts";
import { roomTexts } from "../../text/room.ts";
import { isWord } from "../../view/authorship.ts";
import type { Asked, FieldPart } from "../asked.ts";
import { type PermissionQuestion, questionOf } from "../permission-question.ts";
import type { PermissionPageRequest } from "../questions.ts";
import { frame, type Html, icon, type PageContext } from "./frame.ts";
import { ARM_SCRIPT } from "./page-scripts.ts";

/**
 * Draws the page that asks whether something may be sent or stopped. The page shows all of it, what follows from a yes,
 * and the two answers.
 */
export function permissionPage({ kind, asked, host, until }: PermissionPageRequest, context: PageContext) {
  const { texts } = context;
  const say = questionTexts(texts.lang);
  const it = questionOf(asked, until, texts);
  const head = html`<div class="head"><h1>${it.heading}</h1><p>${it.lead}${it.alert === undefined ? "" : html`<strong class="mine">${it.alert}</strong>`}</p></div>`;
  const sheet = html`<section class="card sheet" id="sent" aria-labelledby="s-sent"><header><h2 id="s-sent" class="who">${icon(it.icon)} ${it.sheet}</h2>${it.id === undefined ? "" : html`<span class="xs mu mono push">${it.id}</span>`}</header>${bodyOf(it, asked, texts)}${end("sheet", say)}</section>`;
  const bar = html`<form method="post" class="act" id="ask"><button type="button" class="b more" id="more" hidden>${say.more} <span aria-hidden="true">↓</span></button>
<div class="wrap"><dl><div><dt>${say.nothing}</dt><dd>${it.fate}</dd></div>${it.goesTo === undefined ? "" : html`<div class="to"><dt>${it.goesTo.term}</dt><dd>${it.goesTo.scene === undefined ? "" : html`<span>${it.goesTo.scene.name}</span><span class="mono">${it.goesTo.scene.id}</span>`}<span class="mono">${host}</span></dd></div>`}</dl>
<div class="btns row push"><button class="b big" name="decision" value="reject">${it.no}</button><button class="b ${kind === "stop" ? "stop" : "go"} big" name="decision" value="accept" aria-describedby="more">${it.yes}</button></div></div></form>${ARM_SCRIPT.element}`;
  const ask = html`${head}<div class="ask">${sheet}${it.follows === undefined ? "" : aside(it.follows, say)}</div>`;
  return frame(context, { title: it.heading, lines: it.lines, where: say.from, body: ask, bar });
}

/** Marks an end that must be seen. The button of the yes stays disabled until every such end has been in the window. */
const end = (name: string, { end: label }: QuestionTexts): Html =>
  html`<div class="end" data-end="${name}" role="note" aria-label="${label}" tabindex="-1"></div>`;

const ICONS = {
  readers: "eye",
  replaces: "swap",
  as: "me",
  stays: "bin",
  ends: "no",
  out: "cast",
  again: "swap",
} as const;

const aside = ({ heading, what, note }: NonNullable<PermissionQuestion["follows"]>, say: QuestionTexts): Html =>
  html`<aside aria-labelledby="s-follows"><h2 id="s-follows">${heading}</h2><ul>${what.map(({ what: kind, text, isGrave }) => html`<li${isGrave ? html` class="grave"` : ""}>${icon(ICONS[kind])}<span>${text}</span></li>`)}</ul>${note === undefined ? "" : html`<p class="s mu">${note}</p>`}${end("follows", say)}</aside>`;

function bodyOf({ text, fields }: PermissionQuestion, asked: Asked, texts: Texts): Html {
  const takeOut = asked.about === "profile" ? roomTexts(texts.lang).decision.takeOut : undefined;
  return html`${text === undefined ? "" : html`<div class="text">${marked(text, texts)}</div>`}${fields.length === 0 ? "" : fieldRows(fields, texts, takeOut)}`;
}

const fieldRows = (fields: PermissionQuestion["fields"], texts: Texts, takeOut?: string): Html =>
  html`<dl class="fields">${fields.map(({ label, parts }) => html`<div><dt>${label}</dt><dd>${marked(parts, texts, takeOut)}</dd></div>`)}</dl>`;

/** Returns the name of the form's field for a piece that the person takes out. */
export const outName = (id: string): string => `out.${id}`;

/**
 * Shows a piece with its switch, which needs no script and moves nothing. A piece that is taken out stays in place,
 * struck through.
 */
function withSwitch(own: Html, { id, kind = "" }: { id: string; kind: string | undefined }, label: string): Html {
  return html`<span class="piece">${own} <label><input type="checkbox" name="${outName(id)}" form="ask">${label}<span class="vh"> ${kind}</span></label></span>`;
}

/** Tints the network's words, underlines personal data, and writes out invisible characters. */
const marked = (parts: readonly FieldPart[], texts: Texts, takeOut?: string): Html[] =>
  parts.map(({ by, text, personal, piece }) => {
    const { pii } = texts;
    const words = showInvisible(text);
    const kind = personal && (pii.kinds as Readonly<Record<string, string>>)[personal.kind];
    const own = kind === undefined ? html`${words}` : html`<mark class="pii" title="${kind}">${words}</mark>`;
    if (piece !== undefined && takeOut !== undefined) return withSwitch(own, { id: piece, kind }, takeOut);
    return by === "network" && isWord(text) ? html`<ins class="net">${own}</ins>` : own;
  });
