import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import type { NotSignedIn } from "../../../ask/page/browser-pages.ts";
import { type PageHosts, refuseForeign } from "../../../ask/page/foreign-requests.ts";
import { closedPage, pageContextOf } from "../../../ask/page/frame.ts";
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
import type { Seals } from "./sealing.ts";
import { OF_32_BYTES, type Ticket, Tickets } from "./tickets.ts";

/**
 * The result of joining. Either there is a new person, whose browser is then signed in, or a reason why there is none.
 */
export type Joined =
  | { token: string; isHereAlone: boolean; cookie: BrowserCookie }
  | { problem: "none" | "busy" | "failed" };

/** Answers who the person at the consent page is, and with which credential a program may act for them. */
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

const MAX_FORM_BYTES = 16 * 1024;
const MAX_STATE = 2_000;

/**
 * Serves `/authorize`, where a program asks and its person answers. The request becomes a signed ticket in the address
 * of the page. If the program or its redirect address is unknown, the request is redirected nowhere.
 */
export const createAuthorize = (options: AuthorizeOptions): Hono => new AuthorizePages(options).routes();

class AuthorizePages {
  readonly #options: AuthorizeOptions;
  readonly #tickets: Tickets;

  constructor(options: AuthorizeOptions) {
    const { seals, clock, store, people } = options;
    this.#options = options;
    this.#tickets = new Tickets({ seals, clock, store, isSecure: people.isSecure, path: PATHS.authorize });
  }

