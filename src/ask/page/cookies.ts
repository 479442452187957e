import type { Context } from "hono";
import { setCookie } from "hono/cookie";
import type { BrowserCookie } from "../../session/known-browsers.ts";

/** No script reads it, and no other site's page makes a browser send it. */
export const cookieOptions = (isSecure: boolean) => ({ httpOnly: true, secure: isSecure, sameSite: "Strict" }) as const;

export interface CookieOptions {
  isSecure: boolean;
  /** Of the cookie by which a browser is known. */
  cookiePath: string;
}

/** By which a browser is known on every page of this site. */
export function setBrowserCookie(
  c: Context,
  { name, value, maxAgeS }: BrowserCookie,
  { isSecure, cookiePath }: CookieOptions,
): void {
  setCookie(c, name, value, { ...cookieOptions(isSecure), path: cookiePath, maxAge: maxAgeS });
}
