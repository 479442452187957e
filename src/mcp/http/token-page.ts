import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { type GuardOptions, refuseForeign } from "../../ask/page/guard.ts";
import { frame } from "../../ask/page/html.ts";
import { textsFor } from "../../ask/page/visitor.ts";
import type { TokenGrant } from "../../backend/contract.ts";
import { fromIso, toIsoSeconds } from "../../home/iso-time.ts";
import { frontTexts } from "../../text/front.ts";
import { COPY_SCRIPT, COPY_SCRIPT_SOURCE, missingPage, pageHeaders, waysIn } from "./front-page.ts";

/** A token; or why there is none: the backend issues none, too many were asked for, or it gave none this time. */
export type NewToken = TokenGrant | "none" | "busy" | "failed";

/** Where visitors get a token of their own. */
export interface TokenDesk {
  /** Whether there is one to be had, as far as is known. */
  isOpen(): Promise<boolean>;
  issue(): Promise<NewToken>;
}

export const TOKEN_PATH = "/token";
const STATUS = { none: 404, busy: 429, failed: 503 } as const;

/** Answers the front page's form with a token, on the page and nowhere else: no address holds it, and nothing keeps it. */
export function createTokenPage(desk: TokenDesk, guard: GuardOptions): Hono {
  const app = new Hono();
  app.use((c, next) => refuseForeign(c, next, guard, textsFor(c)));
  app.get(TOKEN_PATH, (c) => c.redirect("/", 303));
  app.post(TOKEN_PATH, async (c) => {
    const token = (await desk.isOpen()) ? await desk.issue() : "none";
    return typeof token === "string" ? noToken(c, token) : shown(c, token, guard.originOf(c.req.header("host") ?? ""));
  });
  app.notFound((c) => missingPage(c));
  return app;
}

function shown(c: Context, { api_token, expires_at }: TokenGrant, origin: string) {
  const texts = textsFor(c);
  const say = frontTexts(texts.lang);
  const until = fromIso(expires_at ?? undefined);
  pageHeaders(c, COPY_SCRIPT_SOURCE);
  const body = html`<h1>${say.yours.title}</h1><p>${say.yours.once}</p>
<pre id="token" data-copy="${say.copy}" data-label="${say.copyOf(say.yours.name)}" data-copied="${say.copied}">${api_token}</pre>
<p>${until === undefined ? say.yours.noEnd : say.yours.until(toIsoSeconds(until).slice(0, 16).replace("T", " "))}</p>
<p>${say.yours.opens}</p>
<h2>${say.people}</h2><p><a href="/room">${say.room}</a>${say.yours.signIn}</p>
<p>${say.yours.client}</p>
${waysIn(origin, say, api_token)}${COPY_SCRIPT}`;
  return c.html(frame(texts, body, say.yours.title));
}

function noToken(c: Context, why: keyof typeof STATUS) {
  const texts = textsFor(c);
  const say = frontTexts(texts.lang);
  pageHeaders(c);
  if (why !== "none") c.header("Retry-After", "10");
  const body = html`<h1>${say.noToken.title}</h1><p role="alert">${say.noToken[why]}</p><p><a href="/">${say.toFront}</a></p>`;
  return c.html(frame(texts, body, say.noToken.title), STATUS[why]);
}
