import { type Context, Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { shownTo } from "../../ask/page/frame.ts";
import type { RoomVisit } from "../../ask/page/open-page.ts";
import { pagePolicy } from "../../ask/page/page-scripts.ts";
import { formOf, textsIn } from "../../ask/page/visitor.ts";
import type { Clock } from "../../clock.ts";
import { failureOf, type Log } from "../../log.ts";
import { mark } from "../../style/mark.ts";
import { textsOf } from "../../text/index.ts";
import { roomTexts } from "../../text/room.ts";
import { RoomRefusal } from "../errors.ts";
import type { Boot } from "../page/store.ts";
import type { Room } from "../room.ts";
import type { RoomState } from "../room-state.ts";
import { isMoving } from "../stages.ts";
import { problemPage } from "./message-page.ts";
import { type PageFiles, pageFile } from "./page-files.ts";
import { stateEvents } from "./state-events.ts";

export interface RoomRoutesDeps {
  clock: Clock;
  log: Log;
  /** The page's own script and styles. */
  files: () => Promise<PageFiles>;
}

/** Whose request this is; the caller has checked that its browser may be in this room. */
interface Visit extends RoomVisit {
  room: Room;
  /** Called when this browser has chosen the language of the page. */
  onLanguage?: (lang: RoomState["lang"]) => void;
}

/** Serves one room to one browser. */
export type ServeRoom = (request: Request, visit: Visit) => Promise<Response>;

type Env = { Bindings: Visit };

/** A profile with a résumé of 200,000 characters beside it. */
export const MAX_FORM_BYTES = 2 * 1024 * 1024;

/** What the room's page may do: its own script, styles and requests, and nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** A room over HTTP: one page that works without a script, its live state, and one address for everything done. */
export function createRoomRoutes({ clock, log, files }: RoomRoutesDeps): ServeRoom {
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
    const { room, base } = c.env;
    room.pageOpened();
    const { paint } = await import("../page/room.ts");
    const { uiSpec: spec } = room.show();
    const { offline, gone, lateClick } = roomTexts(spec.lang);
    const { late } = c.req.query();
    const boot: Boot = {
      spec,
      room: room.id,
      revision: room.revision,
      base,
      now: clock.now(),
      isMoving: isMoving(room.state),
      offline,
      gone,
      ...(isLateClick(late) && { late: lateClick[late] }),
    };
    const { script, style } = await files();
    return c.html(paint(boot, { script: script.name, style: style.name }));
  });

  app.get("/events", (c) => {
    const { room, mayStay } = c.env;
    const { timeZone } = c.req.query();
    if (timeZone !== undefined && isTimeZone(timeZone)) room.update((state) => ({ ...state, timeZone }));
    return stateEvents(c, room, mayStay, { clock, log });
  });

  app.post("/act", async (c) => {
    const { room, browser, onLanguage } = c.env;
    const sent = Object.entries(await formOf(c, MAX_FORM_BYTES));
    const form = sent.filter((entry): entry is [string, string] => typeof entry[1] === "string");
    const { what, params } = doneOf(form);
    if (what === "") room.look();
    const filled = await fillIn(room, form);
    const hasScript = c.req.header("accept") === "application/json";
    room.left(leftOf(form, hasScript));
    const refused =
      what === ""
        ? undefined
        : await refusalOf(room.call("person", what, params, { browser, hasChanged: filled.includes("text") }));
    if (what === "setLanguage" && refused === undefined) onLanguage?.(room.state.lang);
    // What failed stands on the room's page already.
    const isLate = refused !== undefined && refused.code !== "TOOL_EXECUTION_FAILED";
    const late = isLate ? lateClickOf(room.state, what, params.demandId) : undefined;
    if (hasScript) {
      const { uiSpec } = room.show();
      const said = late === undefined ? {} : { late: roomTexts(uiSpec.lang).lateClick[late] };
      return c.json({ uiSpec, room: room.id, revision: room.revision, now: clock.now(), ...said });
    }
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
    c.header("Content-Security-Policy", pagePolicy()); // its styles stand in the page
    return c.html(
      problemPage(shownTo(c, textsIn(c, textsOf(c.env.room.state.lang), textsOf)), what, c.env.base),
      status,
    );
  };

  return async (request, visit) => app.fetch(belowBase(request, visit.base), visit);
}

