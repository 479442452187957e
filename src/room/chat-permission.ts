import * as z from "zod";
import { piecesIn } from "../ask/asked.ts";
import { isWholeOnPage, reportedAsSeen } from "../ask/whole.ts";
import { jsonIn } from "../json.ts";
import type { ChatAbout } from "../mcp/server-deps.ts";
import type { PageAnswer, PageCall, PageForm } from "../question/chat-wire.ts";
import { type Hand, whyNotInChat } from "../question/who.ts";
import { roomTexts } from "../text/room.ts";
import { type ChatPermission, hashOfAsked, permissionSpec } from "./spec/permission.ts";

/** The most pieces of personal data that a page may report as taken out. */
const MAX_PIECES = 5_000;

/**
 * Answers a page in the chat that asks whether something may be sent or stopped. The ticket holds the whole question,
 * so nothing is stored here. The person's answer is written down where every other surface writes it, so that the tool
 * call that asked finds it.
 */
export async function answerPermission(
  { path, form = { do: "" } }: PageCall,
  asked: ChatPermission,
  { ticketId, deps: { live, session, clock } }: ChatAbout,
): Promise<PageAnswer> {
  const { permissions } = session;
  live.refresh();
  const { lang, confirmation_policy } = live.current();
  const isStrict = confirmation_policy === "strict";
  const { what, params } = doneOf(form.do);
  const takenOut = takenOutIn(form, asked, { [params.get("itemId") ?? ""]: what });
  const shown = hashOfAsked({ asked, takenOut });
  if (path === "/act" && what === "withdraw") await permissions.decide(asked.id, "reject", handOf(form));
  const isSeen = (hash: string) => reportedAsSeen(form) === hash;
  const isWhole = isWholeOnPage(shown, { named: params.get("textHash"), isSeen });
  if (path === "/act" && what === "broadcast" && isWhole && whyNotInChat(asked.question, isStrict) === undefined)
    await permissions.decide(asked.id, "accept", handOf(form), takenOut);
  const answer = await permissions.answerTo(asked.id);
  const verdict = answer?.verdict ?? ((await permissions.isOpen(asked.id)) ? undefined : "gone");
  const spec = permissionSpec({ asked, takenOut, verdict, isStrict, lang });
  const now = clock.now();
  const { offline, gone } = roomTexts(lang);
  const place = { room: ticketId, revision: now, now };
  const body = path === "/" ? { ...place, spec, base: "", isMoving: false, offline, gone } : { ...place, uiSpec: spec };
  return { status: 200, body: JSON.stringify(body), draft: JSON.stringify(takenOut) };
}

/**
 * Describes where the form's answer comes from. Without a report of its display the page counts as in view, so that a
 * no always counts.
 */
const handOf = ({ display }: PageForm): Hand => ({ surface: "page", browser: "elicited", drawn: display ?? "in_view" });

function doneOf(done: string): { what: string; params: URLSearchParams } {
  const [what = "", query = ""] = done.split("?", 2);
  return { what, params: new URLSearchParams(query) };
}

/**
 * Returns the ids of the personal data that is taken out, in the order of the question. They come from the page's draft
 * and from this click.
 */
function takenOutIn({ draft = "[]" }: PageForm, { asked }: ChatPermission, done: Record<string, string>): string[] {
  if (asked.about !== "profile") return [];
  const before = ids.safeParse(jsonIn(draft)).data ?? [];
  const isTakenOut = (id: string) => done[id] === "takeOut" || (before.includes(id) && done[id] !== "putBack");
  return piecesIn(asked).flatMap(({ id }) => (isTakenOut(id) ? id : []));
}

const ids = z.array(z.string()).max(MAX_PIECES);
