import type { UnusualRoute } from "../ask/consequences.ts";
import type { Negotiation } from "../backend/contract.ts";
import type { OutlineKind } from "../negotiation/outline.ts";
import type { Silence } from "../negotiation/plan.ts";
import type { Found, ReviewCode } from "../negotiation/risks.ts";
import type { Ending, Says } from "../negotiation/says.ts";
import type { Stage } from "../negotiation/stage.ts";
import type { Passage } from "../view/authorship.ts";
import type { PlanTask } from "../view/plan.ts";

/**
 * The stages of a room, in order. The page draws them as the lines of a rail that shows how far the person has come.
 * Once there is a negotiation, the room's stage is derived from it.
 */
export const ROOM_STAGES = ["scene", "profile", "demand", "decision", "negotiating", "done"] as const;
export type RoomStage = (typeof ROOM_STAGES)[number];

/** The stage that the person has chosen before a demand is submitted. Afterwards the negotiation determines the stage. */
type Place = Extract<RoomStage, "scene" | "profile" | "demand">;

/** Everything that a room shows, as plain data, with no token and no raw answer of the backend. */
export interface RoomState {
  lang: "zh" | "en";
  /** The time zone in which the person reads times; `undefined` until their browser has named it. */
  timeZone?: string | undefined;
  /** The backend's host. */
  host: string;
  place: Place;
  /** When each stage was first entered here, in ms since the epoch; undefined if that is not known. */
  entered: Partial<Record<RoomStage, number | undefined>>;
  scenes: Scenes;
  /** The profiles that were sent from this room, by the id of their scene. */
  profiles?: Readonly<Record<string, RoomForm["profile"]>>;
  form: RoomForm;
  /** The demand that the room is about, once there is one. */
  demand?: RoomDemand | undefined;
  /** Demands that were shown here before, with what was done to their texts. The newest is last. */
  left?: readonly LeftDemand[] | undefined;
  /** The request of the person that is still on its way. */
  busy?: Busy | undefined;
  /** One sentence about what just happened. */
  notice?: Notice | undefined;
  /** Set if a page in the chat draws the room. `isStrict` says whether the confirmation policy is strict now. */
  chat?: { isStrict: boolean } | undefined;
  /** The person's own negotiations, newest first, while the room shows them instead of the stage. */
  history?: readonly HistoryEntry[] | undefined;
  agent?: OutsideAgent | undefined;
  /**
   * Counts an outside agent's changes to what would be sent, so that a button counts only for the state that its page
   * showed.
   */
  agentChanges?: number;
  messages: readonly RoomMessage[];
}

interface Scenes {
  state: "loading" | "listed" | "cannot_list" | "failed";
  items: readonly RoomScene[];
}

export interface RoomScene {
  id: string;
  name: string;
  description: string;
  agents: number;
}

/** What the person, or an agent for them, has filled in and not yet sent. */
export interface RoomForm {
  sceneQuery: string;
  /** The id of the chosen scene, picked from the list, or typed if the backend cannot list scenes. */
  sceneId: string;
  /** A scene id that was typed beside the list. */
  givenId: string;
  /** Scenes that the person has joined, as far as this home knows. */
  joined: readonly string[];
  resume: string;
  profile: Readonly<Record<ProfileFieldId, string>>;
  intent: string;
  /** The demand by author, if somebody other than the person last put words there. What was typed since is the person's. */
  written?: readonly Passage[] | "unknown" | undefined;
  /**
   * The ids of the parts that are taken out of the network's text. `1` is its first addition, and `p1` its first
   * personal data.
   */
  takenOut: readonly string[];
  /** The person's own version of the text, which already lacks the additions that they took out. */
  edited?: string | undefined;
  /** The words of `edited` by author, or undefined if they were not compared. */
  words?: readonly Passage[] | undefined;
  /** The text when its editor opened, by author. Each typed text is compared with this, not with a half-typed version. */
  opened?: readonly Passage[] | undefined;
  /** The agent's version that the person took up. Its words stay the agent's until the person types others. */
  proposed?: Proposed | undefined;
  isEditing: boolean;
  /** The id of what is selected, such as an addition or an agent. */
  selected?: string | undefined;
  /** The open questions of the plan that are checked off. */
  checked: readonly string[];
  /** The person's unsent message to an outside agent. */
  message: string;
  /** Fields whose present words were written by an outside agent. */
  byAgent: readonly string[];
  /** Fields that the person has left or an agent has filled in. The page says only of these what is missing. */
  touched: readonly string[];
}

/** The fields of a profile. Fields that hold a list are edited as lines. */
export const PROFILE_FIELDS = [
  "display_name",
  "bio",
  "description",
  "skills",
  "capabilities",
  "interests",
  "experience",
  "constraints",
] as const;
export type ProfileFieldId = (typeof PROFILE_FIELDS)[number];

