import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { HTTPException } from "hono/http-exception";
import * as z from "zod";
import type { NotSignedIn } from "../../../ask/page/browser-pages.ts";
import { type PageHosts, refuseForeign } from "../../../ask/page/foreign-requests.ts";
import { closedPage, shownTo } from "../../../ask/page/frame.ts";
import { COPY_SCRIPT, pageHeaders } from "../../../ask/page/page-scripts.ts";
import type { BrowserOwner, SignInDesk } from "../../../ask/page/sign-in.ts";
import { browserCookies, formOf, keepLanguage, setBrowserCookie, textsFor } from "../../../ask/page/visitor.ts";
import type { Clock } from "../../../clock.ts";
import { messageOf } from "../../../result/tool-error.ts";
import type { BrowserCookie, Cookies } from "../../../session/known-browsers.ts";
import { type Store, StoreUnreachable } from "../../../store/store.ts";
import { frontTexts } from "../../../text/front.ts";
import { type Clients, isRateLimited, takesRedirect } from "./clients.ts";
import { consentPage, donePage, joinedPage, type Person, type Policy, refusedPage } from "./consent-page.ts";
import { isThisResource, PATHS } from "./documents.ts";
import type { Credential, Grants } from "./grants.ts";
import { destinationOf, ledBack, sourceOf } from "./redirects.ts";
import { isSame, nameOfSecret, type Seals } from "./sealing.ts";

/** The outcome of joining: a new person whose browser is then signed in, or why none was made. */
export type Joined =
  | { token: string; isHereAlone: boolean; cookie: BrowserCookie }
  | { problem: "none" | "busy" | "failed" };

/** The desk at which the consent page asks who its person is, and with which credential a program may act for them. */
export interface ConsentDesk {
  /** Returns the credential of a user, or a word for what is wrong with it. Undefined if the browser has kept none. */
  credentialOf(user: string, cookies: Cookies): Promise<Credential | NotSignedIn | undefined>;
  personOf(owner: BrowserOwner, cookies: Cookies): Promise<Person>;
  canJoin(): Promise<boolean>;
  join(userAgent: string, cookies: Cookies): Promise<Joined>;
}

export interface AuthorizeOptions extends PageHosts {
  grants: Grants;
  clients: Clients;
  seals: Seals;
  clock: Clock;
  store: Store;
  people: SignInDesk;
  desk: ConsentDesk;
  policy: () => Policy;
  network: string;
  browsersPath: string;
}

/** How long a person who reads the page has to answer, in ms. */
const TICKET_MS = 10 * 60_000;
const MAX_FORM_BYTES = 16 * 1024;
const MAX_STATE = 2_000;
const TICKET = "ticket";
const COOKIE = "towow_consent";
/**
 * The prefix of the cookies that note a no. A browser may send a hundred of them, so their names hold only the
 * beginning of an id.
 */
const DENIED_COOKIE = "towow_denied_";
const DENIED_CHARS = 12;
/** The form of a challenge and of our secrets, which are both 32 bytes in base64url. */
const OF_32_BYTES = /^[\w-]{43}$/;

const ticketShape = z.object({
  id: z.string(),
  client: z.object({
    id: z.string(),
    name: z.string(),
    redirects: z.array(z.string()),
    saidBy: z.string().optional(),
  }),
  redirect: z.string(),
  challenge: z.string(),
  state: z.string().optional(),
  /** The hash of a cookie, so that the address of the page does not give the cookie away. */
  browser: z.string(),
  until: z.number(),
});
type Ticket = z.infer<typeof ticketShape>;

/**
 * Serves `/authorize`, where a program asks and its person answers. The request becomes a ticket in the address of the
 * page, so nothing is kept until the person has said yes. A request of an unknown program, or with an unknown address,
 * is redirected nowhere.
 */
