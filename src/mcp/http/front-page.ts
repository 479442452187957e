import type { Context } from "hono";
import { html } from "hono/html";
import { accountLink } from "../../ask/page/browser-pages.ts";
import { closedPage, codeBox, frame, type Html, icon, pageContextOf } from "../../ask/page/frame.ts";
import { COPY_SCRIPT, pageHeaders } from "../../ask/page/page-scripts.ts";
import { keepLanguage, textsFor } from "../../ask/page/visitor.ts";
import { toIsoSeconds } from "../../home/iso-time.ts";
import type { Settings } from "../../home/settings.ts";
import type { Silence } from "../../negotiation/plan.ts";
import { shellWord } from "../../terminal/shell-word.ts";
import { type FrontTexts, frontTexts } from "../../text/front.ts";
import type { Texts } from "../../text/index.ts";
import { joinSentences } from "../../text/join.ts";

/**
 * The content of the front page for one visitor. Other pages are named by their paths, and a path is absent if there is
 * no such page.
 */
export interface FrontPageContent {
  room?: string | undefined;
  browsers?: string | undefined;
  /** The path of the page that gives the visitor a token. */
  token?: string | undefined;
  /** True if the visitor has signed in. Undefined if this page cannot see it. */
  isSignedIn: boolean | undefined;
  /** What happens to the text that waits for the visitor's decision if they never decide. Absent if no text waits. */
  waits?: Silence | undefined;
  policy: Policy;
  /** How clients sign in by themselves, if the operator lets them. */
  signsIn?: SignsIn | undefined;
}

/** How signing in is possible: beside a token in a header, or as the only way in. */
export type SignsIn = "beside_tokens" | "alone";

/** The settings that say who may confirm a broadcast, and what happens to a text that nobody decides on. */
export type Policy = Pick<Settings, "confirmation_policy" | "on_unconfirmed">;

/**
 * Returns the key of the sentence that is true of the person's AI. The sentence says that the AI may pass a yes on, or
 * that the person must decide by themselves.
 */
const wordOf = ({ confirmation_policy, on_unconfirmed }: Policy, signsIn: SignsIn | undefined) => {
  if (confirmation_policy !== "strict") return signsIn === undefined ? "passedOn" : "signedIn";
  return on_unconfirmed === "cancel" ? "ownHand" : "ownHandOrLeft";
};

/** Shows a person who opens the endpoint's address in a browser what it is, and how each client connects. */
export function frontPage(c: Context, origin: string, content: FrontPageContent) {
  keepLanguage(c, isSecure(origin));
  const texts = textsFor(c);
  const say = frontTexts(texts.lang);
  const { room, policy } = content;
  pageHeaders(c, { scripts: [COPY_SCRIPT], sends: content.token !== undefined });
  const intro = html`<div><h1>${say.heading[0]}<br>${say.heading[1]}</h1><p class="lead">${wordOf(policy, content.signsIn) === "ownHand" ? say.leadOwnHand : say.lead}</p>
<div class="on">${room === undefined ? "" : next(room, content, say)}${newHere(content, say)}</div></div>`;
  const card = connectCard(origin, texts, { isFirst: room === undefined, policy, signsIn: content.signsIn });
  const body = html`<div class="front">${room === undefined ? html`${card}${intro}` : html`${intro}${card}`}</div>
<section class="how" aria-label="${say.how}"><ol>${say.steps.map(([name, what], index) => html`<li${index === DECISION ? html` class="you"` : ""}><i aria-hidden="true"></i><b>${name}</b><span>${what}</span></li>`)}</ol></section>${COPY_SCRIPT.element}`;
  return c.html(frame(pageContextOf(c, texts), { title: say.title, aside: account(content, texts), body }));
}

const DECISION = 3;

function account({ room, browsers, isSignedIn }: FrontPageContent, { page }: Texts): Html | "" {
  if (isSignedIn) return browsers === undefined ? "" : accountLink(browsers, page);
  return room === undefined || isSignedIn === undefined
    ? ""
    : html`<a class="b t" href="${room}">${page.signIn.act}</a>`;
}