/** The same request, with its path as the room's own. */
function belowBase(request: Request, base: string): Request {
  const url = new URL(request.url);
  url.pathname = url.pathname.slice(base.length) || "/";
  return new Request(url, request);
}

/** What cannot be done any more, or failed. */
async function refusalOf(work: Promise<void>): Promise<RoomRefusal | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof RoomRefusal) return error;
    throw error;
  }
}

/** `broadcast?questionId=…&textHash=…`: a tool and its parameters, as the button holds them. */
function doneOf(form: [string, string][]): { what: string; params: Record<string, string> } {
  const [what = "", query = ""] = (form.find(([name]) => name === "do")?.[1] ?? "").split("?", 2);
  return { what, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** What was typed comes first, as far as it is another text than the room has. Gives the fields that it went into. */
async function fillIn(room: Room, form: [string, string][]): Promise<string[]> {
  const known = new Set(room.fieldIds());
  const filled: string[] = [];
  for (const [name, sent] of form) {
    if (!name.startsWith("f.") || !known.has(name.slice(2))) continue;
    const [fieldId, value] = [name.slice(2), sent.replaceAll("\r\n", "\n")];
    if (room.fieldValue(fieldId) === value) continue;
    const refused = await refusalOf(room.call("person", "setField", { fieldId, value }));
    if (refused === undefined) filled.push(fieldId);
  }
  return filled;
}

/** A page with a script says which fields were left; of one without, those that hold something when its form is sent. */
const leftOf = (form: [string, string][], hasScript: boolean): string[] =>
  hasScript
    ? (form.find(([name]) => name === "left")?.[1] ?? "").split(",")
    : form.flatMap(([name, value]) => (name.startsWith("f.") && value.trim() !== "" ? name.slice(2) : []));

const exported = ({ as }: Record<string, string>): string => (as === "report" ? "/report.html" : "/plan.md");

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}

const ICON = mark().replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ').replace('"currentColor"', '"#08685a"');

/** Why a click changed nothing: another was first, or the page had moved on under it. A key of the texts. */
const LATE_CLICKS = ["decided", "elsewhere", "overdue", "deciding", "moved"] as const;
type LateClick = (typeof LATE_CLICKS)[number];

/** What a click on one of these would have sent, or let in; everything else only changes the page, which shows it. */
const MATTERS = ["broadcast", "withdraw", "cancel", "next", "letIn", "review"];
/** Of these only that the page had moved on is worth a word. */
const ABOUT_NO_DECISION = ["next", "letIn", "review"];

/** What is said in the window whose click was refused, where the room stands by now; `demandId`: what it was about. Pure. */
function lateClickOf(
  { demand, busy }: Pick<RoomState, "demand" | "busy">,
  tool: string,
  demandId?: string,
): LateClick | undefined {
  if (!MATTERS.includes(tool)) return undefined;
  if (ABOUT_NO_DECISION.includes(tool) || (demandId !== undefined && demandId !== demand?.id)) return "moved";
  const decision = demand?.said.decision;
  // The yes that stands is not what a cancel came too late for.
  const isAbout = decision !== undefined && (tool !== "cancel" || decision.kind === "cancel");
  if (isAbout && decision.by === "page") return "decided";
  if (isAbout) return decision.by === "guard" || decision.by === "shutdown" ? "overdue" : "elsewhere";
  return busy === undefined ? "moved" : "deciding";
}

const isLateClick = (text: string | undefined): text is LateClick => LATE_CLICKS.some((one) => one === text);
