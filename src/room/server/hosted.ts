import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { askToSignIn, type SignInForm, signInHere } from "../../ask/page/browser-pages.ts";
import { shownTo } from "../../ask/page/frame.ts";
import { type GuardOptions, refuseForeign } from "../../ask/page/guard.ts";
import { COPY_SCRIPT, pageHeaders } from "../../ask/page/page-scripts.ts";
import type { SignInDesk } from "../../ask/page/sign-in.ts";
import {
  browserCookies,
  formOf,
  languageOf,
  setBrowserCookie,
  setLanguageCookie,
  textsFor,
} from "../../ask/page/visitor.ts";
import { failureOf } from "../../log.ts";
import type { Room } from "../room.ts";
import type { RoomState } from "../room-state.ts";
import { agentPage, type Problem, problemPage } from "./message-page.ts";
import { createRoomRoutes, type RoomRoutesDeps } from "./routes.ts";

/** One person's room at an endpoint. */
export interface HostedRoom {
  room: Room;
  /** Where an outside agent joins it; the address is its key. */
  agentAddress: string;
  /** Keeps the person in memory until what is served to them is over; answers itself where they send too much at once. */
  during(request: Request, serve: () => Promise<Response>): Promise<Response>;
}

export interface HostedRoomsDeps extends RoomRoutesDeps, GuardOptions {
  /** The path at which rooms stand here, without a slash at its end; every other one below `entrance` is a replica's. */
  base: string;
  /** The path that leads there. */
  entrance: string;
  people: SignInDesk;
  /** The room of a person, by the key that names them; undefined while nobody here holds their token. */
  roomOf: (user: string) => HostedRoom | undefined;
}

const MAX_FORM_BYTES = 16 * 1024;

/**
 * Rooms at an endpoint: a browser in which somebody has signed in is in that person's room, and in no other. Which room
 * that is says the browser's cookie alone; no address does.
 */
export function createHostedRooms(options: HostedRoomsDeps): Hono {
  const { base, entrance, people, roomOf, log } = options;
  const app = new Hono();
  const serve = createRoomRoutes(options);

  const ownerOf = (c: Context) => people.ownerOf(browserCookies(c, people));
  const form: SignInForm = { options: people, next: "room", newToken: people.newToken };
  const problem = (c: Context, what: Problem) => problemPage(shownTo(c, textsFor(c)), what, base);

  app.use((c, next) => refuseForeign(c, next, options, textsFor(c)));
  app.get(entrance, (c) => c.redirect(c.req.query("decide") === undefined ? base : `${base}?decide`, 303));
  app.post(base, async (c) => {
    const { token } = await formOf(c, MAX_FORM_BYTES);
    return signInHere(c, token, people.signIn, textsFor(c), form);
  });

  const visit = async (c: Context) => {
    const owner = await ownerOf(c);
    const hosted = owner && roomOf(owner.user);
    // The token is in memory alone: after a restart, or at another replica, its person brings it again.
    if (owner === undefined || hosted === undefined)
      return c.req.path === base && c.req.method === "GET"
        ? askToSignIn(c, textsFor(c), form)
        : c.html(problem(c, "signedOut"), 403);
    if (c.req.method !== "GET" && c.req.header("origin") === undefined) return c.html(problem(c, "missing"), 403);
    const { room, agentAddress } = hosted;
    if (c.req.path === `${base}/agent`) {
      pageHeaders(c, { scripts: [COPY_SCRIPT] });
      return c.html(agentPage(shownTo(c, textsFor(c)), agentAddress));
    }
    // A room is one for all windows of its person: it speaks as the page that they come from.
    const lang = languageOf(c);
    const isPage = c.req.path === base && c.req.method === "GET";
    if (isPage && lang !== undefined && lang !== room.state.lang) room.update((state) => ({ ...state, lang }));
    if (isPage && c.req.query("decide") !== undefined) {
      await room.openWaiting();
      setBrowserCookie(c, owner.cookie, people);
      return c.redirect(base, 303);
    }
    const mayStay = async () => (await ownerOf(c))?.user === owner.user;
    const here = { room, base, browser: "known", mayStay } as const;
    const onLanguage = (chosen: RoomState["lang"]) => setLanguageCookie(c, chosen, people.isSecure);
    const response = await hosted.during(c.req.raw, () => serve(c.req.raw, { ...here, onLanguage }));
    setBrowserCookie(c, owner.cookie, people);
    return c.newResponse(response.body, response);
  };
  app.all(base, visit);
  app.all(`${base}/*`, visit);
  app.get(`${entrance}/:replica`, (c) => c.redirect(base, 303)); // one that is gone: its room is opened anew here

  app.notFound((c) => c.html(problem(c, "missing"), 404));
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    log.error("room_http_failed", { error: failureOf(error) });
    return c.html(problem(c, "failed"), 502);
  });
  return app;
}