export function createAuthorize(options: AuthorizeOptions): Hono {
  const { grants, clients, seals, clock, store, people, desk } = options;
  const app = new Hono();

  const refused = (c: Context, why: Parameters<typeof refusedPage>[1], status: 400 | 410 | 429) => {
    pageHeaders(c);
    return c.html(refusedPage(shownTo(c, textsFor(c)), why), status);
  };

  // Another site leads here, so the browser sends no cookie that knows a person. The page itself is one step further.
  app.get(PATHS.authorize, async (c) => {
    const host = c.req.header("host") ?? "";
    if (!options.isHost(host)) return c.text("forbidden host", 403);
    keepLanguage(c, people.isSecure);
    const origin = options.originOf(host);
    const asked = new URL(c.req.url).searchParams;
    const one = (name: string) => (asked.getAll(name).length === 1 ? (asked.get(name) ?? undefined) : undefined);
    const redirect = one("redirect_uri");
    const client = await clients.find(one("client_id") ?? "").catch((error) => {
      if (isRateLimited(error)) return "busy" as const;
      throw error;
    });
    if (client === "busy") return refused(c, "busy", 429);
    if (client === undefined) return refused(c, "unknownClient", 400);
    if (redirect === undefined || !takesRedirect(client, redirect)) return refused(c, "wrongAddress", 400);
    const problem = problemOf(asked, origin);
    const state = one("state");
    if (problem !== undefined) return c.redirect(ledBack(redirect, { ...problem, state, iss: origin }), 303);
    const kept = getCookie(c, COOKIE) ?? "";
    const cookie = OF_32_BYTES.test(kept) ? kept : seals.newSecret();
    setAuthorizeCookie(c, COOKIE, cookie, people.isSecure);
    const ticket: Ticket = {
      id: seals.newSecret(),
      client: { ...client, redirects: [] }, // the other addresses could make the ticket too long
      ...{ redirect, challenge: asked.get("code_challenge") ?? "", state },
      browser: nameOfSecret(cookie),
      until: clock.now() + TICKET_MS,
    };
    return c.redirect(`${PATHS.authorize}/${seals.sign(TICKET, ticket)}`, 303);
  });

  app.use(`${PATHS.authorize}/:ticket`, (c, next) => refuseForeign(c, next, options, textsFor(c)));

  /** Returns the ticket of a request, or undefined if it is answered or expired, or if another browser brought it. */
  const ticketOf = async (c: Context): Promise<Ticket | undefined> => {
    const ticket = ticketShape.safeParse(seals.signed(TICKET, c.req.param("ticket") ?? "")).data;
    if (ticket === undefined || clock.now() >= ticket.until) return undefined;
    if (!isSame(nameOfSecret(getCookie(c, COOKIE) ?? ""), ticket.browser)) return undefined;
    if (getCookie(c, deniedCookie(ticket)) !== undefined) return undefined;
    return (await store.get(answered(ticket), z.literal(true))) === undefined ? ticket : undefined;
  };

  /**
   * Returns a mark of the person for whom the page asked. The form sends it back, because somebody else may have signed
   * in with this browser since.
   */
  const markOf = ({ user }: BrowserOwner): string => seals.derived("person", user);

  const page = async (c: Context, ticket: Ticket, problem?: NotSignedIn) => {
    const texts = textsFor(c);
    const cookies = browserCookies(c, people);
    const owner = c.req.query("who") === "another" ? undefined : await people.ownerOf(cookies);
    const isKnown = owner !== undefined && problem === undefined;
    if (isKnown) setBrowserCookie(c, owner.cookie, people);
    pageHeaders(c, { leadsTo: sourceOf(ticket.redirect) });
    const shown = consentPage(shownTo(c, texts), {
      client: ticket.client,
      redirect: ticket.redirect,
      person: isKnown ? { ...(await desk.personOf(owner, cookies)), mark: markOf(owner) } : undefined,
      network: options.network,
      canJoin: await desk.canJoin(),
      policy: options.policy(),
      problem: problem && texts.page.signIn[problem],
      browsersPath: options.browsersPath,
      asAnother: "?who=another",
    });
    if (problem === undefined) return c.html(shown);
    return problem === "full" || problem === "unreached"
      ? c.html(shown, 503, { "Retry-After": "10" })
      : c.html(shown, 403);
  };

  app.get(`${PATHS.authorize}/:ticket`, async (c) => {
    const ticket = await ticketOf(c);
    return ticket === undefined ? refused(c, "expired", 410) : page(c, ticket);
  });

  app.post(`${PATHS.authorize}/:ticket`, async (c) => {
    const ticket = await ticketOf(c);
    if (ticket === undefined) return refused(c, "expired", 410);
    const form = await formOf(c, MAX_FORM_BYTES);
    if (form.do === "deny") return deny(c, ticket);
    const agent = c.req.header("user-agent") ?? "";
    let cookies = browserCookies(c, people);
    const isNamed = form.who === "token";
    if (isNamed) {
      const entry = await people.signIn(String(form.token ?? "").trim(), agent, cookies);
      if (typeof entry === "string") return page(c, ticket, entry);
      setBrowserCookie(c, entry, people);
      cookies = withCookie(cookies, entry);
    }
    if (form.do !== "allow") return c.redirect(c.req.path, 303);
    if (form.who === "new") return join(c, ticket, form.word === "yes");
    const owner = await people.ownerOf(cookies);
    if (owner !== undefined && !isNamed && form.person !== markOf(owner)) return c.redirect(c.req.path, 303);
    const credential = owner && (await desk.credentialOf(owner.user, cookies));
    if (credential === undefined) return c.redirect(`${c.req.path}?who=another`, 303);
    if (typeof credential === "string") return page(c, ticket, credential);
    const { client, redirect, challenge } = ticket;
    const to = {
      ...{ clientId: client.id, name: client.name, redirect: shownDestination(redirect) },
      passesWord: form.word === "yes" && !options.policy().isStrict,
    };
    return allow(c, ticket, () => grants.begin(to, credential, { clientId: client.id, redirect, challenge }));
  });

  /** Notes a no in a cookie of the browser. Anybody can say no, and no stranger may fill the store that way. */
  const deny = (c: Context, ticket: Ticket) => {
    setAuthorizeCookie(c, deniedCookie(ticket), "1", people.isSecure);
    const { redirect, state } = ticket;
    const iss = options.originOf(c.req.header("host") ?? "");
    return c.redirect(ledBack(redirect, { error: "access_denied", state, iss }), 303);
  };

  /** Notes the yes and leads back with the code. Only the first yes counts: a second form of the same page gets no code. */
  const allow = async (c: Context, ticket: Ticket, begin: () => Promise<string>) => {
    const code = await begin();
    // The code is given only after the answer is written down.
    const { created } = await store.create(answered(ticket), true, TICKET_MS, z.literal(true));
    if (!created) {
      await grants.revoke(code);
      return refused(c, "expired", 410);
    }
    const { redirect, state } = ticket;
    const iss = options.originOf(c.req.header("host") ?? "");
    const address = ledBack(redirect, { code, state, iss });
    if (destinationOf(redirect).kind !== "scheme") return c.redirect(address, 303);
    pageHeaders(c, { sends: false });
    return c.html(donePage(shownTo(c, textsFor(c)), address));
  };

  /** Makes a new person, at most one for each request. */
  const join = async (c: Context, ticket: Ticket, passesWord: boolean) => {
    const { created } = await store.create(`joined:${ticket.id}`, true, TICKET_MS, z.literal(true));
    if (!created) return refused(c, "expired", 410);
    const cookies = browserCookies(c, people);
    const joined = await desk.join(c.req.header("user-agent") ?? "", cookies);
    const shown = shownTo(c, textsFor(c));
    if ("problem" in joined) {
      await store.delete(`joined:${ticket.id}`);
      const { title, ...lead } = frontTexts(shown.texts.lang).noToken;
      const ways = [{ href: c.req.path, text: frontTexts(shown.texts.lang).again }];
      const why = { title, lead: lead[joined.problem], lines: 0, isProblem: true, ways };
      return c.html(closedPage(shown, why), joined.problem === "busy" ? 429 : 503, { "Retry-After": "10" });
    }
    setBrowserCookie(c, joined.cookie, people);
    const owner = await people.ownerOf(withCookie(cookies, joined.cookie));
    pageHeaders(c, { scripts: [COPY_SCRIPT], leadsTo: sourceOf(ticket.redirect) });
    return c.html(joinedPage(shown, { ...joined, passesWord, mark: owner && markOf(owner) }));
  };

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    pageHeaders(c);
    const texts = textsFor(c);
    const { title, lead } = texts.page.refused.failed;
    const why = { title, lead: lead(messageOf(error, texts)), lines: 0, isProblem: true };
    return c.html(closedPage(shownTo(c, texts), why), error instanceof StoreUnreachable ? 503 : 502, {
      "Retry-After": "10",
    });
  });
  return app;
}

