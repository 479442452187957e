import type { Context } from "hono";
import { html } from "hono/html";
import type { BrowserCookie, BrowserRecord, Cookies } from "../../session/known-browsers.ts";
import type { Texts } from "../../text/index.ts";
import { signInTexts } from "../../text/sign-in.ts";
import { closedPage, codeBox, frame, type Html, icon, type PageContext, pageColumn, pageContextOf } from "./frame.ts";
import { COPY_SCRIPT, pageHeaders, WAIT_SCRIPT } from "./page-scripts.ts";
import { browserCookies, type CookieOptions, setBrowserCookie } from "./visitor.ts";

interface Unproven {
  /** Says why the requested page is not shown. */
  title: string;
  lead: string;
  /** The id of the demand, if it can also be decided on in a terminal. */
  negotiationId: string | undefined;
  /** The code by which this browser is let in. */
  code?: string | undefined;
}

/** Explains to a visitor who has not proved to be the person how to decide, and how to let this browser in. */
export function wayPage(context: PageContext, { title, lead, negotiationId, code }: Unproven) {
  const { page } = context.texts;
  const { way } = page;
  const step = (number: number, body: Html) =>
    html`<li><span aria-hidden="true">${number}</span><div>${body}</div></li>`;
  const first = html`<p>${way.terminal}</p>${codeBox(way.line(negotiationId), way.command, page)}`;
  const steps = code === undefined ? "" : step(2, html`<p>${way.code}</p>${digits(code, way)}${waiting(way)}`);
  return frame(context, {
    title,
    lines: 3,
    body: pageColumn(
      html`<h1>${title}</h1><p class="lead" id="message">${lead}</p><ol class="num">${step(1, first)}${steps}</ol>
${code === undefined ? "" : html`<p class="warn">${icon("warn")}<span><b>${way.warning[0]}</b>${way.warning[1]}</span></p>`}
${negotiationId === undefined ? "" : html`<p class="help">${way.orThere}</p>`}${COPY_SCRIPT.element}${code === undefined ? "" : WAIT_SCRIPT.element}`,
      true,
    ),
  });
}

/** Answers with {@link wayPage}, and allows the scripts that the page runs. */
export function answerWithWay(c: Context, texts: Texts, unproven: Unproven) {
  pageHeaders(c, { scripts: [COPY_SCRIPT, WAIT_SCRIPT], asks: true });
  return c.html(wayPage(pageContextOf(c, texts), unproven), 403);
}

/** Shows a code so that a screen reader reads its digits out one by one. */
const digits = (code: string, way: Texts["page"]["way"]): Html =>
  html`<p id="code" data-code="${code}" class="digits" role="img" aria-label="${way.codeOf([...code].join(" ").replace(" - ", ", "))}">${[...code].map((digit) => (digit === "-" ? html`<i></i>` : html`<span>${digit}</span>`))}</p>`;

const waiting = (way: Texts["page"]["way"]): Html =>
  html`<p class="live" role="status"><span class="dot scripted" aria-hidden="true" data-expired></span><span class="scripted" data-expired>${way.waits}</span><noscript>${way.reload}</noscript>
<span data-expired hidden>${way.expired} <a class="b" href="">${way.newCode}</a></span></p>`;

/** The page that opens after the sign-in. Each value is the key of the sentence about that page. */
type OpensNext = "room" | "decision" | "browsers";

interface SignInContent {
  next: OpensNext;
  problem?: string;
  /** The path at which a new person gets a token. It is absent if no token is available, or if one would not help. */
  newToken?: string | undefined;
}

/** The sign-in of one page. Whether tokens are available is checked when the form is drawn. */
export interface SignInForm {
  options: CookieOptions;
  next: OpensNext;
  newToken?: () => Promise<string | undefined>;
}

/** Shows the form to a visitor who has not signed in yet. */
export const askToSignIn = async (c: Context, texts: Texts, { next, newToken }: SignInForm, status: 200 | 403 = 200) =>
  c.html(signInPage(pageContextOf(c, texts), { next, newToken: await newToken?.() }), status);

