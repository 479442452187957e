import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { BrowserCookie, Cookies } from "../../session/known-browsers.ts";

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
