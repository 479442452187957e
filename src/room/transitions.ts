import { stripInvisible } from "../safety/invisible.ts";
import { textsForRoom } from "../text/index.ts";
import { changedText, type TextView, versionOf } from "../view/text.ts";
import {
  EMPTY_FORM,
  type LeftDemand,
  PROFILE_FIELDS,
  type ProfileFieldId,
  type Proposed,
  type RoomForm,
  type RoomState,
} from "./room-state.ts";
import { againText, endingOf } from "./spec/done.ts";
import { draftOf, isChanged } from "./spec/sheet.ts";
import { stageOf } from "./stages.ts";
import type { By, RoomToolName } from "./tools.ts";
import { wordsAskedAgain, writtenInto } from "./whose-words.ts";

/** One call of a room's tool, checked against the table and against the screen. */
export interface RoomCall {
  toolName: RoomToolName;
  params: Readonly<Partial<Record<string, string>>>;
  by: By | "agent";
}

/**
 * Returns the state after a call, or undefined if the call reaches beyond the room and `effects.ts` carries it out. Pure.
 */
export function transition(state: RoomState, call: RoomCall, now: number): RoomState | undefined {
  const next = changed(state, call, now);
  const isSame = next === undefined || (next.form === state.form && next.place === state.place);
  return isSame || call.by !== "agent" ? next : changedByAgent(next);
}

const changedByAgent = (state: RoomState): RoomState => ({ ...state, agentChanges: (state.agentChanges ?? 0) + 1 });

function changed(state: RoomState, call: RoomCall, now: number): RoomState | undefined {
  const { form } = state;
  const withForm = (changed: Partial<RoomForm>): RoomState => ({ ...state, form: { ...form, ...changed } });
  const { itemId = "", fieldId = "", value = "", text = "", words } = call.params;
  switch (call.toolName) {
    case "select":
      return stageOf(state) === "scene" ? withForm({ sceneId: itemId }) : withForm({ selected: itemId });
    case "setField":
      // An agent must not put invisible characters into a field.
      return call.by === "agent"
        ? setField(state, fieldId, stripInvisible(value), true)
        : setField(state, fieldId, value, false);
    case "next":
      return stageOf(state) === "scene" ? fromScene(state, call.params) : undefined;
    case "prev":
      return { ...state, place: state.place === "demand" && !form.joined.includes(form.sceneId) ? "profile" : "scene" };
    case "postMessage":
    case "proposeText":
      return said(state, call, text, now);
    case "say":
      return said(withForm({ message: "" }), call, form.message, now);
    case "takeOut":
      return withForm({ takenOut: [...new Set([...form.takenOut, itemId])] });
    case "putBack":
      return withForm({ takenOut: form.takenOut.filter((id) => id !== itemId) });
    case "edit":
      return form.isEditing ? withForm({ isEditing: false }) : beginEdit(state);
    case "reset":
      return withForm({ ...UNCHANGED, isEditing: false });
    case "useSubmitted":
      return withForm(submittedText(state));
    case "useProposal": {
      const proposal = state.agent?.proposal?.text;
      return withoutProposal(proposal === undefined ? state : withForm(proposedText(state, proposal)));
    }
    case "dismiss":
      return withoutProposal(state);
    case "letIn":
      return state.agent === undefined ? state : { ...state, agent: { ...state.agent, isWaiting: false } };
    case "removeAgent":
      return { ...state, agent: undefined };
    case "check":
      return withForm({
        checked: form.checked.includes(itemId) ? form.checked.filter((id) => id !== itemId) : [...form.checked, itemId],
      });
    case "ask":
      return {
        ...restarted(state),
        place: "demand",
        form: { ...restarted(state).form, intent: text, written: [{ by: "network", text }] },
      };
    case "restart":
      return restarted(
        words === "kept" ? withWordsOfEnding(state) : withForm({ intent: "", written: undefined }),
        itemId,
      );
    case "closeHistory":
      return { ...state, history: undefined };
    case "setLanguage":
      return { ...state, lang: call.params.lang === "zh" ? "zh" : "en" };
    case "export":
      return state;
    default:
      return undefined;
  }
}

/**
 * Goes on to the demand if the person has joined the scene, or else to the profile. The scene is the button's, or else
 * the one that was chosen or typed.
 */
function fromScene(state: RoomState, params: RoomCall["params"]): RoomState {
  const { form } = state;
  const sceneId = params.sceneId ?? (params.from === undefined ? form.sceneId : form.givenId.trim());
  const place = form.joined.includes(sceneId) ? "demand" : "profile";
  return { ...state, place, form: { ...form, sceneId } };
}

/** Leaves the present demand for another one in the same room. The profile, the résumé and the unsent demand stay. */
export function restarted(state: RoomState, sceneId = ""): RoomState {
  const { joined, profile, touched, resume, intent, written, sceneId: chosen } = state.form;
  return {
    ...state,
    demand: undefined,
    left: leaving(state),
    history: undefined,
    place: "scene",
    entered: {},
    form: { ...EMPTY_FORM, joined, profile, touched, resume, intent, written, sceneId: sceneId || chosen },
  };
}

const MAX_LEFT = 20;

function leaving({ demand, form, entered, left = [] }: RoomState): RoomState["left"] {
  if (demand === undefined) return left;
  const { id, writtenBy, passages, profile, candidate, negotiation } = demand;
  const { intent, takenOut, edited, words, opened, proposed, isEditing, checked } = form;
  const one: LeftDemand = {
    id,
    formulated: negotiation?.demand_formulated,
    known: { writtenBy, passages, profile, candidate },
    entered,
    form: { intent, takenOut, edited, words, opened, proposed, isEditing, checked },
  };
  return [...left.filter((other) => other.id !== id), one].slice(-MAX_LEFT);
}

