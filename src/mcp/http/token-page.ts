import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { type PageHosts, refuseForeign } from "../../ask/page/foreign-requests.ts";
import { closedPage, codeBox, frame, icon, pageColumn, pageContextOf } from "../../ask/page/frame.ts";
import { COPY_SCRIPT, pageHeaders } from "../../ask/page/page-scripts.ts";
import type { SignInDesk } from "../../ask/page/sign-in.ts";
import { browserCookies, seesBrowsers, setBrowserCookie, textsFor } from "../../ask/page/visitor.ts";
import type { TokenGrant } from "../../backend/contract.ts";
import { ignoreTowowError } from "../../errors.ts";
import { fromIso, toIsoSeconds } from "../../home/iso-time.ts";
import { type FrontTexts, frontTexts } from "../../text/front.ts";
import { connectCard, type Policy, type SignsIn } from "./front-page.ts";

/** A new token, or why there is none: the backend issues none, too many were asked for, or this request failed. */
export type NewToken = TokenGrant | "none" | "busy" | "failed";

/** Issues tokens to visitors. */
export interface TokenDesk {
  /** Returns whether tokens are issued now, as far as is known. */
  isOpen(): Promise<boolean>;
  issue(): Promise<NewToken>;
}

export const TOKEN_PATH = "/token";
const STATUS = { none: 404, busy: 429, failed: 503 } as const;

interface TokenPageOptions extends PageHosts {
  desk: TokenDesk;
  /** Signs visitors in with their token. */
  people: SignInDesk;
  roomPath: string;
  policy: () => Policy;
  signsIn?: SignsIn | undefined;
}

/**
 * Serves the page that answers the front page's form with a token. The token is shown on no other page, and no address
 * contains it.
 */
export function createTokenPage(options: TokenPageOptions): Hono {
  const { desk, originOf } = options;
  const app = new Hono();
  app.use((c, next) => refuseForeign(c, next, options, textsFor(c)));
  app.get(TOKEN_PATH, (c) => c.redirect("/", 303));
  app.post(TOKEN_PATH, async (c) => {
    const token = (await desk.isOpen()) ? await desk.issue() : "none";
    if (typeof token === "string") return noToken(c, token);
    const entry = await enter(c, token.api_token, options);
    return newTokenPage(c, token, { origin: originOf(c.req.header("host") ?? ""), entry, ...options });
  });
  return app;
}

/** What the new token means for this browser. Each value is the key of the sentence that the page says. */
type Entry = "signedIn" | "stays" | "signIn";

/** Signs this browser in with the new token, unless somebody has signed in here before. */
async function enter(c: Context, token: string, { people }: TokenPageOptions): Promise<Entry> {
  if (!seesBrowsers(people)) return "signIn";
  const cookies = browserCookies(c, people);
  if ((await people.ownerOf(cookies).catch(ignoreTowowError)) !== undefined) return "stays";
  // The token is shown only once, so it is shown even if signing in fails.
  const cookie = await people.signIn(token, c.req.header("user-agent") ?? "", cookies).catch(ignoreTowowError);
  if (cookie === undefined || typeof cookie === "string") return "signIn";
  setBrowserCookie(c, cookie, people);
  return "signedIn";
}

type Given = Pick<TokenPageOptions, "roomPath" | "policy" | "signsIn"> & { origin: string; entry: Entry };

function newTokenPage(c: Context, { api_token, expires_at }: TokenGrant, { origin, entry, ...options }: Given) {
  const texts = textsFor(c);
  const say = frontTexts(texts.lang);
  pageHeaders(c, { scripts: [COPY_SCRIPT], sends: false });
  const policy = options.policy();
  const body = html`<h1>${say.yours.title}</h1><p class="lead">${say.yours.once}</p>
${codeBox(api_token, say.yours.name, texts.page, "token")}<p class="help">${say.yours.opens} ${validUntil(expires_at, say)}</p>
<p class="on"><a class="b go big" href="${options.roomPath}">${say.room} ${icon("go")}</a><span class="s mu">${say.yours[entry]}</span></p>
${connectCard(origin, texts, { token: api_token, policy, signsIn: options.signsIn })}${COPY_SCRIPT.element}`;
  return c.html(frame(pageContextOf(c, texts), { title: say.yours.title, body: pageColumn(body, true) }));
}

function validUntil(expires_at: TokenGrant["expires_at"], { yours }: FrontTexts) {
  const until = fromIso(expires_at ?? undefined);
  if (until === undefined) return yours.noEnd;
  const iso = toIsoSeconds(until);
  const time = html`<time datetime="${iso}">${yours.utc(iso.slice(0, 16).replace("T", " "))}</time>`;
  return html`${yours.until[0]}${time}${yours.until[1]}`;
}

function noToken(c: Context, why: keyof typeof STATUS) {
  const texts = textsFor(c);
  const { noToken: say, again, toFront } = frontTexts(texts.lang);
  pageHeaders(c);
  if (why !== "none") c.header("Retry-After", "10");
  const isLater = why !== "none";
  const page = closedPage(pageContextOf(c, texts), {
    ...{ title: say.title, lead: say[why], lines: 0, isProblem: true },
    ways: isLater ? [] : [{ href: "/", text: toFront }],
    after: isLater
      ? html`<form method="post" action="${TOKEN_PATH}" class="on"><button class="b go big">${again}</button></form>`
      : "",
  });
  return c.html(page, STATUS[why]);
}
