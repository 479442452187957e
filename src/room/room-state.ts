import type { Unusual } from "../ask/consequences.ts";
import type { Negotiation } from "../backend/contract.ts";
import type { OutlineKind } from "../negotiation/outline.ts";
import type { Silence } from "../negotiation/plan.ts";
import type { Found, ReviewCode } from "../negotiation/risks.ts";
import type { Ending, Says } from "../negotiation/says.ts";
import type { Stage } from "../negotiation/stage.ts";
import type { Passage } from "../view/authorship.ts";
import type { PlanTask } from "../view/plan.ts";

/** The stages of a room, in their order; each is one line of the rail. */
export const ROOM_STAGES = ["scene", "profile", "demand", "decision", "negotiating", "done"] as const;
export type RoomStage = (typeof ROOM_STAGES)[number];

/** Before a demand is submitted the person chooses where they are; from then on the negotiation does. */
type Place = Extract<RoomStage, "scene" | "profile" | "demand">;

/** Everything that a room shows and nothing else: no token, no raw answer of the backend. Plain data. */
export interface RoomState {
  lang: "zh" | "en";
  /** As the person reads times; `undefined` until their browser has said. */
  timeZone?: string | undefined;
  /** The backend's host. */
  host: string;
  place: Place;
  /** When each stage was first entered here, ms since the epoch; undefined where that is not known. */
  entered: Partial<Record<RoomStage, number | undefined>>;
  scenes: Scenes;
  /** The profiles that were sent from here, by their scenes. */
  profiles?: Readonly<Record<string, RoomForm["profile"]>>;
  form: RoomForm;
  /** The demand that the room is about, once there is one. */
  demand?: RoomDemand | undefined;
  /** Demands that were opened here before and left for another: what was done to their texts, the newest last. */
  left?: readonly LeftDemand[] | undefined;
  /** What the person asked for and what is on its way. */
  busy?: Busy | undefined;
  /** One sentence about what just happened. */
  notice?: Notice | undefined;
  /** It is drawn in the chat, by the ticket of one question, under the policy of the moment. */
  chat?: { isStrict: boolean } | undefined;
  /** Own negotiations, newest first, while they are shown instead of the stage. */
  history?: readonly HistoryEntry[] | undefined;
  agent?: OutsideAgent | undefined;
  /** How often an outside agent has changed what would be sent: a button counts for what its page showed. */
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

/** What the person, or an agent for them, has filled in and not sent yet. */
export interface RoomForm {
  sceneQuery: string;
  /** An id typed where the backend cannot list, or chosen from the list. */
  sceneId: string;
  /** An id that was typed beside the list. */
  givenId: string;
  /** Scenes that this person has joined, as far as this home knows. */
  joined: readonly string[];
  resume: string;
  profile: Readonly<Record<ProfileFieldId, string>>;
  intent: string;
  /** Whose words the demand was made of when others than its person put them there; what is typed since is theirs. */
  written?: readonly Passage[] | "unknown" | undefined;
  /** What is taken out of the network's text: `1` is its first addition, `p1` the first piece of personal data. */
  takenOut: readonly string[];
  /** The person's own version of the text; the additions' switches are in it then. */
  edited?: string | undefined;
  /** Whose words that version is made of; undefined where it has not been compared yet. */
  words?: readonly Passage[] | undefined;
  /** What stood there before the first key in its editor: each text typed since is compared with it, not with half of itself. */
  opened?: readonly Passage[] | undefined;
  /** The agent's version that the person took up: its words stay the agent's until the person types others. */
  proposed?: Proposed | undefined;
  isEditing: boolean;
  /** What is pointed at: an addition, an agent. */
  selected?: string | undefined;
  /** Open questions of the plan that are checked. */
  checked: readonly string[];
  /** What the person is about to say to an outside agent. */
  message: string;
  /** Fields whose present words an outside agent wrote. */
  byAgent: readonly string[];
  /** Fields that the person has left, or an agent has filled in: what they lack is said. */
  visited: readonly string[];
}

/** Lists are edited as lines. */
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
  /** The submitted text by whose words it is, where not all of it is of one hand. */
  passages?: readonly Passage[] | undefined;
  /** Where it goes, as far as this home knows. */
  sceneId?: string | undefined;
  sceneName?: string | undefined;
  /** To whom and as whom it goes, where that is not the usual. */
  unusual?: Unusual | undefined;
  /** As the backend last showed it, cleaned for the person's own screen; personal data whole. */
  negotiation?: Negotiation | undefined;
  stage: Stage;
  /** What is said of it; its negotiation is the one above. */
  said: Says;
  question?: RoomQuestion | undefined;
  /** A text by the person's AI that it would send instead: the sheet begins with it. */
  candidate?: string | undefined;
  /** The sheet begins with its editor open. */
  toChange?: true | undefined;
  /** The profile under which it was submitted, where this room sent it. */
  profile?: RoomForm["profile"] | undefined;
  /** The person's own agent; undefined where this home does not know it. */
  ownId?: string | undefined;
  /** The structured twin of the plan, where the feed has carried it. */
  tasks?: readonly PlanTask[] | undefined;
  /** The same as a model may read it, while there is an outside agent: what its screen is drawn from. */
  forModel?: DemandForModel | undefined;
  /** Since when the backend does not answer, ms since the epoch. */
  outageSince?: number | undefined;
  /** Why there is no answer that helps, in a sentence for the person, where the backend does answer. */
  refusal?: string | undefined;
  /** What of its end the person should look at a second time, and has not answered yet (seed 003 §5). */
  review?: { codes: readonly ReviewCode[]; found: readonly Found[] } | undefined;
  /** What is to be known before anybody relies on its end. */
  risks?: readonly Found[] | undefined;
}