/** Returns the only filled button. It leads to what waits for a decision, or else to the room. */
function next(room: string, { waits }: FrontPageContent, say: FrontTexts): Html {
  if (waits === undefined) return html`<a class="b go big" href="${room}">${say.room} ${icon("go")}</a>`;
  return html`<a class="b go big" href="${room}?decide">${say.decide}</a><p class="waits">${fateOf(waits, say)}</p>`;
}

function fateOf({ as, at }: Silence, { waits: say }: FrontTexts): Html | string {
  if (at === undefined) return say.undated;
  const iso = toIsoSeconds(at);
  const [before, after] = as === "withdrawn" ? say.withdrawn : say.broadcast;
  return html`${before}<time datetime="${iso}" data-clock>${iso.slice(11, 16)} UTC</time>${after}`;
}

function newHere({ token, isSignedIn }: FrontPageContent, say: FrontTexts): Html | "" {
  if (isSignedIn) return "";
  if (token === undefined) return html`<p>${say.ask}</p>`;
  return html`<form method="post" action="${token}"><p>${say.new} <button class="link">${say.get}</button></p></form>`;
}

interface Connect {
  /** The token to show instead of the word `<token>`. */
  token?: string;
  isFirst?: boolean;
  policy: Policy;
  signsIn?: SignsIn | undefined;
}

/** Shows how each client connects, as text to be copied. */
export function connectCard(
  origin: string,
  { lang, page }: Texts,
  { token, isFirst = false, policy, signsIn }: Connect,
) {
  const say = frontTexts(lang);
  const own = token === undefined ? say.token : say.filled;
  const byToken = waysIn(origin, token ?? "<token>", say);
  const ways = signsIn !== undefined ? waysByAddress(origin, say) : byToken;
  const tab = ([name]: Way, index: number) =>
    html`<label><input type="radio" name="client" value="${index + 1}"${index === 0 ? " checked" : ""}>${name}</label>`;
  const pane = ([name, text, next]: Way, index: number) =>
    html`<div class="pane" data-pane="${index + 1}">${codeBox(text, name, page)}<p class="help">${text.includes("Bearer ") ? joinSentences([next, own]) : next}</p></div>`;
  const header = ([, text, next]: Way) =>
    html`${codeBox(text, say.cannotSignIn, page)}<p class="help">${joinSentences([next, own])}</p>`;
  return html`<section class="card connect" aria-labelledby="connect"><h2 id="connect">${isFirst ? say.connectFirst : say.connect}</h2><p>${say.asks[wordOf(policy, signsIn)]}</p>
<fieldset class="way"><legend class="vh">${say.clients}</legend><div class="tabs">${ways.map(tab)}</div><div class="panes">${ways.map(pane)}</div></fieldset>${signsIn === "beside_tokens" ? html`<details><summary>${say.cannotSignIn}</summary>${header(byToken.at(-1)!)}</details>` : ""}</section>`;
}

/** Returns how clients connect by the address alone. Each opens a page on which its person says yes. */
function waysByAddress(origin: string, { byAddress, other }: FrontTexts): readonly Way[] {
  const url = `${origin}/mcp`;
  const json = (servers: string) => `{ "${servers}": { "towow": { "type": "http", "url": ${JSON.stringify(url)} } } }`;
  return [
    ["Claude Code", `claude mcp add --transport http towow ${url}\nclaude mcp login towow`, byAddress["Claude Code"]],
    ["Codex", `codex mcp add towow --url ${url}`, byAddress.Codex],
    ["Cursor", json("mcpServers"), byAddress.Cursor],
    ["VS Code", json("servers"), byAddress["VS Code"]],
    [other, url, byAddress.other],
  ];
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

/** Shows a person that an address of this endpoint leads nowhere. */
export function missingPage(c: Context, origin: string) {
  keepLanguage(c, isSecure(origin));
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
  return c.html(closedPage(pageContextOf(c, texts), closed), 404);
}

const isSecure = (origin: string): boolean => origin.startsWith("https:");

/** Returns whether a person is looking, and not a program. Only browsers ask for a page. */
export const isBrowser = (c: Context): boolean =>
  c.req.method === "GET" && (c.req.header("accept") ?? "").includes("text/html");
