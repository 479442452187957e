import { type Context, Hono, type Next } from "hono";
import { HTTPException } from "hono/http-exception";
import { ignoreTowowError } from "../../errors.ts";
import type { BrowserProof } from "../../question/who.ts";
import { messageOf } from "../../result/tool-error.ts";
import type { Texts } from "../../text/index.ts";
import { piecesIn } from "../asked.ts";
import { questionOf } from "../permission-question.ts";
import { answerWithWay, askToSignIn, leadPage, othersPage, type SignInForm, signInHere } from "./browser-pages.ts";
import { type PageHosts, refuseForeign } from "./foreign-requests.ts";
import { type Closed, closedPage, type PageContext, pageContextOf } from "./frame.ts";
import type { Opening, OpenPage, PageSignIn, PermissionPage } from "./open-page.ts";
import { ARM_SCRIPT, pageHeaders } from "./page-scripts.ts";
import { outName, permissionPage } from "./permission-page.ts";
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
  textsIn,
  tryCookies,
  visitCookie,
} from "./visitor.ts";

export interface AppOptions extends PageHosts, CookieOptions {
  book: Pick<PageBook, "find" | "visits">;
  /** Opens a page's own secret address in the person's browser. Absent if no browser can be opened from here. */
  openWindow?: (path: string) => Promise<Opening>;
  /** The path of all pages, without a slash at its end. */
  base: string;
  /** The path of the page on which people see and revoke their browsers. Only an endpoint has such a page. */
  browsersPath?: string;
  /** Returns the texts of the site's pages in a language. */
  textsOf: (lang: Texts["lang"]) => Texts;
}

/** The query that marks an address that was already redirected to itself once. */
const AGAIN = "again";
const MAX_FORM_BYTES = 16 * 1024;
/** The most windows that one page's addresses open. Everybody who sees such an address may try it. */
const MAX_WINDOWS = 5;

type Found = NonNullable<ReturnType<PageBook["find"]>>;
type Env = { Variables: { page: PermissionPage; browser: BrowserProof } };

/**
 * Serves the approval pages over HTTP (agent layer §3), for named hosts only, with no script but the room's and the
 * page's own, and uncached. {@link admit} says who may decide. Everybody else reads what to do, and decides nothing.
 */
export const createApprovalApp = (options: AppOptions): Hono<Env> => new ApprovalApp(options).routes();

class ApprovalApp {
  readonly #options: AppOptions;
  /** The texts for a visitor without a page and without a language. */
  readonly #fallback: Texts;

  constructor(options: AppOptions) {
    this.#options = options;
    this.#fallback = options.textsOf("en");
  }

