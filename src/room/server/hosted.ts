import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { signInHere, signInPage } from "../../ask/page/browser-pages.ts";
import type { BrowserOwner, SignIn } from "../../ask/page/browsers-app.ts";
import { type GuardOptions, refuseForeign } from "../../ask/page/guard.ts";
import { browserCookies, type CookieOptions, formOf, setBrowserCookie, textsFor } from "../../ask/page/visitor.ts";
import { failureOf } from "../../log.ts";
import type { Cookies } from "../../session/known-browsers.ts";
import type { Room } from "../room.ts";
import { agentPage, problemPage } from "./message-page.ts";
import { createRoomRoutes, type RoomRoutesDeps } from "./routes.ts";

/** One person's room at an endpoint. */
export interface HostedRoom {
  room: Room;
  /** Where an outside agent joins it; the address is its key. */
  agentAddress: string;
  /** Keeps the person in memory until what is served to them is over; answers itself where they send too much at once. */
  during(request: Request, serve: () => Promise<Response>): Promise<Response>;
}

export interface HostedRoomsDeps extends RoomRoutesDeps, GuardOptions, CookieOptions {
  /** The path at which rooms stand here, without a slash at its end; every other one below `entrance` is a replica's. */
  base: string;
  /** The path that leads there. */
  entrance: string;
  ownerOf: (cookies: Cookies) => Promise<BrowserOwner | undefined>;
  /** Lets a browser in whose person has their token, and opens their room. */
  signIn: (token: string, userAgent: string, cookies: Cookies) => Promise<SignIn>;
  /** The room of a person, by the key that names them; undefined while nobody here holds their token. */
  roomOf: (user: string) => HostedRoom | undefined;
}

const MAX_FORM_BYTES = 16 * 1024;

/**
 * Rooms at an endpoint: a browser in which somebody has signed in is in that person's room, and in no other. Which room
 * that is says the browser's cookie alone; no address does.
 */
export function createHostedRooms(options: HostedRoomsDeps): Hono {
  const { base, entrance, ownerOf, signIn, roomOf, log } = options;
  const app = new Hono();
  const serve = createRoomRoutes(options);

  app.use((c, next) => refuseForeign(c, next, options, textsFor(c)));
  app.get(entrance, (c) => c.redirect(base, 303));
  app.post(base, async (c) => {
    const { token } = await formOf(c, MAX_FORM_BYTES);
    return signInHere(c, token, signIn, textsFor(c), options);
  });

  const visit = async (c: Context) => {
    const owner = await ownerOf(browserCookies(c, options));
    const hosted = owner && roomOf(owner.user);
    // The token is in memory alone: after a restart, or at another replica, its person brings it again.
    if (owner === undefined || hosted === undefined)
      return c.req.path === base && c.req.method === "GET"
        ? c.html(signInPage(textsFor(c)))
        : c.html(problemPage(textsFor(c).lang, "signedOut", base), 403);
    if (c.req.method !== "GET" && c.req.header("origin") === undefined)
      return c.html(problemPage(textsFor(c).lang, "missing", base), 403);
    const { room, agentAddress } = hosted;
    if (c.req.path === `${base}/agent`) return c.html(agentPage(room.state.lang, agentAddress));
    const mayStay = async () => (await ownerOf(browserCookies(c, options)))?.user === owner.user;
    const response = await hosted.during(c.req.raw, () => serve(c.req.raw, { room, base, browser: "known", mayStay }));
    setBrowserCookie(c, owner.cookie, options);
    return c.newResponse(response.body, response);
  };
  app.all(base, visit);
  app.all(`${base}/*`, visit);
  app.get(`${entrance}/:replica`, (c) => c.redirect(base, 303)); // one that is gone: its room is opened anew here

  app.notFound((c) => c.html(problemPage(textsFor(c).lang, "missing", base), 404));
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    log.error("room_http_failed", { error: failureOf(error) });
    return c.html(problemPage(textsFor(c).lang, "failed", base), 502);
  });
  return app;
}
