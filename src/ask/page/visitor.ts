import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { HTTPException } from "hono/http-exception";
import type { Platform } from "../../platform.ts";
import { type BrowserProof, provesPerson } from "../../question/who.ts";
import { type BrowserCookie, browserIds, type Cookies } from "../../session/known-browsers.ts";
import { type Texts, textsOf } from "../../text/index.ts";

/**
 * The address by which a visitor came to a page. It is the one that this program opens itself (`window`), the one that
 * a client is asked to open (`client`), or the one that stood in a result for a model to read (`result`).
 */
export type Came = "window" | "client" | "result";

/** How long a browser may stay away from where it was let in before it must prove itself again, in milliseconds. */
export const VISIT_MS = 7 * 24 * 3_600_000;

interface Visit<Place> {
  place: Place;
  proof: BrowserProof;
  seenAt: number;
}

/**
 * Tracks the browsers in places that open once, such as a page about a question or an address of a room. Each place
 * opens for the first browser that proves to be its person's, and then for that browser's cookie, by any address.
 */
export class Visits<Place extends object> {
  readonly #platform: Platform;
  readonly #byCookie = new Map<string, Visit<Place>>();
  readonly #opened = new WeakSet<Place>();

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Returns whether any browser has opened the place. */
  isOpened(place: Place): boolean {
    return this.#opened.has(place);
  }

  /** Opens the place and returns the browser's new cookie. */
  open(place: Place, proof: BrowserProof): string {
    if (this.isOpened(place)) throw new Error("it has been opened");
    const { clock, newId } = this.#platform;
    const cookie = newId() + newId();
    this.#opened.add(place);
    this.#byCookie.set(cookie, { place, proof, seenAt: clock.monotonic() });
    return cookie;
  }

  /** Returns the place to which this cookie leads, and what its browser proved. */
  of(cookie: string | undefined): Visit<Place> | undefined {
    const now = this.#platform.clock.monotonic();
    const visit = cookie === undefined ? undefined : this.#byCookie.get(cookie);
    if (visit === undefined || now - visit.seenAt > VISIT_MS) return undefined;
    visit.seenAt = now;
    return visit;
  }

  /** Forgets a place that no longer exists. */
  close(gone: Place): void {
    for (const [cookie, { place }] of this.#byCookie) if (place === gone) this.#byCookie.delete(cookie);
  }
}

export interface Visitor {
  came: Came;
  /** True if the person's own window has been opened for this page, so that nobody gets in by another way. */
  hasWindow: boolean;
  /** True if this request would open the page, rather than answer it. */
  opens: boolean;
  /** What the browser proved when it opened the page, as its cookie shows. */
  proved: BrowserProof | undefined;
  isOpened: boolean;
  /** True if the person has let this browser in before. */
  isKnown: boolean;
  /** True if the visitor must sign in. At an endpoint an address alone proves nothing. */
  mustSignIn: boolean;
  /** True if somebody else has signed in with this browser. */
  isAnother: boolean;
}

export type Admission =
  | { kind: "admitted"; proof: BrowserProof; isFirst: boolean }
  /** Another browser has opened the page, and nothing shows that this one is the person's too. */
  | { kind: "elsewhere" }
  /** The person who has signed in here does not own the page. */
  | { kind: "others" }
  /** Nothing shows that this is the person. */
  | { kind: "unproven" };

/**
 * Decides who may see a page and decide on it (contract §6). These are the one browser that proved to be its person's,
 * and the browsers that the person has let in before. Every request is judged anew, so that a revoked browser or a
 * stricter policy counts at once.
 */
export function admit(visitor: Visitor, isStrict: boolean): Admission {
  if (visitor.isKnown) return { kind: "admitted", proof: "known", isFirst: false };
  if (visitor.mustSignIn) return { kind: visitor.isAnother ? "others" : "unproven" };
  if (visitor.isOpened && visitor.proved === undefined) return { kind: "elsewhere" };
  const proof = visitor.proved ?? (visitor.opens ? firstProof(visitor) : undefined);
  if (proof === undefined || !provesPerson(proof, isStrict)) return { kind: "unproven" };
  return { kind: "admitted", proof, isFirst: visitor.proved === undefined };
}

function firstProof({ came, hasWindow }: Visitor): BrowserProof | undefined {
  if (came === "window") return "own_window";
  return came === "client" && !hasWindow ? "elicited" : undefined;
}

/** Returns the options of a cookie that no script reads and that no other site's page makes a browser send. */
const cookieOptions = (isSecure: boolean) => ({ httpOnly: true, secure: isSecure, sameSite: "Strict" }) as const;

/**
 * The cookie of a browser that has opened a page or a room. It outlives the closed window, because people close a
 * question half read.
 */
const VISIT = "towow_visit";
export const visitCookie = (c: Context): string | undefined => getCookie(c, VISIT);

/** Sets the cookie of a visit for `path` alone, on every port of this host. The cookie lasts `keptMs` milliseconds. */
export function setVisitCookie(
  c: Context,
  cookie: string,
  { path, isSecure, keptMs }: { path: string; isSecure: boolean; keptMs: number },
): void {
  setCookie(c, VISIT, cookie, { ...cookieOptions(isSecure), path, maxAge: keptMs / 1000 });
}

/** A cookie that only says that the browser keeps cookies. A browser that keeps none cannot be let in by a code. */
const KEEPS_COOKIES = "towow_keeps_cookies";
export function tryCookies(c: Context, { isSecure, cookiePath: path }: CookieOptions): void {
  setCookie(c, KEEPS_COOKIES, "1", { ...cookieOptions(isSecure), path });
}
/**
 * Returns whether the browser keeps cookies. A link preview keeps none, so it is given no code and uses up none of the
 * person's few codes.
 */
export const keepsCookies = (c: Context, options: CookieOptions): boolean =>
  getCookie(c, KEEPS_COOKIES) !== undefined || browserIds(browserCookies(c, options)).length > 0;

export interface CookieOptions {
  isSecure: boolean;
  /** The path below which a browser sends the cookie by which it is known. */
  cookiePath: string;
}

/** The prefix of a cookie name that a browser accepts only from its own host, over https and for all paths. */
const HOST_ONLY = "__Host-";
const isHostOnly = (options: CookieOptions): boolean => options.isSecure && seesBrowsers(options);

/** Returns whether pages outside a room receive the cookie by which a browser is known. */
export const seesBrowsers = ({ cookiePath }: CookieOptions): boolean => cookiePath === "/";

/**
 * Sets the cookie by which a browser is known below `cookiePath` of this site, and deletes the cookies that it
 * replaces.
 */
export function setBrowserCookie(c: Context, cookie: BrowserCookie, options: CookieOptions): void {
  const { name, value, maxAgeS: maxAge, replaces = [] } = cookie;
  const { isSecure, cookiePath: path } = options;
  const named = (it: string) => (isHostOnly(options) ? `${HOST_ONLY}${it}` : it);
  setCookie(c, named(name), value, { ...cookieOptions(isSecure), path, maxAge });
  for (const gone of replaces) deleteCookie(c, named(gone), { path, secure: isSecure });
}

/**
 * Returns the cookies that `setBrowserCookie` may have set, by the names that it was given. Cookies that another host
 * of the same domain set are left out if their name shows that, because they could bring people into another person's
 * room.
 */
export function browserCookies(c: Context, options: CookieOptions): Cookies {
  const all = getCookie(c);
  if (!isHostOnly(options)) return all;
  const own = Object.entries(all).filter(([name]) => name.startsWith(HOST_ONLY));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(HOST_ONLY.length), value]));
}