  routes(): Hono<Env> {
    const app = new Hono<Env>();
    const path = `${this.#options.base}/:name/:secret` as "/approve/:name/:secret";
    app.use((c, next) => refuseForeign(c, next, this.#options, this.#fallback));
    // Handles the page itself and everything below it.
    app.use(`${path}/*`, (c, next) => this.#enter(c, next));
    app.use(path, async (c, next) => {
      pageHeaders(c, { scripts: [ARM_SCRIPT] });
      return next();
    });
    app.get(path, async (c) => {
      const { html, status } = await showPermission(c.get("page"), this.#contextOf(c, c.get("page")));
      return c.html(html, status);
    });
    app.post(path, async (c) => {
      const page = c.get("page");
      const form = await formOf(c, MAX_FORM_BYTES);
      const { html, status } = await answerPermission(page, this.#contextOf(c, page), c.get("browser"), form);
      return c.html(html, status);
    });
    app.onError((error, c) => this.#failed(error, c));
    app.notFound((c) => c.html(this.#gone(c), 404));
    return app;
  }

  /**
   * Lets a visitor who may decide in, to the question or to the room behind it. All other visitors learn what to do.
   */
  async #enter(c: Context<Env>, next: Next) {
    const { visits } = this.#options.book;
    const found = this.#find(c);
    if (found === undefined) return c.html(this.#gone(c), 410);
    const { page, came } = found;
    const isPage = c.req.path === this.#pathOf(c);
    // A page that waits to be let in asks repeatedly. Such a request opens no page and no window.
    const opens = isPage && c.req.method === "GET" && !asksForItself(c);
    const known = await this.#recognised(c, page);
    if (known !== undefined) setBrowserCookie(c, known.cookie, this.#options);
    const isFree = known === undefined && !visits.isOpened(page);
    if (opens && isFree && came !== "window" && (await opened(found, this.#options.openWindow)))
      return c.html(
        closedPage(this.#contextOf(c, page), inOwnWindow(page, textsIn(c, page.texts, this.#options.textsOf))),
      );
    const isAnother = known === undefined && (await this.#isAnothers(c, page));
    // Nothing is awaited from here until the page is bound, so that only one of two simultaneous requests opens it.
    const visitor = {
      came,
      opens,
      isOpened: visits.isOpened(page),
      proved: this.#proved(visitCookie(c), page),
      hasWindow: page.windows !== undefined,
      isKnown: known !== undefined,
      mustSignIn: page.owner.signIn !== undefined,
      isAnother,
    };
    const admission = admit(visitor, page.owner.isStrict());
    if (admission.kind !== "admitted") return isPage ? this.#refuse(c, page, admission) : this.#refuseBelow(c, page);
    const cookie = admission.isFirst ? this.#bind(c, page, admission.proof) : visitCookie(c);
    if (page.kind === "permission") {
      c.set("page", page);
      c.set("browser", admission.proof);
      return next();
    }
    const mayStay = async () => {
      if (this.#find(c) === undefined) return false; // The page has been forgotten and its room closed.
      const isKnown = (await this.#recognised(c, page)) !== undefined;
      const now = { ...visitor, proved: this.#proved(cookie, page), opens: false, isKnown };
      return admit(now, page.owner.isStrict()).kind === "admitted";
    };
    const response = await page.room.serve(c.req.raw, { base: this.#pathOf(c), browser: admission.proof, mayStay });
    return c.newResponse(response.body, response); // The response carries the cookies that were set here.
  }

  /**
   * Returns the browser's record if the person has let it in before. If the records cannot be read or written, no
   * browser counts as known, and its person must prove themselves in another way.
   */
  #recognised(c: Context, { owner: { browsers } }: OpenPage) {
    return browsers.recognise(browserCookies(c, this.#options)).catch(ignoreTowowError);
  }

  /** Returns the page's path without the secret by which the visitor came. */
  #sharedPathOf(c: Context): string {
    return `${this.#options.base}/${c.req.param("name") ?? ""}`;
  }

  #pathOf(c: Context): string {
    return `${this.#sharedPathOf(c)}/${c.req.param("secret") ?? ""}`;
  }

  #find(c: Context): Found | undefined {
    return this.#options.book.find(this.#pathOf(c).slice(`${this.#options.base}/`.length));
  }

  #contextOf(c: Context, { texts }: OpenPage): PageContext {
    return pageContextOf(c, textsIn(c, texts, this.#options.textsOf));
  }

  #gone(c: Context): Html {
    return gone(pageContextOf(c, textsIn(c, this.#fallback, this.#options.textsOf)));
  }

  /**
   * Binds the page to the first browser that proves to be the person's. The page accepts no other browser that must
   * prove itself.
   */
  #bind(c: Context<Env>, page: OpenPage, proof: BrowserProof): string {
    const { book, isSecure } = this.#options;
    const cookie = book.visits.open(page, proof);
    setVisitCookie(c, cookie, { path: this.#sharedPathOf(c), isSecure, keptMs: PAGE_LIFE_MS });
    return cookie;
  }

  #proved(cookie: string | undefined, page: OpenPage): BrowserProof | undefined {
    const visit = this.#options.book.visits.of(cookie);
    return visit?.place === page ? visit.proof : undefined;
  }

  /**
   * Returns whether somebody else has signed in with this browser. If the sign-in cannot be read, the visitor is asked
   * to sign in.
   */
  async #isAnothers(c: Context<Env>, { owner: { signIn } }: OpenPage): Promise<boolean> {
    return (await signIn?.isAnother(browserCookies(c, this.#options)).catch(ignoreTowowError)) === true;
  }

  /** Refuses the requests that a page sends below its own path, for all visitors who may not decide. */
  #refuseBelow(c: Context<Env>, page: OpenPage) {
    const context = this.#contextOf(c, page);
    const { title, lead } =
      page.owner.signIn === undefined ? elsewhere(page, context.texts) : signInFirst(context.texts);
    return c.html(closedPage(context, { title, lead, lines: 3, isProblem: true }), 403);
  }

  /** Refuses a visitor who may not decide, and says what to do instead. */
  async #refuse(c: Context<Env>, page: OpenPage, { kind }: Admission) {
    const { owner } = page;
    const options = this.#options;
    const context = this.#contextOf(c, page);
    const { texts } = context;
    if (kind === "others" && c.req.method === "GET") return c.html(othersPage(context, options.browsersPath), 403);
    if (owner.signIn !== undefined) return this.#signIn(c, page, owner.signIn);
    const why = kind === "elsewhere" ? elsewhere(page, texts) : unproven(page, texts);
    const say = (code?: string) => answerWithWay(c, texts, { ...why, negotiationId: demandOf(page), code });
    if (c.req.method !== "GET") return say();
    const { browsers } = owner;
    // The page's own script does not show a new code. It is therefore sent the code that its page shows, or none if
    // that code has expired.
    if (asksForItself(c)) return say(await browsers.codeOf(browserCookies(c, options)).catch(ignoreTowowError));
    if (!keepsCookies(c, options)) {
      if (c.req.query(AGAIN) !== undefined) return say();
      tryCookies(c, options);
      return c.html(leadPage(context, `${c.req.path}?${AGAIN}`), 403);
    }
    const issued = await browsers
      .issueCode(browserCookies(c, options), c.req.header("user-agent") ?? "")
      .catch(ignoreTowowError);
    if (issued?.cookie !== undefined) setBrowserCookie(c, issued.cookie, options);
    return say(issued?.code);
  }

  async #signIn(c: Context<Env>, page: OpenPage, { enter }: PageSignIn) {
    const { token } = c.req.method === "POST" ? await formOf(c, MAX_FORM_BYTES) : {};
    const texts = textsIn(c, page.texts, this.#options.textsOf);
    // A new person's token would not open this question, so the form offers no new token.
    const form: SignInForm = { options: this.#options, next: "decision" };
    return typeof token === "string" ? signInHere(c, token, enter, texts, form) : askToSignIn(c, texts, form, 403);
  }

  /**
   * Answers an error. If the backend cannot be asked, or its answer cannot be read, the page says so and stays open.
   */
  #failed(error: Error, c: Context<Env>) {
    if (error instanceof HTTPException) return error.getResponse();
    const texts = textsIn(c, this.#find(c)?.page.texts ?? this.#fallback, this.#options.textsOf);
    const { title, lead } = texts.page.refused.failed;
    const why = { title, lead: lead(messageOf(error, texts)), lines: 3, isProblem: true };
    return c.html(closedPage(pageContextOf(c, texts), why), 502);
  }
}

/** Opens the person's window. Only one opens at a time, so visitors who come meanwhile share it. */
async function opened({ page, paths }: Found, openWindow: AppOptions["openWindow"]): Promise<boolean> {
  if ((page.windows ?? 0) >= MAX_WINDOWS) return false;
  page.opening ??= openOne(page, () => openWindow?.(paths.window)).finally(() => {
    page.opening = undefined;
  });
  return page.opening;
}

async function openOne(page: OpenPage, open: () => Promise<Opening> | undefined): Promise<boolean> {
  const opening = await open();
  // If the window was refused because too many are open, the client's address must not open the page either.
  if (opening === "too_many") page.windows ??= 0;
  if (opening !== "opened") return false;
  page.windows = (page.windows ?? 0) + 1;
  return true;
}

/** Returns whether a page's own script sends the request, so that no person reads the answer. */
const asksForItself = (c: Context): boolean => c.req.header("sec-fetch-dest") === "empty";

/**
 * Returns the id of a demand, which can also be decided on in a terminal. It is undefined for a profile or an action,
 * which cannot.
 */
const demandOf = (page: OpenPage): string | undefined => (page.kind === "formulation" ? page.negotiationId : undefined);

type Why = Pick<Closed, "title"> & { lead: string };
const about = ({ kind }: OpenPage) => (kind === "formulation" ? "demand" : "permission");

/** Says what a person can do if their page is open in another browser. */
const elsewhere = (page: OpenPage, { page: { elsewhere } }: Texts): Why => ({
  title: elsewhere.title,
  lead: elsewhere[about(page)],
});
const unproven = (page: OpenPage, { page: { way } }: Texts): Why => ({ title: way.title, lead: way[about(page)] });
const signInFirst = ({ page: { signIn } }: Texts): Why => ({ title: signIn.title, lead: signIn.next.decision });
const inOwnWindow = (page: OpenPage, { page: { ownWindow } }: Texts): Closed => ({
  title: ownWindow.title,
  lead: ownWindow.lead(demandOf(page)),
  lines: 3,
});

type Html = ReturnType<typeof closedPage>;
type Form = Readonly<Record<string, unknown>>;

interface PageAnswer {
  html: Html;
  status: 200 | 410 | 422;
}

const answer = (html: Html, status: PageAnswer["status"] = 200): PageAnswer => ({ html, status });
const gone = (context: PageContext) => closedPage(context, { ...context.texts.page.refused.gone, lines: 0 });

/** Shows the page on which the person decides whether something may be sent or stopped. */
const showPermission = async ({ request }: PermissionPage, context: PageContext): Promise<PageAnswer> =>
  (await request.isOpen()) ? answer(permissionPage(request, context)) : answer(gone(context), 410);

/** Handles the form of the page that asks whether something may be sent or stopped. */
async function answerPermission(
  { request }: PermissionPage,
  context: PageContext,
  browser: BrowserProof,
  form: Form,
): Promise<PageAnswer> {
  const { decision } = form;
  if (!(await request.isOpen())) return answer(gone(context), 410);
  if (decision !== "accept" && decision !== "reject") return answer(permissionPage(request, context), 422);
  const pieces = request.asked.about === "profile" ? piecesIn(request.asked) : [];
  const takenOut = pieces.flatMap(({ id }) => (outName(id) in form ? [id] : []));
  await request.decide(decision, browser, takenOut);
  const { ended } = questionOf(request.asked, request.until, context.texts);
  return answer(closedPage(context, { title: context.texts.page.decided, lead: ended[decision], lines: 6 }));
}
