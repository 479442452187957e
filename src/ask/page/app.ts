import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { ignoreTowowError } from "../../errors.ts";
import type { BrowserProof } from "../../question/who.ts";
import { messageOf } from "../../result/tool-error.ts";
import type { Texts } from "../../text/index.ts";
import { leadPage, othersPage, signInHere, signInPage, wayPage } from "./browser-pages.ts";
import { type GuardOptions, refuseForeign } from "./guard.ts";
import { messagePage, permissionPage } from "./html.ts";
import type { OpenPage, PageSignIn, PermissionPage } from "./open-page.ts";
import { PAGE_LIFE_MS, type PageBook } from "./site.ts";
import {
  type Admission,
  admit,
  browserCookies,
  type CookieOptions,
  formOf,
  keepsCookies,
  setBrowserCookie,
  setVisitCookie,
  tryCookies,
  visitCookie,
} from "./visitor.ts";
import type { Opening } from "./windows.ts";

export interface AppOptions extends GuardOptions, CookieOptions {
  book: Pick<PageBook, "find" | "visits">;
  /** Opens a page's own address in the person's browser, past everybody else's eyes; false where that cannot be done. */
  openWindow?: (path: string) => Promise<Opening>;
  /** The path below which pages stand, without a slash at its end. */
  base: string;
  /** Where people see and revoke their browsers; only an endpoint has such a page. */
  browsersPath?: string;
  fallback: Texts;
}

/** In the query of an address that was led to itself once more. */
const AGAIN = "again";
const MAX_FORM_BYTES = 16 * 1024;
/** By way of one page's addresses: everybody who sees one may try it, and a desktop is not to be flooded. */
const MAX_WINDOWS = 5;

type Found = NonNullable<ReturnType<PageBook["find"]>>;
type Env = { Variables: { page: PermissionPage; browser: BrowserProof } };

/**
 * The approval page's HTTP side (agent layer §3): named hosts only, no script but the room's, no cache. Who may decide says
 * {@link admit}; everybody else is shown what to do, and decides nothing.
 */
