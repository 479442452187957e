import { reportedAsSeen } from "../ask/whole.ts";
import type { ChatAbout, ChatPages } from "../mcp/server-deps.ts";
import type { Negotiations } from "../negotiation/service.ts";
import type { PageAnswer, PageCall, PageForm } from "../question/chat-wire.ts";
import { answerPermission } from "./chat-permission.ts";
import { createRoom } from "./person-services.ts";
import type { Room } from "./room.ts";
import { answerOf, beginForm, bootOf, type Form, takeTimeZone } from "./server/answers.ts";

/**
 * How long a room is kept after its page's last call, in ms. A page in view calls at least every ten seconds, and a
 * later call makes the room again.
 */
const IDLE_MS = 60_000;
/** The most rooms that one person has at a time. The room that was used least recently is closed for the next one. */
const MAX_ROOMS = 20;

/** A room that a page in the chat has opened. */
interface Held {
  room: Room;
  openings: number;
  stop: () => void;
}

/** Keeps the rooms of the pages in the chat. Each ticket has its own room as long as the ticket's page calls. */
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
    const { acted } = await beginForm(room, entriesOf(form), { hand, hasScript: true });
    const { draft } = room;
    const { late } = await acted;
    // While the act ran, another page of this ticket may have set its own draft.
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

/**
 * Returns the form, or undefined once its page has given it up. A host can hold a call back until the page shows
 * another text.
 */
const stillMeant = (form: PageForm | undefined, now: number): PageForm | undefined =>
  form?.until !== undefined && Number(form.until) < now ? undefined : form;

/** Takes from a form what its act depends on: the time zone, the page's draft, and the text that the page reports as seen. */
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
