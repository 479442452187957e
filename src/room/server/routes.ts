import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { pageContextOf } from "../../ask/page/frame.ts";
import type { RoomVisit } from "../../ask/page/open-page.ts";
import { pagePolicy } from "../../ask/page/page-scripts.ts";
import { formOf, textsIn } from "../../ask/page/visitor.ts";
import { failureOf } from "../../log.ts";
import type { Platform } from "../../platform.ts";
import { mark } from "../../style/mark.ts";
import { textsOf } from "../../text/index.ts";
import type { Room } from "../room.ts";
import type { RoomState } from "../room-state.ts";
import { answerOf, bootOf, submitForm, takeTimeZone } from "./answers.ts";
import { problemPage } from "./message-page.ts";
import { type PageFiles, pageFile } from "./page-files.ts";
import { stateEvents } from "./state-events.ts";

export interface RoomRoutesDeps {
  platform: Platform;
  /** Returns the page's own script and styles. */
  files: () => Promise<PageFiles>;
}

/** The browser and the room of a request. The caller has already checked that the browser may be in this room. */
interface Visit extends RoomVisit {
  room: Room;
  /** Called when this browser has chosen the language of the page. */
  onLanguage?: (lang: RoomState["lang"]) => void;
}

/** Serves one room to one browser. */
export type ServeRoom = (request: Request, visit: Visit) => Promise<Response>;

type Env = { Bindings: Visit };

/** The largest form, in bytes, which leaves room for a profile with a résumé of 200,000 characters. */
export const MAX_FORM_BYTES = 2 * 1024 * 1024;

/** Allows the room's page its own script, styles and requests, and nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Serves a room over HTTP: one page that works without a script, its live state, and one address for all actions. */
export function createRoomRoutes({ platform, files }: RoomRoutesDeps): ServeRoom {
  const { clock, log } = platform;
  const app = new Hono<Env>();
  const at = ({ base }: Visit, path: string) => `${base}${path}`;

  app.use(async (c, next) => {
    c.header("Content-Security-Policy", POLICY);
    c.header("Cache-Control", "no-store");
    c.header("Referrer-Policy", "same-origin");
    c.header("X-Content-Type-Options", "nosniff");
    c.header("Cross-Origin-Opener-Policy", "same-origin");
    c.header("Cross-Origin-Resource-Policy", "same-origin");
    return next();
  });

  app.get("/", async (c) => {
    const { paint } = await import("../page/paint.tsx");
    const { room, base } = c.env;
    const boot = bootOf(room, { base, now: clock.now(), late: c.req.query("late") });
    const { script, style } = await files();
    return c.html(paint(boot, { script: script.name, style: style.name }));
  });

  app.get("/events", (c) => {
    const { room, mayStay } = c.env;
    takeTimeZone(room, c.req.query("timeZone"));
    return stateEvents(platform, c, room, mayStay);
  });

  app.post("/act", async (c) => {
    const { room, browser, onLanguage } = c.env;
    const sent = Object.entries(await formOf(c, MAX_FORM_BYTES));
    const form = sent.filter((entry): entry is [string, string] => typeof entry[1] === "string");
    const hasScript = c.req.header("accept") === "application/json";
    const { what, params, refused, late } = await submitForm(room, form, { hand: { browser }, hasScript });
    if (what === "setLanguage" && refused === undefined) onLanguage?.(room.state.lang);
    if (hasScript) return c.json(answerOf(room, late, clock.now()));
    if (late !== undefined) return c.redirect(at(c.env, `?late=${late}`), 303);
    return c.redirect(at(c.env, what === "export" ? exported(params) : ""), 303);
  });

  app.get("/plan.md", (c) => {
    const plan = c.env.room.state.demand?.negotiation?.plan_output;
    if (plan === undefined || plan === null) return problem(c, "missing", 404);
    c.header("Content-Disposition", 'attachment; filename="towow-plan.md"');
    return c.body(plan, 200, { "Content-Type": "text/markdown; charset=utf-8" });
  });

  app.get("/report.html", async (c) => {
    const report = await c.env.room.report();
    if (report === undefined) return problem(c, "missing", 404);
    c.header("Content-Disposition", 'attachment; filename="towow-report.html"');
    return c.html(report);
  });

  app.get("/:name{room\\.\\w+\\.(?:js|css)}", async (c) => {
    return pageFile(c, await files(), c.req.param("name")) ?? problem(c, "missing", 404);
  });
  app.get("/icon.svg", (c) => c.body(ICON, 200, { "Content-Type": "image/svg+xml" }));

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    log.error("room_http_failed", { error: failureOf(error) });
    return problem(c, "failed", 500);
  });
  app.notFound((c) => problem(c, "missing", 404));

  const problem = (c: Context<Env>, what: "missing" | "failed", status: 404 | 500) => {
    c.header("Content-Security-Policy", pagePolicy()); // The page's styles are inline.
    return c.html(
      problemPage(pageContextOf(c, textsIn(c, textsOf(c.env.room.state.lang), textsOf)), what, c.env.base),
      status,
    );
  };

  return async (request, visit) => app.fetch(belowBase(request, visit.base), visit);
}

/** Returns the same request with the path below the room's base. */
function belowBase(request: Request, base: string): Request {
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(base.length) || "/";
  return new Request(url, request);
}

const exported = ({ as }: Record<string, string>): string => (as === "report" ? "/report.html" : "/plan.md");

const ICON = mark().replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ').replace('"currentColor"', '"#08685a"');
