import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { askToSignIn, type SignInForm, signInHere } from "../../ask/page/browser-pages.ts";
import { type PageHosts, refuseForeign } from "../../ask/page/foreign-requests.ts";
import { pageContextOf } from "../../ask/page/frame.ts";
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
  /** The address at which an outside agent joins. The address is also the key. */
  agentAddress: string;
  /**
   * Serves a request and keeps the person in memory meanwhile. Answers without calling `serve` if the person sends too
   * much at once.
   */
  during(request: Request, serve: () => Promise<Response>): Promise<Response>;
}

export interface HostedRoomsDeps extends RoomRoutesDeps, PageHosts {
  /** The path at which rooms stand, without a trailing slash. Every other path below `entrance` belongs to a replica. */
  base: string;
  /** The path that redirects to `base`. */
  entrance: string;
  people: SignInDesk;
  /** Returns the room of the person with this key, or undefined while this replica does not hold their token. */
  roomOf: (user: string) => HostedRoom | undefined;
}

const MAX_FORM_BYTES = 16 * 1024;

/** Serves rooms at an endpoint. Only a browser's cookie decides whose room it is in, never the address. */
export function createHostedRooms(options: HostedRoomsDeps): Hono {
  const { platform, base, entrance, people, roomOf } = options;
  const app = new Hono();
  const serve = createRoomRoutes(options);

  const ownerOf = (c: Context) => people.ownerOf(browserCookies(c, people));
  const form: SignInForm = { options: people, next: "room", newToken: people.newToken };
  const problem = (c: Context, what: Problem) => problemPage(pageContextOf(c, textsFor(c)), what, base);

  app.use((c, next) => refuseForeign(c, next, options, textsFor(c)));
  app.get(entrance, (c) => c.redirect(c.req.query("decide") === undefined ? base : `${base}?decide`, 303));
  app.post(base, async (c) => {
    const { token } = await formOf(c, MAX_FORM_BYTES);
    return signInHere(c, token, people.signIn, textsFor(c), form);
  });

  const visit = async (c: Context) => {
    const owner = await ownerOf(c);
    const hosted = owner && roomOf(owner.user);
    // A token is kept only in memory, so the person must enter it again after a restart or at another replica.
    if (owner === undefined || hosted === undefined)
      return c.req.path === base && c.req.method === "GET"
        ? askToSignIn(c, textsFor(c), form)
        : c.html(problem(c, "signedOut"), 403);
    if (c.req.method !== "GET" && c.req.header("origin") === undefined) return c.html(problem(c, "missing"), 403);
    const { room, agentAddress } = hosted;
    if (c.req.path === `${base}/agent`) {
      pageHeaders(c, { scripts: [COPY_SCRIPT] });
      return c.html(agentPage(pageContextOf(c, textsFor(c)), agentAddress));
    }
    // All windows of a person share one room, which speaks the language of the page that asks.
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
  // The replica in this address is gone, so the room is opened anew here.
  app.get(`${entrance}/:replica`, (c) => c.redirect(base, 303));

  app.notFound((c) => c.html(problem(c, "missing"), 404));
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    platform.log.error("room_http_failed", { error: failureOf(error) });
    return c.html(problem(c, "failed"), 502);
  });
  return app;
}