/** Draws the sign-in page of an endpoint. A person signs in once with a browser, for all pages of the endpoint. */
export function signInPage(context: PageContext, { next, problem, newToken }: SignInContent) {
  const { signIn: say } = context.texts.page;
  const isBad = problem === undefined ? html`` : html` aria-invalid="true"`;
  const note =
    problem === undefined
      ? html`<p class="help" id="note">${say.help}</p>`
      : html`<p class="help bad" id="note" role="alert">${problem}</p>`;
  return frame(context, {
    title: say.title,
    body: pageColumn(html`<h1>${say.title}</h1><p class="lead" id="message">${say.next[next]}</p>
<form method="post"><div class="field"><label for="token">${say.token}</label>
<input id="token" name="token" type="password" autocomplete="current-password" spellcheck="false" required aria-describedby="note"${isBad}>${note}</div>
<button class="b go big wide">${say.act}</button></form>
${newToken === undefined ? "" : html`<p class="or">${say.or}</p><form method="post" action="${newToken}"><button class="b big wide">${say.new}</button></form><p class="help">${say.newHelp}</p>`}`),
  });
}

/** The reason why a visitor was not let in. Each value is the key of the sentence that says so. */
export type NotSignedIn = "unknown" | "untried" | "unreached" | "locked" | "full" | "notTheirs";

/** Lets in the browser that has sent this token from a page's sign-in, and leads it to that page. */
export async function signInHere(
  c: Context,
  token: unknown,
  enter: (token: string, userAgent: string, cookies: Cookies) => Promise<BrowserCookie | NotSignedIn>,
  texts: Texts,
  form: SignInForm,
) {
  const agent = c.req.header("user-agent") ?? "";
  const entry =
    typeof token === "string" ? await enter(token.trim(), agent, browserCookies(c, form.options)) : "unknown";
  if (typeof entry === "string") return refuseSignIn(c, entry, texts, form);
  setBrowserCookie(c, entry, form.options);
  return c.redirect(c.req.path, 303);
}

/** Shows the form again and says why nobody was let in. The status is 503 if that may change in a moment. */
async function refuseSignIn(c: Context, why: NotSignedIn, texts: Texts, { next, newToken }: SignInForm) {
  const problem = texts.page.signIn[why];
  const page = signInPage(pageContextOf(c, texts), { next, problem, newToken: await newToken?.() });
  return why === "full" || why === "unreached" ? c.html(page, 503, { "Retry-After": "10" }) : c.html(page, 403);
}

/**
 * Shows a visitor who has signed in that this page is another person's. It shows nothing of that page, only a link to
 * the page where the visitor can sign out.
 */
export function othersPage(context: PageContext, browsersPath = "") {
  const { browsers: say } = context.texts.page;
  const ways = [{ href: browsersPath, text: say.title }];
  return closedPage(context, { title: say.othersTitle, lead: say.others, lines: 6, ways, isProblem: true });
}

/** Links to the list of browsers of a visitor who has signed in. */
export const accountLink = (browsersPath: string, { browsers: say }: Texts["page"]): Html =>
  html`<a class="b t" href="${browsersPath}">${icon("me")}<span>${say.title}</span></a>`;

/** A program that a person lets act for them, as their list shows it. */
export interface ListedProgram {
  id: string;
  /** The name that the program gives itself. */
  name: string;
  /** The host or scheme to which the sign-in returned. Empty for a program on a computer. */
  redirect: string;
  at: number;
  used_at: number;
  /** True if the program's AI may pass on what its person says. */
  passesWord: boolean;
}

interface BrowserList {
  /** The programs. It is undefined if no program signs in. */
  programs?: readonly ListedProgram[] | undefined;
  /** The names of the programs that were ended just now. */
  ended?: readonly string[];
  browsers: readonly BrowserRecord[];
  /** The name of the current browser. */
  current: string;
  roomPath: string;
  /** The names of the browsers that were revoked just now. */
  revoked?: readonly string[];
}