const answered = ({ id }: Ticket): string => `consent:${id}`;
const deniedCookie = ({ id }: Ticket): string => `${DENIED_COOKIE}${id.slice(0, DENIED_CHARS)}`;

/** Returns what a person's list of programs shows of an address, which is no more than its host. */
const shownDestination = (redirect: string): string => {
  const to = destinationOf(redirect);
  return to.kind === "host" ? to.host : to.kind === "scheme" ? to.scheme : "";
};

/**
 * Returns what is wrong with a request. Its client and address are known to be good by now, so the problem may be
 * reported at that address.
 */
function problemOf(asked: URLSearchParams, origin: string): { error: string; error_description: string } | undefined {
  const say = (error: string, error_description: string) => ({ error, error_description });
  const twice = [...new Set(asked.keys())].find((name) => name !== "resource" && asked.getAll(name).length > 1);
  if (twice !== undefined) return say("invalid_request", "a parameter is given twice");
  if (asked.get("response_type") !== "code") return say("unsupported_response_type", "response_type is code");
  if ((asked.get("response_mode") ?? "query") !== "query") return say("invalid_request", "response_mode is query");
  if (asked.get("code_challenge_method") !== "S256" || !OF_32_BYTES.test(asked.get("code_challenge") ?? ""))
    return say("invalid_request", "PKCE with S256 is required");
  if (asked.get("prompt") === "none") return say("interaction_required", "the person is always asked");
  if ((asked.get("state") ?? "").length > MAX_STATE) return say("invalid_request", "state is too long");
  if (!asked.getAll("resource").every((one) => isThisResource(one, origin)))
    return say("invalid_target", "resource names another server");
  return undefined;
}

/**
 * Sets a cookie that shows that the answering browser is the one that brought the request. The browser sends it even if
 * another site led here, so a second request finds the cookie of the first, and both can be answered.
 */
function setAuthorizeCookie(c: Context, name: string, value: string, isSecure: boolean): void {
  const maxAge = TICKET_MS / 1000;
  setCookie(c, name, value, {
    httpOnly: true,
    secure: isSecure,
    sameSite: "Lax",
    path: PATHS.authorize,
    maxAge,
  });
}

/** Returns the cookies as the browser will send them from now on. */
const withCookie = (cookies: Cookies, { name, value, replaces = [] }: BrowserCookie): Cookies => ({
  ...Object.fromEntries(Object.entries(cookies).filter(([known]) => !replaces.includes(known))),
  [name]: value,
});
