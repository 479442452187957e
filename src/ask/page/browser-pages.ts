import type { Context } from "hono";
import { html } from "hono/html";
import { toIsoSeconds } from "../../home/iso-time.ts";
import type { BrowserCookie, BrowserRecord, Cookies } from "../../session/known-browsers.ts";
import type { Texts } from "../../text/index.ts";
import { frame } from "./html.ts";
import { browserCookies, type CookieOptions, setBrowserCookie } from "./visitor.ts";

/**
 * For somebody whom nothing shows to be the person: how they decide, and how this browser is let in. `intro` says why the
 * page is not here. A terminal decides about a negotiation only.
 */
export function wayPage(texts: Texts, intro: string, negotiationId: string | undefined, code?: string) {
  const { decision, way } = texts.page;
  const hasTerminal = negotiationId !== undefined;
  const command = html`<pre>${["towow-mcp confirm", ...(hasTerminal ? [negotiationId] : [])].join(" ")}</pre>`;
  const letIn =
    code === undefined
      ? ""
      : html`<p>${hasTerminal ? way.letIn : way.letInOnly}</p>${hasTerminal ? "" : command}
<p id="code">${code}</p><p class="facts">${way.warning}</p>`;
  return frame(
    texts,
    html`<h1>${decision}</h1><p id="message">${intro}</p>
${hasTerminal ? html`<p>${way.terminal}</p>${command}` : ""}
${letIn}`,
  );
}

/** At an endpoint the person has no terminal: they sign in once in a browser. */
export function signInPage(texts: Texts, problem?: string) {
  const { way } = texts.page;
  return frame(
    texts,
    html`<h1>${texts.page.browsers.signInTitle}</h1><p id="message">${way.introHosted}</p>
${problem === undefined ? "" : html`<p class="note" role="alert">${problem}</p>`}
<form method="post"><label for="token">${way.token}</label>
<input id="token" name="token" type="password" autocomplete="current-password" required>
<button class="main">${way.signIn}</button></form>
<p class="facts">${way.tokenHelp}</p>
<p><a href="/">${way.noToken}</a></p>`,
    texts.page.browsers.signInTitle,
  );
}

/** Why nobody was let in; the names are those of the sentences. */
export type NotSignedIn = "unknown" | "untried" | "unreached" | "locked" | "full" | "notTheirs";

/** Lets in the browser that has sent this token from a page's sign-in, and leads it to that page. */
export async function signInHere(
  c: Context,
  token: unknown,
  enter: (token: string, userAgent: string, cookies: Cookies) => Promise<BrowserCookie | NotSignedIn>,
  texts: Texts,
  options: CookieOptions,
) {
  const agent = c.req.header("user-agent") ?? "";
  const entry = typeof token === "string" ? await enter(token.trim(), agent, browserCookies(c, options)) : "unknown";
  if (typeof entry === "string") return refuseSignIn(c, entry, texts);
  setBrowserCookie(c, entry, options);
  return c.redirect(c.req.path, 303);
}

/** The same once more, with why nobody was let in; 503 for what may be otherwise in a moment. */
function refuseSignIn(c: Context, why: NotSignedIn, texts: Texts) {
  const page = signInPage(texts, texts.page.browsers[why]);
  return why === "full" || why === "unreached" ? c.html(page, 503, { "Retry-After": "10" }) : c.html(page, 403);
}

/** For somebody who has signed in, on a page of somebody else's: nothing of it, and where they change who they are here. */
export function othersPage(texts: Texts, browsersPath = "") {
  const { browsers: say } = texts.page;
  return frame(
    texts,
    html`<h1>${say.othersTitle}</h1><p id="message">${say.others}</p><p><a href="${browsersPath}">${say.title}</a></p>`,
    say.othersTitle,
  );
}

/** The browsers in which somebody decides, each with a way to revoke it. `current`: the name of this one. */
export function browsersPage(texts: Texts, browsers: readonly BrowserRecord[], current: string, roomPath: string) {
  const { browsers: say } = texts.page;
  const dayOf = (ms: number) => toIsoSeconds(ms).slice(0, 10);
  return frame(
    texts,
    html`<h1>${say.title}</h1><p><a href="${roomPath}">${say.room}</a></p><p>${say.intro}</p>
<form method="post"><ul>${browsers.map(
      ({ name, at, used_at }) =>
        html`<li><strong>${name}</strong>${name === current ? ` · ${say.current}` : ""}
<span class="facts">${say.since(dayOf(at), dayOf(used_at))}</span>
<button name="forget" value="${name}">${say.revoke(name)}</button></li>`,
    )}</ul><button name="forget" value="all">${say.revokeAll}</button></form>`,
    say.title,
  );
}

/** Leads to the same address once more, from here: then the browser sends the cookies that it kept back. */
export const leadPage = (path: string, texts: Texts) =>
  frame(
    texts,
    html`<h1>${texts.page.decision}</h1><p><a href="${path}">${texts.page.openPage}</a></p>`,
    texts.page.decision,
    html`<meta http-equiv="refresh" content="0; url=${path}">`,
  );
