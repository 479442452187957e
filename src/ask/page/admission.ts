import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { HTTPException } from "hono/http-exception";
import { type BrowserProof, provesPerson } from "../../question/who.ts";
import type { BrowserCookie, Cookies } from "../../session/known-browsers.ts";
import { type Texts, textsOf } from "../../text/index.ts";

/**
 * By which of its addresses somebody came to a page: the one that this program opens itself (`window`), the one that a
 * client is asked to open (`client`), or the one that stood in a result, where a model reads it (`result`).
 */
export type Came = "window" | "client" | "result";

/** The browser in which a page was opened first, by the cookie that it was given then. */
export interface Opened {
  cookie: string;
  proof: BrowserProof;
}

export interface Visitor {
  came: Came;
  /** Whether a window of the person's own has been opened for this page: then nobody comes to it by another way. */
  hasWindow: boolean;
  /** Whether this request would open the page, rather than answer it. */
  opens: boolean;
  /** What it sends as this page's cookie. */
  cookie: string | undefined;
  /** Whether the person has let this browser in before. */
  isKnown: boolean;
  /** At an endpoint, where an address shows nothing: whoever has it signs in. */
  mustSignIn: boolean;
  /** Somebody else has signed in with this browser. */
  isAnother: boolean;
}

export type Admission =
  | { kind: "admitted"; proof: BrowserProof; isFirst: boolean }
  /** Somebody else has opened it. */
  | { kind: "elsewhere" }
  /** Who has signed in here is not the one whose page it is. */
  | { kind: "others" }
  /** Nothing shows that this is the person. */
  | { kind: "unproven" };

/**
 * Who may see a page and decide on it (contract §6): the one browser that proved to be its person's, and those that the
 * person has let in before. Pure; every request is judged anew, so that a revoked browser or a stricter policy counts at
 * once.
 */
export function admit(visitor: Visitor, opened: Opened | undefined, isStrict: boolean): Admission {
  if (visitor.isKnown) return { kind: "admitted", proof: "known", isFirst: false };
  if (visitor.mustSignIn) return { kind: visitor.isAnother ? "others" : "unproven" };
  if (opened !== undefined && visitor.cookie !== opened.cookie) return { kind: "elsewhere" };
  const proof = opened?.proof ?? (visitor.opens ? firstProof(visitor) : undefined);
  if (proof === undefined || !provesPerson(proof, isStrict)) return { kind: "unproven" };
  return { kind: "admitted", proof, isFirst: opened === undefined };
}

function firstProof({ came, hasWindow }: Visitor): BrowserProof | undefined {
  if (came === "window") return "own_window";
  return came === "client" && !hasWindow ? "elicited" : undefined;
}

/** No script reads it, and no other site's page makes a browser send it. */
export const cookieOptions = (isSecure: boolean) => ({ httpOnly: true, secure: isSecure, sameSite: "Strict" }) as const;

export interface CookieOptions {
  isSecure: boolean;
  /** Of the cookie by which a browser is known. */
  cookiePath: string;
}

/** A browser takes a cookie of such a name from its own host alone, over https and for all paths. */
const HOST_ONLY = "__Host-";
const isHostOnly = ({ isSecure, cookiePath }: CookieOptions): boolean => isSecure && cookiePath === "/";

/** By which a browser is known on every page of this site. */
export function setBrowserCookie(c: Context, cookie: BrowserCookie, options: CookieOptions): void {
  const { name, value, maxAgeS: maxAge, replaces = [] } = cookie;
  const { isSecure, cookiePath: path } = options;
  const named = (it: string) => (isHostOnly(options) ? `${HOST_ONLY}${it}` : it);
  setCookie(c, named(name), value, { ...cookieOptions(isSecure), path, maxAge });
  for (const gone of replaces) deleteCookie(c, named(gone), { path, secure: isSecure });
}

/**
 * The cookies among which those are that `setBrowserCookie` has set, by the names that it was given. Where it can be seen,
 * none that another host of the same domain has set: it could bring people into another one's room.
 */
export function browserCookies(c: Context, options: CookieOptions): Cookies {
  const all = getCookie(c);
  if (!isHostOnly(options)) return all;
  const own = Object.entries(all).filter(([name]) => name.startsWith(HOST_ONLY));
  return Object.fromEntries(own.map(([name, value]) => [name.slice(HOST_ONLY.length), value]));
}

/**
 * The form that was sent, of which no more than `maxBytes` is read. Nothing is read before this is called, so it is only
 * called for who may send a form. @throws HTTPException 413 for one that is larger, 400 for what is not a form: anybody may send
 * anything
 */
export async function formOf(c: Context, maxBytes: number): Promise<Record<string, unknown>> {
  try {
    await bodyLimit({ maxSize: maxBytes })(c, async () => {});
    return await c.req.parseBody();
  } catch (error) {
    throw error instanceof HTTPException ? error : new HTTPException(400, { message: "malformed form", cause: error });
  }
}

/** The sentences in the language that the browser prefers. */
export const textsFor = (c: Context): Texts =>
  textsOf(/^zh\b/i.test(c.req.header("accept-language") ?? "") ? "zh" : "en");
