import type { UnusualRoute } from "../ask/consequences.ts";
import type { Negotiation } from "../backend/contract.ts";
import type { DecisionResult } from "../negotiation/decide.ts";
import type { Facts } from "../negotiation/facts.ts";
import type { Verdict } from "../negotiation/risks.ts";
import type { Stage } from "../negotiation/stage.ts";
import type { Hand } from "../question/who.ts";
import type { Asked } from "../report/page/report.ts";
import type { SanitizeOptions } from "../safety/sanitize/options.ts";
import type { DemandForModel, HistoryEntry, RoomDemand, RoomQuestion, RoomScene } from "./room-state.ts";

/** The language in which the room speaks to its person just now. */
export type Lang = "zh" | "en";

/** What a room can do for its person. Whatever sends uses the same use case that a tool calls, within the same limits. */
export interface Person {
  /** Returns the backend's host. */
  host(): string;
  lang(): Lang;
  /** Lists the scenes; `undefined` if the backend cannot list them. @throws RoomToolFailed */
  scenes(lang: Lang): Promise<RoomScene[] | undefined>;
  /** Returns the id of the scene that was joined last. */
  lastScene(): string | undefined;
  /** Sends a profile that the person has seen whole. @throws RoomToolFailed */
  join(
    sceneId: string,
    displayName: string,
    profile: Readonly<Record<string, unknown>>,
    lang: Lang,
  ): Promise<{ alreadyJoined: boolean }>;
  /**
   * Submits a demand and returns its id. The guard of its deadline starts with it. `writtenBy` is the author of the words,
   * if they have only one. @throws RoomToolFailed
   */
  submit(sceneId: string, intent: string, lang: Lang, writtenBy: RoomDemand["writtenBy"]): Promise<string>;
  /** Reports where a demand stands, by this home and the last read. `isGone`: the backend says that it does not know it. */
  status(id: string, seen: Negotiation | undefined, isGone: boolean): Promise<DemandStatus>;
  /** Returns what an outside agent's screen is drawn from. An agent reads no more than tool results hold. */
  forModel(seen: Negotiation, stage: Stage): Promise<DemandForModel>;
  /** Calls `next` after each read from the backend until the returned function is called. */
  follow(id: string, listener: { next: (seen: Negotiation) => void; fail: (error: unknown) => void }): () => void;
  /** Reads the negotiation from the backend now. */
  read(id: string): Promise<Negotiation>;
  /** Decides on exactly the text of the question, or sends the person's own text instead. Every decision goes this way. */
  decide(decision: PersonDecision): Promise<DecisionResult>;
  /** Ends a negotiation that was broadcast. @throws RoomToolFailed, also if this hand is not enough to stop it */
  cancel(id: string, lang: Lang, by: PageHand): Promise<void>;
  /** Records the person's answer to what they should look at again. The first answer stands. Returns false if none was due. */
  review(id: string, codes: readonly string[], verdict: Verdict): Promise<boolean>;
  /** Writes a self-contained page about a negotiation, with contact data masked as by `towow-mcp report`. */
  report(id: string, lang: Lang, timeOf: (atMs: number) => string, asked: Asked): Promise<string>;
  /** Yields this home's own demands, newest first: first as they are written down, then as the backend answers for each. */
  history(): AsyncGenerator<HistoryEntry[]>;
  /** Returns the id of their newest undecided demand, by what is written down. */
  undecided(): Promise<string | undefined>;
  /** Returns how to make the words of others fit for a model, by the present settings. */
  sanitizing(): SanitizeOptions;
  /** Puts an error into a sentence in the person's language. */
  tell(error: unknown, lang: Lang): string;
}

/** What is known of a demand besides the backend's answer. */
export interface DemandStatus
  extends Pick<RoomDemand, "stage" | "said" | "negotiation" | "tasks" | "review" | "risks" | "ownId"> {
  stage: Stage;
  facts: Facts;
  question?: RoomQuestion | undefined;
  sceneId?: string | undefined;
  unusual: UnusualRoute;
}

/** What is known of the person who is at the page. */
export type PageHand = Pick<Hand, "browser" | "drawn">;

export type PersonDecision = { id: string; questionId?: string | undefined } & (
  | { kind: "reject" }
  /** `renderedHash`: the hash of the whole text that the page showed. `by`: what shows that the answer is the person's. */
  | { kind: "accept"; renderedHash: string; by: PageHand }
  /** `candidate`: the agent's version, if the sheet showed it as the agent's. */
  | { kind: "edit"; renderedHash: string; by: PageHand; text: string; candidate: string | undefined }
);
