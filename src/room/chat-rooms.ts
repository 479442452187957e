import { reportedAsSeen } from "../ask/whole.ts";
import type { ChatAbout, ChatPages } from "../mcp/server-deps.ts";
import type { Negotiations } from "../negotiation/service.ts";
import type { PageAnswer, PageCall, PageForm } from "../question/chat-wire.ts";
import { answerPermission } from "./chat-permission.ts";
import { createRoom } from "./person-services.ts";
import type { Room } from "./room.ts";
import { answerOf, beginIn, bootOf, type Form, takeTimeZone } from "./server/answers.ts";

/** A page in view asks at least every ten seconds. After this long its room is closed, and made again for the next call. */
const IDLE_MS = 60_000;
/** One person has at most this many rooms. The one that was used longest ago makes way for the next. */
const MAX_ROOMS = 20;

/** A room that a page in the chat has opened. */
interface Held {
  room: Room;
  openings: number;
  stop: () => void;
}

/** Keeps the rooms of pages in the chat. Each stands behind one ticket as long as its page asks. */
export class ChatRooms implements Pick<ChatPages, "answer"> {
  /** The rooms of each person, by ticket. */
  readonly #rooms = new WeakMap<Negotiations, Map<string, Held>>();

  async answer(call: PageCall, chat: ChatAbout): Promise<PageAnswer> {
    const { about, deps } = chat;
    if ("demand" in about) return this.#answerInRoom(call, about.demand, chat);
    const form = stillMeant(call.form, deps.clock.now()) ?? { do: "" };
    return answerPermission({ ...call, form }, about.permission, chat);
  }

  async #answerInRoom({ path, form: given }: PageCall, demandId: string, chat: ChatAbout): Promise<PageAnswer> {
    const { clock, log, live } = chat.deps;
    const held = this.#open(demandId, chat);
    const { room } = held;
    await room.arrive(); // so that the first answer shows the question
    live.refresh();
    const isStrict = live.current().confirmation_policy === "strict";
    if (room.state.chat?.isStrict !== isStrict) room.update((state) => ({ ...state, chat: { isStrict } }));
    const form = stillMeant(given, clock.now());
    if (form !== undefined) takeWord(room, form);
    if (path === "/") {
      held.openings += 1;
      log.info("chat_page_opened", { negotiation_id: demandId, openings: held.openings });
      return { ...json(bootOf(room, { base: "", now: clock.now() })), ...draftIn(room) };
    }
    const hand = form?.display === undefined ? {} : ({ browser: "elicited", drawn: form.display } as const);
    const { acted } = await beginIn(room, entriesOf(form), { hand, hasScript: true });
    const { draft } = room;
    const { late } = await acted;
    // Another page of this ticket may have brought its own draft meanwhile.
    if (draft !== undefined) room.takeDraft(draft);
    return { ...json(answerOf(room, late, clock.now())), ...draftIn(room) };
  }

  #open(demandId: string, { ticketId, account, deps }: ChatAbout): Held {
    const rooms = this.#rooms.get(account.negotiations) ?? new Map<string, Held>();
    this.#rooms.set(account.negotiations, rooms);
    const known = rooms.get(ticketId);
    known?.stop();
    rooms.delete(ticketId);
    const close = (id: string, { room, stop }: Held) => {
      stop();
      rooms.delete(id);
      room.close();
    };
    for (const [id, oldest] of rooms) if (rooms.size >= MAX_ROOMS) close(id, oldest);
    const { lang, confirmation_policy } = deps.live.current();
    const chat = { isStrict: confirmation_policy === "strict" };
    const room = known?.room ?? createRoom(deps, { negotiationId: demandId, lang, chat }, account);
    const stop = deps.clock.after(IDLE_MS, () => close(ticketId, held));
    const held: Held = { room, openings: known?.openings ?? 0, stop };
    rooms.set(ticketId, held); // the newest stands last
    return held;
  }
}

/** Returns undefined for a form that its page has given up. A host can hold a call back until another text is shown. */
const stillMeant = (form: PageForm | undefined, now: number): PageForm | undefined =>
  form?.until !== undefined && Number(form.until) < now ? undefined : form;

/** Takes what comes before the act: changes that were made to the text elsewhere, and what the page has shown of it. */
function takeWord(room: Room, { draft, timeZone, ...report }: PageForm): void {
  takeTimeZone(room, timeZone);
  if (draft !== undefined) room.takeDraft(draft);
  const seen = reportedAsSeen(report);
  if (seen !== undefined) room.noteSeen(seen);
}

const entriesOf = (form: PageForm = { do: "" }): Form =>
  Object.entries(form).filter((entry): entry is [string, string] => typeof entry[1] === "string");

const json = (body: object): PageAnswer => ({ status: 200, body: JSON.stringify(body) });
const draftIn = ({ draft }: Room): Pick<PageAnswer, "draft"> => (draft === undefined ? {} : { draft });
