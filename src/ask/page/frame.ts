import type { Context } from "hono";
import { html, raw } from "hono/html";
import { mark } from "../../style/mark.ts";
import type { Texts } from "../../text/index.ts";
import PAGE_CSS from "./page.css";

export type Html = ReturnType<typeof html>;

/** The context in which a small page is drawn: its reader's texts and its address. */
export interface PageContext {
  texts: Texts;
  /** The `host:port` for which the browser asked. */
  host: string;
  /** True if the page answers a form. The other language would then show another page, so no link leads there. */
  isAnswer?: boolean;
}

/** Returns the context of the page that answers this request. */
export const pageContextOf = (c: Context, texts: Texts): PageContext => ({
  texts,
  host: c.req.header("host") ?? "",
  isAnswer: c.req.method !== "GET",
});

interface Framed {
  title: string;
  body: Html | Html[];
  /** How many of the six lines of the page's sign are whole, which shows how far the matter has come. */
  lines?: number;
  /** An element in the header, before the link to the other language. */
  aside?: Html | "";
  /** What is added to the document's head. */
  head?: Html | "";
  /** The words in the header that say what the page is about. Without them, the header names the host. */
  where?: string;
  /** The bar with the decision, which stands below the body over the whole width. */
  bar?: Html;
}

/** Frames every page but the room and the report. These pages share the line at the top, and need no script. */
export function frame(
  { texts, host, isAnswer = false }: PageContext,
  { title, body, lines = 6, aside = "", head = "", where, bar }: Framed,
) {
  const { frame: say } = texts.page;
  const [lang, other] = texts.lang === "zh" ? ["zh-CN", "en"] : ["en", "zh"];
  const language = html`<a class="b t" lang="${say.otherLang}" hreflang="${say.otherLang}" href="?lang=${other}">${say.language}</a>`;
  return html`<!doctype html>
<html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark">
<meta name="referrer" content="same-origin"><title>${title} · ${say.brand}</title>${head}<style>${raw(PAGE_CSS)}</style></head>
<body><header class="wrap top">${raw(mark(lines))}<b>${say.brand}</b>${where === undefined ? html`<span class="mu mono">${host}</span>` : html`<span class="mu opt">${where}</span>`}<span class="push"></span>${aside}${isAnswer ? "" : language}</header>
${bar === undefined ? html`<main class="wrap">${body}</main>` : html`<main><div class="wrap">${body}</div>${bar}</main>`}</body></html>`;
}

/** Lays out one thing in a column. `isWide` is for code and lists. */
export const pageColumn = (body: Html | Html[], isWide = false): Html =>
  html`<div class="col${isWide ? " w" : ""}">${body}</div>`;

/** A link that leads on from a page. */
interface Way {
  href: string;
  text: string;
}

export interface Closed {
  title: string;
  lead: string | Html;
  /** How many of the six lines of the page's sign are whole, which shows how far the matter has come. */
  lines: number;
  /** The links that lead on, the next step first. There are none only if the next step has no address. */
  ways?: readonly Way[];
  after?: Html | "";
  aside?: Html | "";
  isProblem?: boolean;
}

/** Shows a page on which the reader can only go on. It has a title, one sentence and the links that lead on. */
export function closedPage(
  context: PageContext,
  { title, lead, lines, ways = [], after = "", aside = "", isProblem }: Closed,
) {
  const [first, ...others] = ways;
  return frame(context, {
    title,
    lines,
    aside,
    body: pageColumn(html`${raw(mark(lines, "mark gua"))}<h1>${title}</h1><p class="lead" id="message" role="${isProblem ? "alert" : "status"}">${lead}</p>
${first === undefined ? "" : html`<p class="on"><a class="b go big" href="${first.href}">${first.text}</a>${others.map(({ href, text }) => html`<a class="b big" href="${href}">${text}</a>`)}</p>`}${after}`),
  });
}

/** Shows what is to be copied. The script adds the button. Without the script a click selects all of the text. */
export const codeBox = (text: string, name: string, { code: say }: Texts["page"], id?: string): Html =>
  html`<div class="code${text.includes("\n") || text.length > 60 ? "" : " one"}"><pre tabindex="0" role="group" aria-label="${name}"${id === undefined ? "" : html` id="${id}"`} data-copy="${say.copy}" data-label="${say.copyOf(name)}" data-copied="${say.copied}">${text}</pre></div>`;

const PATHS = {
  bin: "M3 4.5h10M6 4.5V3h4v1.5M4.500 4.500l.6 9h5.800l.6-9",
  cast: "M5 11a4.2 4.2 0 0 1 0-6M11 5a4.2 4.2 0 0 1 0 6M2.8 13a7.2 7.2 0 0 1 0-10M13.2 3a7.2 7.2 0 0 1 0 10M8 6.600a1.4 1.4 0 1 0 0 2.800a1.4 1.4 0 1 0 0-2.8",
  eye: "M1.500 8C3.200 5 5.400 3.500 8 3.500S12.800 5 14.500 8C12.800 11 10.600 12.500 8 12.500S3.200 11 1.500 8zM8 6a2 2 0 1 0 0 4a2 2 0 1 0 0-4",
  go: "M3 8h10M9 4l4 4-4 4",
  me: "M8 2.6a2.6 2.6 0 1 0 0 5.2a2.6 2.6 0 1 0 0-5.2M3 13.5c.6-2.8 2.5-4.2 5-4.2s4.4 1.4 5 4.2",
  net: "M8 2a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3M3.5 10a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3M12.5 10a1.5 1.5 0 1 0 0 3a1.5 1.5 0 1 0 0-3M7.3 4.9 4.2 10.200M8.7 4.900l3.1 5.300M5 11.500h6",
  no: "M8 2.500a5.500 5.500 0 1 0 0 11a5.500 5.500 0 1 0 0-11M4.200 4.200l7.600 7.600",
  swap: "M3 5.500h9M9.500 3 12 5.500 9.500 8M13 10.500H4M6.500 8 4 10.500 6.500 13",
  web: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M2.5 8h11M8 2.5c3.3 3.5 3.3 7.5 0 11M8 2.5c-3.3 3.5-3.3 7.5 0 11",
  plug: "M6 2v3M10 2v3M4 5h8v2.5a4 4 0 0 1-8 0zM8 11.5V14",
  ok: "m3 8.5 3.2 3L13 4.5",
  hand: "M5 8V3.7a1 1 0 0 1 2 0V7M7 6.5V2.8a1 1 0 0 1 2 0v3.7M9 6.8V3.7a1 1 0 0 1 2 0v6.1a4 4 0 0 1-4 4c-1.8 0-2.6-.9-3.5-2.5L2.3 9a1 1 0 0 1 1.6-1.1L5 9",
  never: "M8 2.5a5.5 5.5 0 1 0 0 11a5.5 5.5 0 1 0 0-11M4.2 4.2l7.6 7.6",
  warn: "M8 2.5 14 13H2zM8 6.5v3M8 11.3v.1",
} as const;

export type Icon = keyof typeof PATHS;

export const icon = (name: Icon): Html =>
  html`<svg class="i" viewBox="0 0 16 16" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