export function createApprovalApp(options: AppOptions): Hono<Env> {
  const { book, openWindow, base, isSecure, fallback } = options;
  const { visits } = book;
  const app = new Hono<Env>();
  const path = `${base}/:name/:secret` as "/approve/:name/:secret";

  app.use((c, next) => refuseForeign(c, next, options, fallback));

  // The page itself, and what it loads and sends below it.
  app.use(`${path}/*`, async (c, next) => {
    const found = find(c);
    if (found === undefined) return c.html(messagePage(fallback.page.refused.gone, fallback), 410);
    const { page, came } = found;
    const isPage = c.req.path === pathOf(c);
    const opens = isPage && c.req.method === "GET";
    // Where browsers cannot be read or written down, none is known and none let in; the other ways stay.
    const known = await page.owner.browsers.recognise(browserCookies(c, options)).catch(ignoreTowowError);
    if (known !== undefined) setBrowserCookie(c, known.cookie, options);
    const isFree = known === undefined && !visits.isOpened(page);
    if (opens && isFree && came !== "window" && (await opened(found)))
      return c.html(messagePage(page.texts.page.inOwnWindow(demandOf(page)), page.texts));
    const isAnother = known === undefined && (await isAnothers(c, page));
    // Nothing is waited for between here and the binding: of two that come at once one opens it.
    const visitor = {
      came,
      opens,
      isOpened: visits.isOpened(page),
      proved: proved(visitCookie(c), page),
      hasWindow: page.windows !== undefined,
      isKnown: known !== undefined,
      mustSignIn: page.owner.signIn !== undefined,
      isAnother,
    };
    const admission = admit(visitor, page.owner.isStrict());
    if (admission.kind !== "admitted") return isPage ? refuse(c, page, admission) : refuseBelow(c, page);
    const cookie = admission.isFirst ? bind(c, page, admission.proof) : visitCookie(c);
    if (page.kind === "permission") {
      c.set("page", page);
      c.set("browser", admission.proof);
      return next();
    }
    const mayStay = async () => {
      if (find(c) === undefined) return false; // the page has been forgotten, and its room closed
      const isKnown =
        (await page.owner.browsers.recognise(browserCookies(c, options)).catch(ignoreTowowError)) !== undefined;
      const now = { ...visitor, proved: proved(cookie, page), opens: false, isKnown };
      return admit(now, page.owner.isStrict()).kind === "admitted";
    };
    const visit = { base: pathOf(c), browser: admission.proof, mayStay };
    const response = await page.room.serve(c.req.raw, visit);
    return c.newResponse(response.body, response); // with the cookies that it is given here
  });

  app.get(path, async (c) => reply(c, await showPermission(c.get("page"))));

  app.post(path, async (c) => {
    return reply(c, await answerPermission(c.get("page"), c.get("browser"), await formOf(c, MAX_FORM_BYTES)));
  });

  /** Of all addresses of the page, and of the one by which somebody came. */
  const sharedPathOf = (c: Context) => `${base}/${c.req.param("name") ?? ""}`;
  const pathOf = (c: Context) => `${sharedPathOf(c)}/${c.req.param("secret") ?? ""}`;
  const find = (c: Context) => book.find(pathOf(c).slice(`${base}/`.length));

  const reply = (c: Context<Env>, { html, status }: PageAnswer) => c.html(html, status);

  /** The first browser that proves to be the person's is the only one that this page takes for theirs. */
  function bind(c: Context<Env>, page: OpenPage, proof: BrowserProof): string {
    const cookie = visits.open(page, proof);
    setVisitCookie(c, cookie, { path: sharedPathOf(c), isSecure, keptMs: PAGE_LIFE_MS });
    return cookie;
  }

  function proved(cookie: string | undefined, page: OpenPage): BrowserProof | undefined {
    const visit = visits.of(cookie);
    return visit?.place === page ? visit.proof : undefined;
  }

  /** Where that cannot be read, they are asked to sign in. */
  const isAnothers = async (c: Context<Env>, { owner: { signIn } }: OpenPage) =>
    (await signIn?.isAnother(browserCookies(c, options)).catch(ignoreTowowError)) === true;

  /** What a page loads and sends: no part of it answers anybody else. */
  const refuseBelow = (c: Context<Env>, page: OpenPage) => {
    const { texts, owner } = page;
    return c.html(messagePage(owner.signIn === undefined ? elsewhere(page) : texts.page.way.introHosted, texts), 403);
  };

  /** Decides nothing, and says what to do. */
  async function refuse(c: Context<Env>, page: OpenPage, { kind }: Admission) {
    const { texts, owner } = page;
    if (kind === "others" && c.req.method === "GET") return c.html(othersPage(texts, options.browsersPath), 403);
    if (owner.signIn !== undefined) return signIn(c, page, owner.signIn);
    const say = (code?: string) => {
      const intro = kind === "elsewhere" ? elsewhere(page) : texts.page.way.intro;
      return c.html(wayPage(texts, intro, demandOf(page), code), 403);
    };
    if (c.req.method !== "GET") return say();
    if (!keepsCookies(c, options)) {
      if (c.req.query(AGAIN) !== undefined) return say();
      tryCookies(c, options);
      return c.html(leadPage(`${c.req.path}?${AGAIN}`, texts), 403);
    }
    const visit = await owner.browsers
      .visit(browserCookies(c, options), c.req.header("user-agent") ?? "")
      .catch(ignoreTowowError);
    if (visit?.cookie !== undefined) setBrowserCookie(c, visit.cookie, options);
    return say(visit?.code);
  }

  async function signIn(c: Context<Env>, { texts }: OpenPage, { enter }: PageSignIn) {
    const { token } = c.req.method === "POST" ? await formOf(c, MAX_FORM_BYTES) : {};
    if (typeof token !== "string") return c.html(signInPage(texts), 403);
    return signInHere(c, token, enter, texts, options);
  }

  /** One window at a time: who comes while it opens is led to the same. */
  async function opened({ page, paths }: Found): Promise<boolean> {
    if ((page.windows ?? 0) >= MAX_WINDOWS) return false;
    page.opening ??= openOne(page, paths.window).finally(() => {
      page.opening = undefined;
    });
    return page.opening;
  }

  async function openOne(page: OpenPage, path: string): Promise<boolean> {
    const opening = await openWindow?.(path);
    // One that is not opened because there were too many opens no other way to the page.
    if (opening === "too_many") page.windows ??= 0;
    if (opening !== "opened") return false;
    page.windows = (page.windows ?? 0) + 1;
    return true;
  }

  // A backend that cannot be asked, or whose answer cannot be read: the page says so, and stays open.
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    const { texts } = find(c)?.page ?? { texts: fallback };
    return c.html(messagePage(texts.page.refused.failed(messageOf(error, texts)), texts), 502);
  });
  app.notFound((c) => c.html(messagePage(fallback.page.refused.gone, fallback), 404));
  return app;
}

/** The demand that can also be decided on in a terminal; a profile or an action cannot. */
const demandOf = (page: OpenPage): string | undefined => (page.kind === "formulation" ? page.negotiationId : undefined);

/** What somebody can do whose page is open in a browser that is not theirs. */
const elsewhere = (page: OpenPage): string =>
  page.texts.page.elsewhere[page.kind === "formulation" ? "demand" : "permission"];

type Html = ReturnType<typeof messagePage>;
type Form = Readonly<Record<string, unknown>>;

interface PageAnswer {
  html: Html;
  status: 200 | 410 | 422;
}

const answer = (html: Html, status: PageAnswer["status"] = 200): PageAnswer => ({ html, status });
const gone = (texts: Texts) => answer(messagePage(texts.page.refused.gone, texts), 410);

/** The page for the person who decides whether something may be sent. */
const showPermission = async ({ request, texts }: PermissionPage): Promise<PageAnswer> =>
  (await request.isOpen()) ? answer(permissionPage(request, texts)) : gone(texts);

/** What becomes of the form that they fill in. */
async function answerPermission(
  { request, texts }: PermissionPage,
  browser: BrowserProof,
  { decision }: Form,
): Promise<PageAnswer> {
  if (!(await request.isOpen())) return gone(texts);
  if (decision !== "accept" && decision !== "reject") return answer(permissionPage(request, texts), 422);
  await request.decide(decision, browser);
  const { accepted, rejected } = texts.page[request.kind];
  return answer(messagePage(decision === "accept" ? accepted : rejected, texts));
}
