import { isWholeOnPage } from "../ask/whole.ts";
import { failureOf, type Log } from "../log.ts";
import { own } from "../own.ts";
import { sha256 } from "../sha256.ts";
import { textsForRoom } from "../text/index.ts";
import { reviewTexts } from "../text/reviews.ts";
import { roomTexts } from "../text/room.ts";
import { type DemandTracker, withoutReading } from "./demand-tracker.ts";
import type { PageHand, Person } from "./person.ts";
import { type Busy, PROFILE_FIELDS, type RoomState } from "./room-state.ts";
import { againText, endingOf } from "./spec/done.ts";
import { seenNow } from "./spec/drawing.ts";
import { itemsOf } from "./spec/profile.ts";
import { draftOf, isChanged } from "./spec/sheet.ts";
import { type RoomCall, restarted } from "./transitions.ts";
import { authorsOf, wordsAskedAgain, wordsOfIntent } from "./whose-words.ts";

/** The part of a room that an effect reads and changes. */
interface RoomAtWork {
  readonly state: RoomState;
  update(change: (state: RoomState) => RoomState): void;
  /** See `Room.countsAsSeen`. */
  countsAsSeen(textHash: string): boolean;
}

interface EffectDeps {
  person: Person;
  log: Log;
  tracker: DemandTracker;
  room: RoomAtWork;
  /** What is known about the person at the page. */
  hand: PageHand;
  /** True if the caller's own change of the text came along with the call. */
  hasChanged: boolean;
}

const LISTS = ["skills", "capabilities", "interests"];

/** Carries out a call that reaches beyond the room: to send, to decide or to read. @throws the error of what failed */
export async function effect(call: RoomCall, deps: EffectDeps): Promise<void> {
  const { room, tracker, person } = deps;
  switch (call.toolName) {
    case "refresh":
      return room.state.demand === undefined ? loadScenes(deps) : tracker.refresh();
    case "next":
      return next(deps, call.params);
    case "broadcast":
      return broadcast(deps, call.params);
    case "withdraw":
      return withdraw(deps);
    case "cancel":
      return during(deps, "cancelling", async () => {
        await person.cancel(room.state.demand?.id ?? "", room.state.lang, deps.hand);
        await tracker.refreshAfterAct();
      });
    case "review":
      return review(deps, call.params);
    case "openHistory":
      return openHistory(deps);
    case "openDemand":
      room.update((state) => restarted(state));
      return tracker.open(call.params.itemId ?? "");
  }
}

/** Shows at once the history as it is written down. The backend's answers follow as long as the history stays open. */
async function openHistory({ room, person, log }: EffectDeps): Promise<void> {
  const lists = person.history();
  let history = (await lists.next()).value as RoomState["history"];
  room.update((state) => ({ ...state, history }));
  const follow = async () => {
    for await (const read of lists) {
      if (room.state.history !== history) return; // closed, or opened anew
      history = read;
      room.update((state) => ({ ...state, history: read }));
    }
  };
  void follow().catch((error: unknown) => log.warn("room_read_failed", { error: failureOf(error) }));
}

/** Goes on to the next stage, unless an agent has changed something that the person's page did not show yet. */
async function next(deps: EffectDeps, { seen }: RoomCall["params"]): Promise<void> {
  const { room } = deps;
  const { demand, place, form, lang } = room.state;
  if (demand === undefined && seen !== seenNow(room.state).seen)
    return room.update((state) => ({ ...state, notice: { tone: "error", text: roomTexts(lang).agent.changed } }));
  if (demand !== undefined) return askAgain(deps);
  return place === "profile" ? join(deps) : submit(deps, form.intent, authorsOf(wordsOfIntent(form)));
}

/** Loads the backend's scenes, or notes that the backend cannot list them. @throws the backend's error */
export async function loadScenes({ room, person }: Pick<EffectDeps, "room" | "person">): Promise<void> {
  try {
    const items = await person.scenes(room.state.lang);
    room.update((state) => ({
      ...state,
      scenes: items === undefined ? { state: "cannot_list", items: [] } : { state: "listed", items },
      ...(state.demand === undefined && withoutReading(state)),
    }));
  } catch (error) {
    room.update((state) => ({ ...state, scenes: { state: "failed", items: [] } }));
    throw error;
  }
}

async function during(deps: EffectDeps, busy: Busy, work: () => Promise<void>): Promise<void> {
  const { room } = deps;
  if (room.state.busy !== undefined) return; // an earlier click is still on its way
  room.update((state) => ({ ...state, busy }));
  try {
    await work();
  } finally {
    room.update((state) => (state.busy === busy ? { ...state, busy: undefined } : state));
  }
}

