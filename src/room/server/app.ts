import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie, setCookie } from "hono/cookie";
import { HTTPException } from "hono/http-exception";
import type { Clock } from "../../clock.ts";
import { failureOf, type Log } from "../../log.ts";
import { mark } from "../../style/mark.ts";
import { roomTexts } from "../../text/room.ts";
import { RoomRefusal } from "../errors.ts";
import type { Boot } from "../page/store.ts";
import type { Room } from "../room.ts";
import { isMoving } from "../stages.ts";
import type { Doors } from "./doors.ts";
import { type GuardOptions, roomGuard } from "./guard.ts";
import { closedPage } from "./message-page.ts";
import { stateEvents } from "./state-events.ts";

export interface RoomAppOptions extends GuardOptions {
  doors: Doors;
  /** The path below which the rooms stand, without a slash at its end. */
  base: string;
  clock: Clock;
  log: Log;
  lang: () => "zh" | "en";
  /** The page's own script, as it was built. */
  script: () => Promise<Uint8Array<ArrayBuffer>>;
}

const COOKIE = "towow_room";
/** A profile with a résumé of 200,000 characters beside it. */
const MAX_FORM_BYTES = 2 * 1024 * 1024;
const SCRIPT_TYPE = "text/javascript; charset=utf-8";

/** A room's HTTP side: one page that works without a script, its live state, and one address for everything done. */
export function createRoomApp(options: RoomAppOptions): Hono {
  const { doors, base, clock, log, lang, script, origins } = options;
  const app = new Hono();
  const closed = (c: Context) => c.html(closedPage(lang(), base), 403);
  const roomOf = (c: Context): Room | undefined => doors.roomOf(getCookie(c, COOKIE));

  app.use(roomGuard(options));

  app.get(`${base}/enter/:secret`, (c) => {
    // A page that was opened already, loaded again by its first address, is the same browser's.
    if (roomOf(c) !== undefined && !doors.isOpen(c.req.param("secret"))) return c.redirect(`${base}/`, 303);
    const visit = doors.enter(c.req.param("secret"));
    if (visit === undefined) return closed(c);
    const secure = origins().every((origin) => origin.startsWith("https:"));
    // Strict would leave it out where another page, such as a redirect file, led here.
    setCookie(c, COOKIE, visit, { httpOnly: true, secure, sameSite: "Lax", path: `${base}/` });
    return c.redirect(`${base}/`, 303);
  });

  app.get(`${base}/`, async (c) => {
    const room = roomOf(c);
    if (room === undefined) return closed(c);
    room.pageOpened();
    const { paint } = await import("../page/room.ts");
    const { uiSpec: spec } = room.snapshot();
    const boot: Boot = {
      spec,
      base,
      now: clock.now(),
      isMoving: isMoving(room.state),
      offline: roomTexts(spec.lang).offline,
    };
    return c.html(paint(boot));
  });

  app.get(`${base}/events`, (c) => {
    const room = roomOf(c);
    if (room === undefined) return closed(c);
    const { timeZone } = c.req.query();
    if (timeZone !== undefined && isTimeZone(timeZone)) room.update((state) => ({ ...state, timeZone }));
    return stateEvents(c, room);
  });

  app.post(`${base}/act`, bodyLimit({ maxSize: MAX_FORM_BYTES }), async (c) => {
    const room = roomOf(c);
    if (room === undefined) return closed(c);
    const form = Object.entries(await c.req.parseBody()).filter((entry) => typeof entry[1] === "string");
    const { what, params } = doneOf(form as [string, string][]);
    await fillIn(room, form as [string, string][]);
    if (what !== "") await room.call("person", what, params).catch(refused);
    if (c.req.header("accept") === "application/json") return c.json({ uiSpec: room.snapshot().uiSpec });
    return c.redirect(what === "export" ? `${base}/plan.md` : `${base}/`, 303);
  });

  app.get(`${base}/plan.md`, (c) => {
    const plan = roomOf(c)?.state.demand?.negotiation?.plan_output;
    if (plan === undefined || plan === null) return closed(c);
    c.header("Content-Disposition", 'attachment; filename="towow-plan.md"');
    return c.body(plan, 200, { "Content-Type": "text/markdown; charset=utf-8" });
  });

  app.get(`${base}/room.js`, async (c) => c.body(await script(), 200, { "Content-Type": SCRIPT_TYPE }));
  app.get(`${base}/room.css`, async (c) => {
    const { ROOM_CSS } = await import("../page/style.ts");
    return c.body(ROOM_CSS, 200, { "Content-Type": "text/css; charset=utf-8" });
  });
  app.get(`${base}/icon.svg`, (c) => c.body(icon(), 200, { "Content-Type": "image/svg+xml" }));

  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    log.error("room_http_failed", { error: failureOf(error) });
    return c.html(closedPage(lang(), base), 500);
  });
  app.notFound(closed);
  return app;
}

/** What cannot be done any more is seen on the page; what failed is told on it. */
function refused(error: unknown): void {
  if (!(error instanceof RoomRefusal)) throw error;
}

/** `broadcast?questionId=…&textHash=…`: a tool and its parameters, as the button holds them. */
function doneOf(form: [string, string][]): { what: string; params: Record<string, string> } {
  const [what = "", query = ""] = (form.find(([name]) => name === "do")?.[1] ?? "").split("?", 2);
  return { what, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** What was typed comes first, as far as it is another text than the room has. */
async function fillIn(room: Room, form: [string, string][]): Promise<void> {
  for (const [name, sent] of form) {
    if (!name.startsWith("f.")) continue;
    const [fieldId, value] = [name.slice(2), sent.replaceAll("\r\n", "\n")];
    if (room.fieldValue(fieldId) === value) continue;
    await room.call("person", "setField", { fieldId, value }).catch(refused);
  }
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}

const icon = (): string =>
  mark().replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ').replace('"currentColor"', '"#08685a"');