/**
 * Keeps the words that the demand's end offers to ask again, for use in another scene. A demand that ended with a plan
 * offers none.
 */
function withWordsOfEnding(state: RoomState): RoomState {
  const { demand, form, lang } = state;
  if (demand === undefined || stageOf(state) !== "done") return state;
  const ending = endingOf(demand);
  if (ending === "plan") return state;
  const intent = againText({ state, texts: textsForRoom(lang) }, demand, ending);
  const written = wordsAskedAgain(intent, demand, draftOf(state)?.sheet.parts) ?? "unknown";
  return { ...state, form: { ...form, intent, written } };
}

/** Removes an outside agent's words, in fields and as a proposal. The person's words stay. */
export function withoutAgentsWords(state: RoomState): RoomState {
  const emptied = state.form.byAgent.reduce((before, id) => setField(before, id, "", false), state);
  const { agent } = emptied;
  return {
    ...(emptied === state ? state : changedByAgent(emptied)),
    agent: agent && { id: agent.id, name: agent.name, isWaiting: agent.isWaiting },
  };
}

function setField(state: RoomState, fieldId: string, value: string, isAgent: boolean): RoomState {
  const { form } = state;
  const others = form.byAgent.filter((id) => id !== fieldId);
  const byAgent = isAgent && value.trim() !== "" ? [...others, fieldId] : others;
  const changed: RoomForm = isAgent ? { ...form, byAgent, touched: [...form.touched, fieldId] } : { ...form, byAgent };
  if (isProfileField(fieldId))
    return { ...state, form: { ...changed, profile: { ...form.profile, [fieldId]: value } } };
  switch (fieldId) {
    case "text":
      return { ...state, form: { ...changed, ...edit(state, value) } };
    case "intent":
      return {
        ...state,
        form: { ...changed, intent: value, written: writtenInto(form, value, isAgent ? "agent" : "person") },
      };
    case "sceneQuery":
    case "sceneId":
    case "givenId":
    case "resume":
    case "message":
      return { ...state, form: { ...changed, [fieldId]: value } };
    default:
      return state;
  }
}

const isProfileField = (id: string): id is ProfileFieldId => (PROFILE_FIELDS as readonly string[]).includes(id);

type Version = Pick<RoomForm, "edited" | "words" | "opened" | "takenOut">;
const UNCHANGED = {
  edited: undefined,
  words: undefined,
  opened: undefined,
  proposed: undefined,
  takenOut: [],
} as const;

/**
 * Takes over an edited text. A text that equals the network's letter by letter is the network's again. Any other text is
 * compared with what would have been sent when the editor opened, so words that were taken out before and stand there
 * again count as typed.
 */
function edit(state: RoomState, value: string): Version {
  const text = value.replaceAll("\r\n", "\n");
  const draft = draftOf(state);
  const { opened = draft && wordsIn(draft.outgoing) } = state.form;
  const before = draft && opened ? versionOf(draft.network, opened) : draft?.outgoing;
  const isAnothers = text === draft?.network.text || text === state.form.proposed?.text;
  return {
    edited: text === draft?.network.text ? undefined : text,
    words: before === undefined || isAnothers ? undefined : wordsIn(changedText(before, text)),
    opened,
    takenOut: [],
  };
}

/** Returns the words by author, or undefined if they could not be compared. */
const wordsIn = ({ parts, isCompared }: TextView): RoomForm["words"] =>
  isCompared ? parts.map(({ by, text }) => ({ by, text })) : undefined;

/** Puts the submitted text, word for word, in place of the network's. */
function submittedText(state: RoomState): Partial<RoomForm> {
  const { negotiation, passages } = state.demand ?? {};
  const text = negotiation?.demand_raw ?? "";
  const words = passages ?? [{ by: "person" as const, text }];
  return { ...edit(state, text), words, opened: words, proposed: undefined };
}

/** Returns the part of the form that puts an agent's version on the sheet. */
export const takenUp = (proposed: Proposed): Version & Pick<RoomForm, "proposed" | "isEditing"> => ({
  edited: proposed.text,
  words: undefined,
  opened: undefined,
  proposed,
  takenOut: [],
  isEditing: false,
});

/** Takes up an outside agent's proposal. The person's words in it stay the person's. */
function proposedText(state: RoomState, text: string): Partial<RoomForm> {
  const draft = draftOf(state);
  return {
    ...takenUp({ text, by: "outside" }),
    words: draft && wordsIn(changedText(draft.outgoing, text, "agent")),
  };
}

/** Opens the editor with what would be sent now, without the parts that were taken out. */
function beginEdit(state: RoomState): RoomState {
  const draft = draftOf(state);
  if (draft === undefined) return state;
  const { outgoing } = draft;
  const version = isChanged(draft) ? { edited: outgoing.text, words: wordsIn(outgoing) } : { edited: undefined };
  return { ...state, form: { ...state.form, isEditing: true, opened: undefined, takenOut: [], ...version } };
}

function said(state: RoomState, { toolName, by }: RoomCall, text: string, now: number): RoomState {
  if (toolName === "proposeText" && state.agent !== undefined)
    return { ...state, agent: { ...state.agent, proposal: { text, reason: state.agent.lastCall?.reason ?? "" } } };
  const message =
    by === "agent"
      ? { from: "agent" as const, text: stripInvisible(text), at: now }
      : { from: "person" as const, text, at: now };
  return { ...state, messages: [...state.messages, { ...message, stage: stageOf(state) }].slice(-MAX_MESSAGES) };
}

/** The room shows this many messages at most. */
const MAX_MESSAGES = 200;

const withoutProposal = (state: RoomState): RoomState =>
  state.agent === undefined ? state : { ...state, agent: { ...state.agent, proposal: undefined } };