/** Sends the profile that the person sees in the fields. */
function join(deps: EffectDeps): Promise<void> {
  const { room, person } = deps;
  const { sceneId, profile } = room.state.form;
  const filled = PROFILE_FIELDS.filter((id) => id !== "display_name" && profile[id].trim() !== "");
  // Without any filled field the person still has a profile, but the tool would treat an empty one as none.
  const written = Object.fromEntries(
    filled.map((id) => [id, LISTS.includes(id) ? itemsOf(id, profile[id]) : profile[id]]),
  );
  const data = { skills: [], ...written };
  return during(deps, "joining", async () => {
    const { alreadyJoined } = await person.join(sceneId, profile.display_name.trim(), data, room.state.lang);
    room.update((state) => ({
      ...state,
      place: "demand",
      form: { ...state.form, joined: [...new Set([...state.form.joined, sceneId])] },
      // A person who had joined before keeps their old profile there, so this one is not what others read.
      ...(!alreadyJoined && { profiles: { ...state.profiles, [sceneId]: profile } }),
      ...(alreadyJoined && { notice: { tone: "news", text: roomTexts(state.lang).profile.joinedAlready } }),
    }));
  });
}

function submit(
  deps: EffectDeps,
  intent: string,
  { writtenBy, passages }: ReturnType<typeof authorsOf>,
): Promise<void> {
  const { room, person, tracker } = deps;
  const { sceneId } = room.state.form;
  return during(deps, "submitting", async () => {
    const id = await person.submit(sceneId, intent, room.state.lang, writtenBy);
    await tracker.open(id, { writtenBy, passages, profile: own(room.state.profiles, sceneId) });
  });
}

/** Submits the text of an ending's field as a new demand in the same scene. */
function askAgain(deps: EffectDeps): Promise<void> {
  const { room } = deps;
  const { demand, lang } = room.state;
  if (demand === undefined) return Promise.resolve();
  const text = againText({ state: room.state, texts: textsForRoom(lang) }, demand, endingOf(demand));
  return submit(deps, text, authorsOf(wordsAskedAgain(text, demand, draftOf(room.state)?.sheet.parts)));
}

/**
 * Sends the person's yes, which names the question and the hash of the text that their page showed. If either has
 * changed, nothing is sent and the person must read the text again.
 */
async function broadcast(deps: EffectDeps, { questionId = "", textHash = "" }: RoomCall["params"]): Promise<void> {
  const { room, person, tracker, hand, hasChanged } = deps;
  const { demand, lang } = room.state;
  const draft = draftOf(room.state);
  const changed = () =>
    room.update((state) => ({ ...state, notice: { tone: "error", text: roomTexts(lang).decision.changed } }));
  if (demand === undefined || draft === undefined || hand.browser === undefined) return;
  const isSameQuestion = demand.question?.id === questionId;
  if (isSameQuestion && hasChanged) {
    const { ownChange: text } = roomTexts(lang).decision;
    return room.update((state) => ({ ...state, notice: { tone: "news", text } }));
  }
  const isSeen = (hash: string) => room.countsAsSeen(hash);
  if (!isSameQuestion || !isWholeOnPage(sha256(draft.outgoing.text), { named: textHash, isSeen })) {
    changed();
    return;
  }
  return during(deps, "broadcasting", async () => {
    const shown = { id: demand.id, questionId, renderedHash: textHash, by: hand };
    const candidate = room.state.form.proposed?.text;
    const yes = isChanged(draft)
      ? ({ kind: "edit", text: draft.outgoing.text, candidate } as const)
      : ({ kind: "accept" } as const);
    const result = await person.decide({ ...shown, ...yes });
    if (result.kind === "changed") changed();
    await tracker.refreshAfterAct();
  });
}

function withdraw(deps: EffectDeps): Promise<void> {
  const { room, person, tracker } = deps;
  return during(deps, "withdrawing", async () => {
    await person.decide({
      id: room.state.demand?.id ?? "",
      kind: "reject",
      questionId: room.state.demand?.question?.id,
    });
    await tracker.refreshAfterAct();
  });
}

/** Records the person's answer to what the page asked them to look at again. A notice says whether the answer was recorded. */
function review(deps: EffectDeps, { codes = "", verdict }: RoomCall["params"]): Promise<void> {
  const { room, person, tracker } = deps;
  const id = room.state.demand?.id ?? "";
  return during(deps, "reviewing", async () => {
    const isNoted = await person.review(id, codes.split(","), verdict === "fine" ? "fine" : "concern");
    await tracker.refreshAfterAct();
    const { noted, unnoted } = reviewTexts(room.state.lang);
    const notice = isNoted ? ({ tone: "news", text: noted } as const) : ({ tone: "error", text: unnoted } as const);
    room.update((state) => ({ ...state, notice }));
  });
}
