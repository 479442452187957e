import type { Unusual } from "../ask/consequences.ts";
import type { Negotiation } from "../backend/contract.ts";
import type { DecisionResult } from "../negotiation/decide.ts";
import type { Facts } from "../negotiation/facts.ts";
import type { Verdict } from "../negotiation/risks.ts";
import type { Stage } from "../negotiation/stage.ts";
import type { Hand } from "../question/who.ts";
import type { Asked } from "../report/page/report.ts";
import type { SanitizeOptions } from "../safety/sanitize/options.ts";
import type { DemandForModel, HistoryEntry, RoomDemand, RoomQuestion, RoomScene } from "./room-state.ts";

/** In which the room speaks to its person just now, of failures too. */
export type Lang = "zh" | "en";

/** What a room can do for its person. What sends is the same use case that a tool calls, bound as a tool is. */
export interface Person {
  /** The backend's host. */
  host(): string;
  lang(): Lang;
  /** @throws RoomToolFailed; `undefined` where the backend cannot list its scenes */
  scenes(lang: Lang): Promise<RoomScene[] | undefined>;
  /** The scene that was joined last. */
  lastScene(): string | undefined;
  /** Sends a profile that the person has seen whole. @throws RoomToolFailed */
  join(
    sceneId: string,
    displayName: string,
    profile: Readonly<Record<string, unknown>>,
    lang: Lang,
  ): Promise<{ alreadyJoined: boolean }>;
  /**
   * Submits a demand and gives its id; the guard of its deadline starts with it. `writtenBy`: whose words it is, where all of
   * it is of one hand. @throws RoomToolFailed
   */
  submit(sceneId: string, intent: string, lang: Lang, writtenBy: RoomDemand["writtenBy"]): Promise<string>;
  /** Where a demand stands, as far as this home and the last read tell; `isGone`: the backend says that it does not know it. */
  status(id: string, seen: Negotiation | undefined, isGone: boolean): Promise<DemandStatus>;
  /** What an outside agent's screen is drawn from: it reads no more than the results of tools hold. */
  forModel(seen: Negotiation, stage: Stage): Promise<DemandForModel>;
  /** Calls `next` after each read from the backend until the returned function is called. */
  follow(id: string, listener: { next: (seen: Negotiation) => void; fail: (error: unknown) => void }): () => void;
  /** Reads now. */
  read(id: string): Promise<Negotiation>;
  /** The one way to decide: about exactly the text of that question, or the person's own instead. */
  decide(decision: PersonDecision): Promise<DecisionResult>;
  /** Ends a negotiation that was broadcast. @throws RoomToolFailed, also where it wants another hand than this one */
  cancel(id: string, lang: Lang, by: PageHand): Promise<void>;
  /** The person's answer to what of a result they were shown again; the first one stands. False where none of it waits. */
  review(id: string, codes: readonly string[], verdict: Verdict): Promise<boolean>;
  /** One self-contained page about a negotiation, with contact data masked as by `towow-mcp report`. */
  report(id: string, lang: Lang, timeOf: (atMs: number) => string, asked: Asked): Promise<string>;
  /** Own demands of this home, newest first: at once as they are written down, then as the backend shows one after another. */
  history(): AsyncGenerator<HistoryEntry[]>;
  /** Their newest demand that nobody has decided on yet, as it is written down. */
  undecided(): Promise<string | undefined>;
  /** How what others wrote is made fit for a model, by the settings of this moment. */
  sanitizing(): SanitizeOptions;
  /** An error in the person's words. */
  tell(error: unknown, lang: Lang): string;
}

/** What is known of a demand beside the backend's answer. */
export interface DemandStatus
  extends Pick<RoomDemand, "stage" | "said" | "negotiation" | "tasks" | "review" | "risks" | "ownId"> {
  stage: Stage;
  facts: Facts;
  question?: RoomQuestion | undefined;
  sceneId?: string | undefined;
  unusual: Unusual;
}

/** What is known of who is at the page. */
export type PageHand = Pick<Hand, "browser" | "drawn">;

export type PersonDecision = { id: string; questionId?: string | undefined } & (
  | { kind: "reject" }
  /** `renderedHash`: of the text that their page showed, all of it; `by`: why it was theirs. */
  | { kind: "accept"; renderedHash: string; by: PageHand }
  /** `candidate`: the agent's version that the sheet showed as such. */
  | { kind: "edit"; renderedHash: string; by: PageHand; text: string; candidate: string | undefined }
);