/** Lists the browsers in which a person decides and the programs that act for them. Each has a button to revoke it. */
export function browsersPage(context: PageContext, list: BrowserList) {
  const { browsers, current, roomPath, revoked = [] } = list;
  const { browsers: say } = context.texts.page;
  const row = ({ name, at, used_at }: BrowserRecord) => {
    const when = name === current ? say.current : say.used(used_at);
    const button = html`<button class="b" name="forget" value="${name}">${name === current ? say.signOut : say.revoke}<span class="vh"> ${say.nameOf(name)}</span></button>`;
    return html`<li><span class="ic" aria-hidden="true">${icon("web")}</span><div><strong>${say.nameOf(name)}</strong> <span class="s">${when} · ${say.since(at)}</span></div>${button}</li>`;
  };
  const gone = (name: string) =>
    html`<li class="gone"><span class="ic" aria-hidden="true">${icon("web")}</span><div><strong>${say.nameOf(name)}</strong> <span class="s" role="status">${say.revoked}</span></div></li>`;
  const others =
    browsers.length > 1 || (list.programs ?? []).length > 0
      ? html`<button class="b no push" name="forget" value="others">${say.revokeOthers}</button>`
      : "";
  const { list: ofAll } = signInTexts(context.texts.lang);
  const { title, intro } = list.programs === undefined ? say : ofAll;
  return frame(context, {
    title,
    body: pageColumn(
      html`<div class="people"><h1>${title}</h1><p class="lead">${intro}</p>
<form method="post">${list.programs === undefined ? "" : html`<h2>${ofAll.browsers}</h2><p>${ofAll.eachBrowser}</p>`}<ul class="list">${browsers.map(row)}${revoked.map(gone)}</ul>${programsPart(context, list)}<p class="help">${say.clients}</p>
<div class="on"><a class="b" href="${roomPath}">${say.room}</a>${others}</div></form></div>`,
      true,
    ),
  });
}

function programsPart({ texts }: PageContext, { programs, ended = [] }: BrowserList): Html | "" {
  if (programs === undefined) return "";
  const { list: say, nobody } = signInTexts(texts.lang);
  const named = (name: string) => (name === "" ? nobody : name);
  const row = ({ id, name, redirect, at, used_at, passesWord }: ListedProgram) =>
    html`<li><span class="ic ag" aria-hidden="true">${icon("plug")}</span><div><strong>${named(name)}</strong> <span class="mu${redirect === "" ? "" : " mono"}">${redirect === "" ? say.onComputer : redirect}</span><span class="s">${say.when(used_at, at)}</span>${passesWord ? html`<span class="s">${say.passesWord} <button class="link" name="word" value="${id}">${say.takeBack}<span class="vh"> ${named(name)}</span></button></span>` : ""}</div><button class="b" name="end" value="${id}">${say.end}<span class="vh"> ${named(name)}</span></button></li>`;
  const gone = (name: string) =>
    html`<li class="gone"><span class="ic" aria-hidden="true">${icon("plug")}</span><div><strong>${named(name)}</strong> <span class="s" role="status">${say.ended}</span></div></li>`;
  const none =
    programs.length + ended.length === 0 ? html`<li class="none">${say.none} <a href="/">${say.connect}</a></li>` : "";
  return html`<h2>${say.programs}</h2><p>${say.eachProgram}</p><ul class="list">${programs.map(row)}${ended.map(gone)}${none}</ul>`;
}

/**
 * Sends the browser to the same address again, from this site. The browser then also sends the cookies that it held
 * back for another site's link.
 */
export const leadPage = (context: PageContext, path: string) => {
  const { decision, openPage } = context.texts.page;
  return frame(context, {
    title: decision,
    head: html`<meta http-equiv="refresh" content="0; url=${path}">`,
    body: pageColumn(html`<h1>${decision}</h1><p class="on"><a class="b go big" href="${path}">${openPage}</a></p>`),
  });
};
