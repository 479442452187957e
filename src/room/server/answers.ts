import { roomTexts } from "../../text/room.ts";
import { RoomRefusal } from "../errors.ts";
import type { Boot } from "../page/store.ts";
import type { PageHand } from "../person.ts";
import type { Room } from "../room.ts";
import type { RoomState } from "../room-state.ts";
import { isMoving } from "../stages.ts";
import type { UiSpec } from "../ui-spec-schema.ts";

/** Answers a room's page, whether its requests come over HTTP or in tool calls of the client that draws the page. */

/**
 * Returns the data from which a page is first painted. For `base` and `now`, see {@link Boot}. `late` says why the
 * click that led here changed nothing.
 */
export function bootOf(
  room: Room,
  { base, now, late }: { base: string; now: number; late?: string | undefined },
): Boot {
  room.pageOpened();
  const { uiSpec: spec } = room.show();
  const { offline, gone, lateClick } = roomTexts(spec.lang);
  return {
    spec,
    room: room.id,
    revision: room.revision,
    base,
    now,
    isMoving: isMoving(room.state),
    offline,
    gone,
    ...(isLateClick(late) && { late: lateClick[late] }),
  };
}

/** A form that a page sends, with one field in each entry. */
export type Form = readonly (readonly [name: string, value: string])[];

/**
 * The outcome of a form. `what` is the button's tool, and `params` are its parameters. `late` says why the button
 * changed nothing, unless the page shows that itself.
 */
interface Acted {
  what: string;
  params: Record<string, string>;
  refused: RoomRefusal | undefined;
  late: LateClick | undefined;
}

interface Hands {
  hand: PageHand;
  hasScript: boolean;
}

/** Fills in what was typed, and then does what the form's button says. */
export const submitForm = async (room: Room, form: Form, by: Hands): Promise<Acted> =>
  (await beginForm(room, form, by)).acted;

/**
 * Begins what a form asks for, and returns once the room has taken over the form's changes. `acted` may still wait for
 * the backend.
 */
export async function beginForm(room: Room, form: Form, by: Hands): Promise<{ acted: Promise<Acted> }> {
  const { hand, hasScript } = by;
  const { what, params } = doneOf(form);
  if (what === "") room.look();
  const filled = await fillIn(room, form);
  room.left(leftOf(form, hasScript));
  const done =
    what === "" ? undefined : room.call("person", what, params, { hand, hasChanged: filled.includes("text") });
  return { acted: actedBy(room, what, params, done) };
}

async function actedBy(
  room: Room,
  what: string,
  params: Acted["params"],
  done: Promise<void> | undefined,
): Promise<Acted> {
  const refused = done === undefined ? undefined : await refusalOf(done);
  // The room's page already shows what failed.
  const isLate = refused !== undefined && refused.code !== "TOOL_EXECUTION_FAILED";
  return { what, params, refused, late: isLate ? lateClickOf(room.state, what, params.demandId) : undefined };
}

/** The answer that a page with a script shows. */
interface Answer {
  uiSpec: UiSpec;
  room: string;
  revision: number;
  now: number;
  late?: string;
}

/** Returns the answer to a form. `now` is in ms since the epoch. */
export function answerOf(room: Room, late: LateClick | undefined, now: number): Answer {
  const { uiSpec } = room.show();
  const said = late === undefined ? {} : { late: roomTexts(uiSpec.lang).lateClick[late] };
  return { uiSpec, room: room.id, revision: room.revision, now, ...said };
}

/** Awaits the work and returns the refusal, if the room refused the work or the work failed. @throws any other error */
async function refusalOf(work: Promise<void>): Promise<RoomRefusal | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof RoomRefusal) return error;
    throw error;
  }
}

/** Splits `broadcast?questionId=…&textHash=…` into a tool and its parameters, as the button holds them. */
function doneOf(form: Form): { what: string; params: Record<string, string> } {
  const [what = "", query = ""] = (form.find(([name]) => name === "do")?.[1] ?? "").split("?", 2);
  return { what, params: Object.fromEntries(new URLSearchParams(query)) };
}

/** Fills in the typed texts that differ from the room's. Returns the ids of the fields that changed. */
async function fillIn(room: Room, form: Form): Promise<string[]> {
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

/** Returns the ids of the fields that the person has left. Without a script, all fields that hold something count. */
const leftOf = (form: Form, hasScript: boolean): string[] =>
  hasScript
    ? (form.find(([name]) => name === "left")?.[1] ?? "").split(",")
    : form.flatMap(([name, value]) => (name.startsWith("f.") && value.trim() !== "" ? name.slice(2) : []));

/** Takes over the time zone that the page reports, if it is valid. */
export function takeTimeZone(room: Room, timeZone: string | undefined): void {
  if (timeZone === undefined || timeZone === room.state.timeZone || !isTimeZone(timeZone)) return;
  room.update((state) => ({ ...state, timeZone }));
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone });
    return true;
  } catch {
    return false;
  }
}

/**
 * The reasons why a click changed nothing: somebody else was first, or the page had moved on meanwhile. Each is a key of
 * the texts.
 */
const LATE_CLICKS = ["decided", "elsewhere", "overdue", "deciding", "moved"] as const;
type LateClick = (typeof LATE_CLICKS)[number];

/**
 * The tools that send something, decide something or let somebody in. A click on any other tool changes only the page,
 * which shows the outcome itself.
 */
const MATTERS = ["broadcast", "withdraw", "cancel", "next", "letIn", "review"];
/** The tools for which the only reason given is that the page had moved on. */
const ABOUT_NO_DECISION = ["next", "letIn", "review"];

/**
 * Returns why a refused click changed nothing, judged by where the room stands now. `demandId` is the demand that the
 * click was about. Pure.
 */
function lateClickOf(
  { demand, busy }: Pick<RoomState, "demand" | "busy">,
  tool: string,
  demandId?: string,
): LateClick | undefined {
  if (!MATTERS.includes(tool)) return undefined;
  if (ABOUT_NO_DECISION.includes(tool) || (demandId !== undefined && demandId !== demand?.id)) return "moved";
  const decision = demand?.said.decision;
  // A yes that stands does not make a cancel too late.
  const isAbout = decision !== undefined && (tool !== "cancel" || decision.kind === "cancel");
  if (isAbout && decision.by === "page") return "decided";
  if (isAbout) return decision.by === "guard" || decision.by === "shutdown" ? "overdue" : "elsewhere";
  return busy === undefined ? "moved" : "deciding";
}

const isLateClick = (text: string | undefined): text is LateClick => LATE_CLICKS.some((one) => one === text);