/** What others wrote, cleaned and masked as in the results of tools. */
export interface DemandForModel {
  negotiation: Negotiation;
  tasks?: readonly PlanTask[] | undefined;
  /** Codes, as results have them. */
  warnings: readonly string[];
}

/** What this room knows of a demand that it does not show now, for when it is opened again. */
export interface LeftDemand {
  id: string;
  /** The text that its form is about. */
  formulated: string | null | undefined;
  known: Pick<RoomDemand, "writtenBy" | "passages" | "profile" | "candidate">;
  entered: RoomState["entered"];
  form: Pick<RoomForm, "intent" | "takenOut" | "edited" | "words" | "opened" | "proposed" | "isEditing" | "checked">;
}

/** Another text for the broadcast, neither the person's nor the network's. */
export interface Proposed {
  text: string;
  /** The person's own AI, by way of a tool's argument, or an agent that sits in the room. */
  by: "ai" | "outside";
}

export interface RoomQuestion {
  /** The id that a decision must name. */
  id: string;
  /** What becomes of it if the person does not decide. */
  silence: Silence;
  /** The whole time to decide, ms. */
  totalMs: number;
  /** The profile lets nothing be broadcast from here. */
  readsOnly?: true;
}

export type Busy = "joining" | "submitting" | "broadcasting" | "withdrawing" | "cancelling" | "reviewing";

interface Notice {
  tone: "error" | "news";
  text: string;
  /** It says that the backend could not be read: the next answer ends it. */
  isOfReading?: true;
}

/** Of the own demands, so many are listed: the newest. */
export const MAX_HISTORY = 100;

export interface HistoryEntry {
  id: string;
  /** ms since the epoch. */
  at: number;
  sceneId?: string | undefined;
  kind: OutlineKind;
  ending?: Ending | undefined;
  /** What went out, or how it ended, is not what its person decided. */
  isUnwanted: boolean;
  /** What was asked for, on one line, where the backend has shown it. */
  text?: string | undefined;
  /** Whether the backend has been asked, and has answered. */
  answer: "awaited" | "none" | "read";
}

interface OutsideAgent {
  /** Of this visit. */
  id: string;
  name: string;
  /** It waits for the person to let it in. */
  isWaiting: boolean;
  /** A text that it proposes instead of the one on the sheet. */
  proposal?: { text: string; reason: string } | undefined;
  /** The last thing that it did, with its reason. */
  lastCall?: { toolName: string; reason: string } | undefined;
}

/** What was said in the room; an agent's words are shown and change nothing. */
export interface RoomMessage {
  from: "person" | "agent";
  stage: RoomStage;
  text: string;
  /** ms since the epoch. */
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
  visited: [],
};
