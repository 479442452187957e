import type { Context } from "hono";
import { html } from "hono/html";
import { accountLink } from "../../ask/page/browser-pages.ts";
import { closedPage, codeBox, frame, type Html, icon, shownTo } from "../../ask/page/frame.ts";
import { COPY_SCRIPT, pageHeaders } from "../../ask/page/page-scripts.ts";
import { keepLanguage, textsFor } from "../../ask/page/visitor.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import { type FrontTexts, frontTexts } from "../../text/front.ts";
import type { Texts } from "../../text/index.ts";

/** What a visitor of this endpoint is offered. Pages of people by their paths; one that is absent is not there. */
export interface Offered {
  room?: string | undefined;
  browsers?: string | undefined;
  /** Where they get a token. */
  token?: string | undefined;
  /** Whether they have signed in. */
  isSignedIn: boolean;
  /** Whether only a person's own hand broadcasts, and what nobody has decided is withdrawn. */
  isOwnHandOnly: boolean;
}

/** What a person sees who opens the endpoint's address in a browser: what it is, and how each client connects. */
export function frontPage(c: Context, origin: string, offered: Offered) {
  keepLanguage(c);
  const texts = textsFor(c);
  const say = frontTexts(texts.lang);
  const { room, isOwnHandOnly } = offered;
  pageHeaders(c, { scripts: [COPY_SCRIPT], sends: offered.token !== undefined });
  const intro = html`<div><h1>${say.heading[0]}<br>${say.heading[1]}</h1><p class="lead">${isOwnHandOnly ? say.leadOwnHand : say.lead}</p>
<div class="on">${room === undefined ? "" : html`<a class="b go big" href="${room}">${say.room} ${icon("go")}</a>`}${newHere(offered, say)}</div></div>`;
  const card = connectCard(origin, texts, { isFirst: room === undefined, isOwnHandOnly });
  const body = html`<div class="front">${room === undefined ? html`${card}${intro}` : html`${intro}${card}`}</div>
<section class="how" aria-label="${say.how}"><ol>${say.steps.map(([name, what], index) => html`<li${index === DECISION ? html` class="you"` : ""}><i aria-hidden="true"></i><b>${name}</b><span>${what}</span></li>`)}</ol></section>${COPY_SCRIPT.element}`;
  return c.html(frame(shownTo(c, texts), { title: say.title, aside: account(offered, texts), body }));
}

const DECISION = 3;

function account({ room, browsers, isSignedIn }: Offered, { page }: Texts): Html | "" {
  if (isSignedIn) return browsers === undefined ? "" : accountLink(browsers, page);
  return room === undefined ? "" : html`<a class="b t" href="${room}">${page.signIn.act}</a>`;
}

function newHere({ token, isSignedIn }: Offered, say: FrontTexts): Html | "" {
  if (isSignedIn) return "";
  if (token === undefined) return html`<p>${say.ask}</p>`;
  return html`<form method="post" action="${token}"><p>${say.new} <button class="link">${say.get}</button></p></form>`;
}

interface Connect {
  /** Filled in, in place of a word that stands for it. */
  token?: string;
  isFirst?: boolean;
  isOwnHandOnly: boolean;
}

/** How each client connects, as what is to be copied. */
export function connectCard(origin: string, { lang, page }: Texts, { token, isFirst = false, isOwnHandOnly }: Connect) {
  const say = frontTexts(lang);
  const own = token === undefined ? say.token : say.filled;
  const ways = waysIn(origin, token ?? "<token>", say);
  const tab = ([name]: Way, index: number) =>
    html`<label><input type="radio" name="client" value="${index + 1}"${index === 0 ? " checked" : ""}>${name}</label>`;
  const pane = ([name, text, next]: Way, index: number) =>
    html`<div class="pane" data-pane="${index + 1}">${codeBox(text, name, page)}<p class="help">${next} ${text.includes("Bearer ") ? own : ""}</p></div>`;
  return html`<section class="card connect" aria-labelledby="connect"><h2 id="connect">${isFirst ? say.connectFirst : say.connect}</h2><p>${isOwnHandOnly ? say.asksOwnHand : say.asks}</p>
<fieldset class="way"><legend class="vh">${say.clients}</legend><div class="tabs">${ways.map(tab)}</div><div class="panes">${ways.map(pane)}</div></fieldset></section>`;
}

type Way = readonly [client: string, text: string, next: string];

function waysIn(origin: string, token: string, { next, other }: FrontTexts): readonly Way[] {
  const url = `${origin}/mcp`;
  const Authorization = `Bearer ${token}`;
  const header =
    token === "<token>" ? `"Authorization: ${Authorization}"` : shellWord(`Authorization: ${Authorization}`);
  const rest = (name: string, value: unknown) => `"${name}": ${JSON.stringify(value)}`;
  const json = (servers: string) =>
    `{ "${servers}": { "towow": {\n  "type": "http", ${rest("url", url)},\n  "headers": { ${rest("Authorization", Authorization)} } } } }`;
  return [
    ["Claude Code", `claude mcp add --transport http towow ${url} --header ${header}`, next["Claude Code"]],
    ["Codex", `[mcp_servers.towow]\nurl = "${url}"\nbearer_token_env_var = "TOWOW_TOKEN"`, next.Codex],
    ["Cursor", json("mcpServers"), next.Cursor],
    ["VS Code", json("servers"), next["VS Code"]],
    [other, `${url}\nAuthorization: ${Authorization}`, next.other],
  ];
}

/** Stands at an address of this endpoint that leads nowhere, for somebody who has opened it in a browser. */
export function missingPage(c: Context, origin: string) {
  keepLanguage(c);
  const texts = textsFor(c);
  const say = frontTexts(texts.lang);
  const { gone } = texts.page.refused;
  pageHeaders(c);
  const closed = {
    ...(c.req.path.startsWith("/approve/") ? gone : { title: say.missing, lead: say.missingLead }),
    lines: 0,
    ways: [{ href: "/", text: say.toFront }],
    after: html`<p class="help">${say.clientsAt} <span class="mono">${origin}/mcp</span></p>`,
  };
  return c.html(closedPage(shownTo(c, texts), closed), 404);
}

/** Whether a person is looking, and not a program. */
export const isBrowser = (c: Context): boolean =>
  c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");
