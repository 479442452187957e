import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { messageOf } from "../../result/tool-error.ts";
import type { BrowserCookie, Cookies, KnownBrowsers } from "../../session/known-browsers.ts";
import { browsersPage, type NotSignedIn, signInHere, signInPage } from "./browser-pages.ts";
import { type GuardOptions, refuseForeign } from "./guard.ts";
import { messagePage } from "./html.ts";
import { browserCookies, type CookieOptions, formOf, setBrowserCookie, textsFor } from "./visitor.ts";

/** Somebody whose browser was let in. */
export interface BrowserOwner {
  /** Whose it is, by the key that names them. */
  user: string;
  browsers: KnownBrowsers;
  /** Of this browser. */
  name: string;
  cookie: BrowserCookie;
}

/** The cookie of a browser that was let in, or why it was not. */
export type SignIn = BrowserCookie | Exclude<NotSignedIn, "notTheirs">;

export interface BrowsersAppOptions extends GuardOptions, CookieOptions {
  path: string;
  /** Where their room is. */
  roomPath: string;
  ownerOf: (cookies: Cookies) => Promise<BrowserOwner | undefined>;
  /** Lets a browser in whose person has their token. */
  signIn: (token: string, userAgent: string, cookies: Cookies) => Promise<SignIn>;
}

const MAX_FORM_BYTES = 16 * 1024;

/**
 * An endpoint's own page on which people sign in, see in which browsers they decide, and revoke them (contract §6).
 * There is no other way to get at them: their person has no terminal here.
 */
export function createBrowsersApp(options: BrowsersAppOptions): Hono {
  const { path, roomPath, ownerOf, signIn } = options;
  const app = new Hono();
  app.use((c, next) => refuseForeign(c, next, options, textsFor(c)));

  app.get(path, async (c) => {
    const texts = textsFor(c);
    const owner = await ownerOf(browserCookies(c, options));
    if (owner === undefined) return c.html(signInPage(texts));
    setBrowserCookie(c, owner.cookie, options);
    return c.html(browsersPage(texts, await owner.browsers.list(), owner.name, roomPath));
  });

  app.post(path, async (c) => {
    const texts = textsFor(c);
    const { token, forget } = await formOf(c, MAX_FORM_BYTES);
    if (typeof forget === "string") {
      const owner = await ownerOf(browserCookies(c, options));
      if (owner === undefined) return c.html(signInPage(texts), 403);
      await owner.browsers.forget(forget);
      return c.redirect(path, 303);
    }
    return signInHere(c, token, signIn, texts, options);
  });

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    const texts = textsFor(c);
    return c.html(messagePage(texts.page.refused.failed(messageOf(error, texts)), texts), 502);
  });
  return app;
}