/**
 * Reads the submitted form, at most `maxBytes` of it. Nothing is read before this is called, so call it only for a
 * visitor who may send a form.
 * @throws HTTPException 413 for a larger body, 400 for what is not a form
 */
export async function formOf(c: Context, maxBytes: number): Promise<Record<string, unknown>> {
  try {
    await bodyLimit({ maxSize: maxBytes })(c, async () => {});
    return await c.req.parseBody();
  } catch (error) {
    throw error instanceof HTTPException ? error : new HTTPException(400, { message: "malformed form", cause: error });
  }
}

type Lang = Texts["lang"];
const LANGUAGE = "towow_lang";
const LANGUAGE_MS = 365 * 24 * 3_600_000;

/**
 * Sets a cookie that holds only a language. Every page of this host gets it, even if another site's link leads there.
 */
export function setLanguageCookie(c: Context, lang: Lang, isSecure: boolean): void {
  const options = { httpOnly: true, secure: isSecure, sameSite: "Lax", path: "/" } as const;
  setCookie(c, LANGUAGE, lang, { ...options, maxAge: LANGUAGE_MS / 1000 });
}

const languageIn = (text: string | undefined): Lang | undefined => (text === "zh" || text === "en" ? text : undefined);

/** Returns the language that the visitor has chosen, on this page or before. */
const chosenLanguage = (c: Context): Lang | undefined =>
  languageIn(c.req.query("lang")) ?? languageIn(getCookie(c, LANGUAGE));

/** Keeps a language that is chosen on this page, so that all other pages use it. */
export function keepLanguage(c: Context, isSecure: boolean): void {
  const lang = languageIn(c.req.query("lang"));
  if (lang !== undefined) setLanguageCookie(c, lang, isSecure);
}

/**
 * Returns the language that the visitor has chosen, or else the one that their browser prefers. Undefined if the
 * browser names none.
 */
export function languageOf(c: Context): Lang | undefined {
  const preferred = c.req.header("accept-language");
  const lang = preferred === undefined ? undefined : /^zh\b/i.test(preferred) ? "zh" : "en";
  return chosenLanguage(c) ?? lang;
}

export const textsFor = (c: Context): Texts => textsOf(languageOf(c) ?? "en");

/**
 * Returns the texts for a page, in the language in which the page was made, or in another one that the visitor has
 * chosen.
 */
export const textsIn = (c: Context, texts: Texts, textsOfSite: (lang: Lang) => Texts): Texts => {
  const lang = chosenLanguage(c);
  return lang === undefined ? texts : textsOfSite(lang);
};