  routes(): Hono {
    const app = new Hono();
    const page = `${PATHS.authorize}/:ticket`;
    // Another site leads here, so the browser does not send the cookie that identifies its person. It does so at the
    // next address, which is the page itself.
    app.get(PATHS.authorize, (c) => this.#begin(c));
    app.use(page, (c, next) => refuseForeign(c, next, this.#options, textsFor(c)));
    app.get(page, async (c) => {
      const ticket = await this.#tickets.of(c);
      return ticket === undefined ? refused(c, "expired", 410) : this.#show(c, ticket);
    });
    app.post(page, async (c) => {
      const ticket = await this.#tickets.of(c);
      return ticket === undefined ? refused(c, "expired", 410) : this.#answer(c, ticket);
    });
    app.onError(failed);
    return app;
  }

  /**
   * Redirects a program's request to the page, or back to the program if it asks for something that cannot be given.
   */
  async #begin(c: Context) {
    const { clients, people, isHost } = this.#options;
    if (!isHost(hostIn(c))) return c.text("forbidden host", 403);
    keepLanguage(c, people.isSecure);
    const iss = this.#originOf(c);
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
    const problem = problemOf(asked, iss);
    const state = one("state");
    if (problem !== undefined) return c.redirect(ledBack(redirect, { ...problem, state, iss }), 303);
    const challenge = asked.get("code_challenge") ?? "";
    return c.redirect(`${PATHS.authorize}/${this.#tickets.issue(c, { client, redirect, challenge, state })}`, 303);
  }

  async #show(c: Context, ticket: Ticket, problem?: NotSignedIn) {
    const { people, desk, network, policy, browsersPath } = this.#options;
    const texts = textsFor(c);
    const cookies = browserCookies(c, people);
    const owner = c.req.query("who") === "another" ? undefined : await people.ownerOf(cookies);
    const isKnown = owner !== undefined && problem === undefined;
    if (isKnown) setBrowserCookie(c, owner.cookie, people);
    pageHeaders(c, { leadsTo: sourceOf(ticket.redirect) });
    const page = consentPage(pageContextOf(c, texts), {
      client: ticket.client,
      redirect: ticket.redirect,
      person: isKnown ? { ...(await desk.personOf(owner, cookies)), mark: this.#markOf(owner) } : undefined,
      network,
      canJoin: await desk.canJoin(),
      policy: policy(),
      problem: problem && texts.page.signIn[problem],
      browsersPath,
      asAnother: "?who=another",
    });
    if (problem === undefined) return c.html(page);
    return problem === "full" || problem === "unreached"
      ? c.html(page, 503, { "Retry-After": "10" })
      : c.html(page, 403);
  }

  /** Carries out the answer that the page's form brings. */
  async #answer(c: Context, ticket: Ticket) {
    const { people, desk, grants, policy } = this.#options;
    const form = await formOf(c, MAX_FORM_BYTES);
    if (form.do === "deny") return this.#deny(c, ticket);
    let cookies = browserCookies(c, people);
    const isNamed = form.who === "token";
    if (isNamed) {
      const entry = await people.signIn(String(form.token ?? "").trim(), agentIn(c), cookies);
      if (typeof entry === "string") return this.#show(c, ticket, entry);
      setBrowserCookie(c, entry, people);
      cookies = withCookie(cookies, entry);
    }
    if (form.do !== "allow") return c.redirect(c.req.path, 303);
    if (form.who === "new") return this.#join(c, ticket, form.word === "yes");
    const owner = await people.ownerOf(cookies);
    if (owner !== undefined && !isNamed && form.person !== this.#markOf(owner)) return c.redirect(c.req.path, 303);
    const credential = owner && (await desk.credentialOf(owner.user, cookies));
    if (credential === undefined) return c.redirect(`${c.req.path}?who=another`, 303);
    if (typeof credential === "string") return this.#show(c, ticket, credential);
    const { client, redirect, challenge } = ticket;
    const to = {
      ...{ clientId: client.id, name: client.name, redirect: shownDestination(redirect) },
      passesWord: form.word === "yes" && !policy().isStrict,
    };
    const code = await grants.begin(to, credential, { clientId: client.id, redirect, challenge });
    return this.#allow(c, ticket, code);
  }

  #deny(c: Context, ticket: Ticket) {
    this.#tickets.deny(c, ticket);
    const { redirect, state } = ticket;
    return c.redirect(ledBack(redirect, { error: "access_denied", state, iss: this.#originOf(c) }), 303);
  }

  /**
   * Notes the yes and leads back to the program with the code. If the page's form is sent twice, the second gets no
   * code.
   */
  async #allow(c: Context, ticket: Ticket, code: string) {
    // The code is given only after the answer is written down.
    if (!(await this.#tickets.accept(ticket))) {
      await this.#options.grants.revoke(code);
      return refused(c, "expired", 410);
    }
    const { redirect, state } = ticket;
    const address = ledBack(redirect, { code, state, iss: this.#originOf(c) });
    if (destinationOf(redirect).kind !== "scheme") return c.redirect(address, 303);
    pageHeaders(c, { sends: false });
    return c.html(donePage(pageContextOf(c, textsFor(c)), address));
  }

  /** Makes a new person, at most one for each request. */
  async #join(c: Context, ticket: Ticket, passesWord: boolean) {
    const { people, desk } = this.#options;
    if (!(await this.#tickets.beginJoin(ticket))) return refused(c, "expired", 410);
    const cookies = browserCookies(c, people);
    const joined = await desk.join(agentIn(c), cookies);
    const context = pageContextOf(c, textsFor(c));
    if ("problem" in joined) {
      await this.#tickets.undoJoin(ticket);
      const { title, ...lead } = frontTexts(context.texts.lang).noToken;
      const ways = [{ href: c.req.path, text: frontTexts(context.texts.lang).again }];
      const why = { title, lead: lead[joined.problem], lines: 0, isProblem: true, ways };
      return c.html(closedPage(context, why), joined.problem === "busy" ? 429 : 503, { "Retry-After": "10" });
    }
    setBrowserCookie(c, joined.cookie, people);
    const owner = await people.ownerOf(withCookie(cookies, joined.cookie));
    pageHeaders(c, { scripts: [COPY_SCRIPT], leadsTo: sourceOf(ticket.redirect) });
    return c.html(joinedPage(context, { ...joined, passesWord, mark: owner && this.#markOf(owner) }));
  }

  /**
   * Returns a mark of the person whom the page names. The form sends the mark back, because somebody else may have
   * signed in with this browser since.
   */
  #markOf({ user }: BrowserOwner): string {
    return this.#options.seals.derived("person", user);
  }

  #originOf(c: Context): string {
    return this.#options.originOf(hostIn(c));
  }
}

const hostIn = (c: Context): string => c.req.header("host") ?? "";
const agentIn = (c: Context): string => c.req.header("user-agent") ?? "";

function refused(c: Context, why: Parameters<typeof refusedPage>[1], status: 400 | 410 | 429) {
  pageHeaders(c);
  return c.html(refusedPage(pageContextOf(c, textsFor(c)), why), status);
}

function failed(error: Error, c: Context): Response | Promise<Response> {
  if (error instanceof HTTPException) return error.getResponse();
  pageHeaders(c);
  const texts = textsFor(c);
  const { title, lead } = texts.page.refused.failed;
  const why = { title, lead: lead(messageOf(error, texts)), lines: 0, isProblem: true };
  return c.html(closedPage(pageContextOf(c, texts), why), error instanceof StoreUnreachable ? 503 : 502, {
    "Retry-After": "10",
  });
}

/** Returns the part of an address that a person's list of programs shows, which is no more than its host or scheme. */
const shownDestination = (redirect: string): string => {
  const to = destinationOf(redirect);
  return to.kind === "host" ? to.host : to.kind === "scheme" ? to.scheme : "";
};

/**
 * Returns what is wrong with a request whose client and address are known to be good. The problem may therefore be
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

/** Returns the cookies as the browser will send them from now on. */
const withCookie = (cookies: Cookies, { name, value, replaces = [] }: BrowserCookie): Cookies => ({
  ...Object.fromEntries(Object.entries(cookies).filter(([known]) => !replaces.includes(known))),
  [name]: value,
});