export interface RoomDemand {
  id: string;
  /** Who typed the words that were submitted. */
  writtenBy: "person" | "ai" | "unknown";
  /** The submitted text by author, if it has more than one. */
  passages?: readonly Passage[] | undefined;
  /** The scene that the demand goes to, as far as this home knows. */
  sceneId?: string | undefined;
  sceneName?: string | undefined;
  /** To whom and as whom the demand goes, if that is unusual. */
  unusual?: UnusualRoute | undefined;
  /** The negotiation as the backend last showed it, cleaned for the person's own screen. Personal data is not masked. */
  negotiation?: Negotiation | undefined;
  stage: Stage;
  /** What every surface says of the demand, derived from `negotiation` above. */
  said: Says;
  question?: RoomQuestion | undefined;
  /** A text by the person's AI that would be sent instead. The sheet begins with it. */
  candidate?: string | undefined;
  /** Set if the sheet begins with its editor open. */
  toChange?: true | undefined;
  /** The profile under which the demand was submitted, if this room sent that profile. */
  profile?: RoomForm["profile"] | undefined;
  /** The id of the person's own agent; undefined if this home does not know it. */
  ownId?: string | undefined;
  /** The plan's tasks as structured data, if the feed has carried them. */
  tasks?: readonly PlanTask[] | undefined;
  /** The demand as a model may read it. It is set while an outside agent is here, and the agent's screen is drawn from it. */
  forModel?: DemandForModel | undefined;
  /** When the backend stopped answering, in ms since the epoch. */
  outageSince?: number | undefined;
  /** The backend's reason to refuse, as a sentence for the person. Undefined if the backend does not refuse. */
  refusal?: string | undefined;
  /** What the person should look at again in the result and has not answered yet (seed 003 §5). */
  review?: { codes: readonly ReviewCode[]; found: readonly Found[] } | undefined;
  /** What everybody should know before they rely on the result. */
  risks?: readonly Found[] | undefined;
}

/** A demand as a model may read it. The words of others are cleaned and masked as in tool results. */
export interface DemandForModel {
  negotiation: Negotiation;
  tasks?: readonly PlanTask[] | undefined;
  /** Warning codes, as in tool results. */
  warnings: readonly string[];
}

/** What this room remembers of a demand that it does not show now, for when it is opened again. */
export interface LeftDemand {
  id: string;
  /** The network's text that `form` belongs to. */
  formulated: string | null | undefined;
  known: Pick<RoomDemand, "writtenBy" | "passages" | "profile" | "candidate">;
  entered: RoomState["entered"];
  form: Pick<RoomForm, "intent" | "takenOut" | "edited" | "words" | "opened" | "proposed" | "isEditing" | "checked">;
}

/** A text for the broadcast that is neither the person's nor the network's. */
export interface Proposed {
  text: string;
  /** `ai` is the person's own AI, which gave the text in a tool's argument. `outside` is an agent in the room. */
  by: "ai" | "outside";
}

export interface RoomQuestion {
  /** The id that a decision must name. */
  id: string;
  /** What becomes of the demand if the person does not decide. */
  silence: Silence;
  /** The whole time to decide, in ms. */
  totalMs: number;
  /** Set if the profile does not allow a broadcast from here. */
  readsOnly?: true;
}

export type Busy = "joining" | "submitting" | "broadcasting" | "withdrawing" | "cancelling" | "reviewing";

interface Notice {
  tone: "error" | "news";
  text: string;
  /** Set if the notice says that the backend could not be read. The next answer ends such a notice. */
  isOfReading?: true;
}

/** The most demands that the history lists, which are the person's newest. */
export const MAX_HISTORY = 100;

export interface HistoryEntry {
  id: string;
  /** When the demand was submitted, in ms since the epoch. */
  at: number;
  sceneId?: string | undefined;
  kind: OutlineKind;
  ending?: Ending | undefined;
  /** True if what was sent, or how it ended, differs from what the person decided. */
  isUnwanted: boolean;
  /** What was asked for, on one line, if the backend has shown it. */
  text?: string | undefined;
  /** Whether the backend has answered for this demand. `none` means that it gave no usable answer. */
  answer: "awaited" | "none" | "read";
}

interface OutsideAgent {
  /** The id of this visit. */
  id: string;
  name: string;
  /** Set while the agent waits for the person to let it in. */
  isWaiting: boolean;
  /** A text that the agent proposes instead of the one on the sheet. */
  proposal?: { text: string; reason: string } | undefined;
  /** The last thing that the agent did, with its reason. */
  lastCall?: { toolName: string; reason: string } | undefined;
}

/** A message in the room. An agent's words are shown and change nothing. */
export interface RoomMessage {
  from: "person" | "agent";
  stage: RoomStage;
  text: string;
  /** The time of the message, in ms since the epoch. */
  at: number;
}

export const EMPTY_FORM: RoomForm = {
  sceneQuery: "",
  sceneId: "",
  givenId: "",
  joined: [],
  resume: "",
  profile: {
    display_name: "",
    bio: "",
    description: "",
    skills: "",
    capabilities: "",
    interests: "",
    experience: "",
    constraints: "",
  },
  intent: "",
  takenOut: [],
  isEditing: false,
  checked: [],
  message: "",
  byAgent: [],
  touched: [],
};
