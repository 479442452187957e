import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { messageOf } from "../../result/tool-error.ts";
import { askToSignIn, browsersPage, type SignInForm, signInHere } from "./browser-pages.ts";
import { type PageHosts, refuseForeign } from "./foreign-requests.ts";
import { closedPage, pageContextOf } from "./frame.ts";
import type { BrowserOwner, SignInDesk } from "./sign-in.ts";
import { browserCookies, formOf, setBrowserCookie, textsFor } from "./visitor.ts";

export interface BrowsersAppOptions extends PageHosts {
  path: string;
  roomPath: string;
  people: SignInDesk;
}

const MAX_FORM_BYTES = 16 * 1024;

/**
 * Serves the page of an endpoint on which people sign in, and see and revoke the browsers in which they decide and the
 * programs that act for them (contract §6). There is no other way to do so, because the people of an endpoint have no
 * terminal there.
 */
export function createBrowsersApp(options: BrowsersAppOptions): Hono {
  const { path, roomPath, people } = options;
  const app = new Hono();
  app.use((c, next) => refuseForeign(c, next, options, textsFor(c)));
  const ownerOf = (c: Context) => people.ownerOf(browserCookies(c, people));
  const form: SignInForm = { options: people, next: "browsers", newToken: people.newToken };
  const list = async (
    c: Context,
    { user, browsers, name, cookie }: BrowserOwner,
    gone: { revoked?: readonly string[]; ended?: readonly string[] } = {},
  ) => {
    setBrowserCookie(c, cookie, people);
    const context = pageContextOf(c, textsFor(c));
    const programs = await people.programs?.list(user);
    return c.html(
      browsersPage(context, { browsers: await browsers.list(), programs, current: name, roomPath, ...gone }),
    );
  };

  app.get(path, async (c) => {
    const owner = await ownerOf(c);
    return owner === undefined ? askToSignIn(c, textsFor(c), form) : list(c, owner);
  });

  app.post(path, async (c) => {
    const { token, forget, end, word } = await formOf(c, MAX_FORM_BYTES);
    const isOfPrograms = typeof end === "string" || typeof word === "string";
    if (typeof forget !== "string" && !isOfPrograms) return signInHere(c, token, people.signIn, textsFor(c), form);
    const owner = await ownerOf(c);
    if (owner === undefined) return askToSignIn(c, textsFor(c), form, 403);
    const { user, browsers, name } = owner;
    if (typeof word === "string") await people.programs?.takeBackWord(user, word);
    if (typeof end === "string") {
      const ended = await people.programs?.end(user, end);
      return list(c, owner, { ended: ended === undefined ? [] : [ended] });
    }
    if (typeof forget !== "string") return list(c, owner);
    const going = forget === "others" ? (await browsers.list()).map((one) => one.name) : [forget];
    const revoked: string[] = [];
    const ended: string[] = [];
    for (const { id } of forget === "others" ? ((await people.programs?.list(user)) ?? []) : [])
      ended.push(...[await people.programs?.end(user, id)].filter((one) => one !== undefined));
    for (const one of going) if (forget !== "others" || one !== name) revoked.push(...(await browsers.forget(one)));
    return revoked.includes(name) ? c.redirect(path, 303) : list(c, owner, { revoked, ended });
  });

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    const texts = textsFor(c);
    const { title, lead } = texts.page.refused.failed;
    const why = { title, lead: lead(messageOf(error, texts)), lines: 0, isProblem: true };
    return c.html(closedPage(pageContextOf(c, texts), why), 502);
  });
  return app;
}
