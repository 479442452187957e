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

/** The language in which the room addresses its person. */
export type Lang = "zh" | "en";

/**
 * Everything that a room can do for its person. Whatever is sent uses the same code that a tool call uses, within the
 * same limits.
 */
export interface Person {
  /** Returns the backend's host, or an empty text if no backend is configured. */
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
   * Submits a demand and returns its id. From then on this program watches the demand's deadline. `writtenBy` is the
   * author of the words, or `unknown` if they have several. @throws RoomToolFailed
   */
  submit(sceneId: string, intent: string, lang: Lang, writtenBy: RoomDemand["writtenBy"]): Promise<string>;
  /**
   * Returns where a demand stands according to this home and the last read. `isGone` is true if the backend does not
   * know the demand.
   */
  status(id: string, seen: Negotiation | undefined, isGone: boolean): Promise<DemandStatus>;
  /** Returns the demand as an outside agent may read it, which is no more than tool results hold. */
  forModel(seen: Negotiation, stage: Stage): Promise<DemandForModel>;
  /**
   * Calls `next` after each read from the backend, and `fail` if reading is given up, until the returned function is
   * called.
   */
  follow(id: string, listener: { next: (seen: Negotiation) => void; fail: (error: unknown) => void }): () => void;
  /** Reads the negotiation from the backend now. */
  read(id: string): Promise<Negotiation>;
  /** Decides on a demand: a yes to exactly the text of the question, a yes to the person's own text, or a no. */
  decide(decision: PersonDecision): Promise<DecisionResult>;
  /** Ends a negotiation that was broadcast. @throws RoomToolFailed, also if `by` does not prove enough for a stop */
  cancel(id: string, lang: Lang, by: PageHand): Promise<void>;
  /**
   * Records the person's answer to what they should look at again. The first answer stands. Returns false if none was
   * asked for.
   */
  review(id: string, codes: readonly string[], verdict: Verdict): Promise<boolean>;
  /** Writes a self-contained page about a negotiation, with contact data masked as by `towow-mcp report`. */
  report(id: string, lang: Lang, timeOf: (atMs: number) => string, asked: Asked): Promise<string>;
  /**
   * Yields this home's own demands, newest first. The first list is as written down, and each later one holds more of
   * the backend's answers.
   */
  history(): AsyncGenerator<HistoryEntry[]>;
  /** Returns the id of the person's newest undecided demand, as far as this is written down. */
  undecided(): Promise<string | undefined>;
  /** Returns the options by which the present settings clean the words of others for a model. */
  sanitizing(): SanitizeOptions;
  /** Puts an error into a sentence in the person's language. */
  tell(error: unknown, lang: Lang): string;
}

/** Where a demand stands, according to this home and to the backend's last answer. */
export interface DemandStatus
  extends Pick<RoomDemand, "stage" | "said" | "negotiation" | "tasks" | "review" | "risks" | "ownId"> {
  stage: Stage;
  facts: Facts;
  question?: RoomQuestion | undefined;
  sceneId?: string | undefined;
  unusual: UnusualRoute;
}

/** What is known about the person at the page: what proves that the browser is theirs, and how the page was displayed. */
export type PageHand = Pick<Hand, "browser" | "drawn">;

export type PersonDecision = { id: string; questionId?: string | undefined } & (
  | { kind: "reject" }
  /** `renderedHash` is the hash of the whole text that the page showed. `by` is what shows that the answer is the person's. */
  | { kind: "accept"; renderedHash: string; by: PageHand }
  /** `candidate` is an agent's version, if the sheet showed it as the agent's. */
  | { kind: "edit"; renderedHash: string; by: PageHand; text: string; candidate: string | undefined }
);
