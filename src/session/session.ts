import { LRUCache } from "lru-cache";
import type { Platform } from "../platform.ts";
import type { Store } from "../store/store.ts";
import { KeptResults } from "./kept-results.ts";
import type { Ledger } from "./ledger.ts";
import { Permissions, type ShownRecord } from "./permissions.ts";
import { RecentCalls, Rounds } from "./recent-calls.ts";
import { ResultCache } from "./result-cache.ts";
import { SentProfiles, SentResults } from "./sent-marks.ts";
import { Taint, type TaintRecord } from "./taint.ts";
import { KeptTexts, TaskMemories } from "./task-memory.ts";

/**
 * How long a scene's name is reused before it is looked up again, in milliseconds. A background task asks its question
 * as often as its client polls.
 */
const FRESH_MS = 60_000;
const MAX_NAMES = 100;

/**
 * Remembers the names of scenes in the questions of one session. `key` stands for a scene of one backend. `now` is in
 * milliseconds of a monotonic clock.
 */
class SceneNames {
  readonly #names = new LRUCache<string, { name: string | undefined; at: number }>({ max: MAX_NAMES });

  async of(key: string, now: number, look: () => Promise<string | undefined>): Promise<string | undefined> {
    const known = this.#names.get(key);
    if (known !== undefined && now - known.at < FRESH_MS) return known.name;
    const name = await look();
    this.#names.set(key, { name, at: now });
    return name;
  }
}

/** The mode of a session, which decides the tools that are listed. */
export type Mode = "normal" | "developer";

/** What a session keeps between its calls. The server may be built anew for each call. */
export interface Session {
  id: string;
  ledger: Ledger;
  cache: ResultCache;
  /** Results of earlier calls, to which later calls can refer. */
  kept: KeptResults;
  sentResults: SentResults;
  sentProfiles: SentProfiles;
  permissions: Permissions;
  /** Knows whether text of other agents has been read in this session, or in its home. */
  taint: Taint;
  /** Notices that this session has had, each with its backend's origin. */
  noticed: Set<string>;
  /** Origins of the backends whose hosts a question has already named. */
  hostsNamed: Set<string>;
  tasks: TaskMemories;
  /** Names and versions of clients that declined a page before anybody can have seen it. */
  pagesUnseen: Set<string>;
  recentCalls: RecentCalls;
  rounds: Rounds;
  /** Texts of the person's AI, which the person may choose to send instead of the network's text. */
  texts: KeptTexts;
  /**
   * The negotiation that this session began last, by backend origin. Each session has its own, because one home may
   * have several sessions.
   */
  begun: Map<string, string>;
  sceneNames: SceneNames;
  /** The mode that was chosen in conversation, for this session only. */
  mode?: Mode | undefined;
}

/** The part of a session that a tool call uses. */
export interface CallSession
  extends Pick<Session, "ledger" | "cache" | "kept" | "texts" | "sentResults" | "sentProfiles" | "permissions"> {
  /** True if the session belongs to one client, so that its model has received everything that the session gave out. */
  isOwned: boolean;
  taint: {
    /** Returns whether a model may have read text of other agents, in this session or within a day in this home. */
    isTainted: () => Promise<boolean>;
    /** Notes that text of other agents is about to be given out. Only after the note may the text be given out. */
    mark: () => Promise<void>;
  };
}

export interface SessionDeps {
  id: string;
  /** The store. If several sessions share one store, the keys of this session have a prefix of their own. */
  store: Store;
  /** The taint record of the home or of the user. */
  tainted: TaintRecord;
  /** What an AI was given to show, in any session of the home. The record is absent if sessions do not share one. */
  givenInHome?: ShownRecord;
  ledger: Ledger;
}

export const createSession = (
  platform: Platform,
  { id, store, tainted, givenInHome, ledger }: SessionDeps,
): Session => ({
  id,
  ledger,
  cache: new ResultCache(store, platform.log),
  kept: new KeptResults(store, platform.log),
  sentResults: new SentResults(store),
  sentProfiles: new SentProfiles(store),
  permissions: new Permissions(platform, store, givenInHome),
  taint: new Taint(platform, tainted),
  noticed: new Set(),
  hostsNamed: new Set(),
  tasks: new TaskMemories(),
  pagesUnseen: new Set(),
  recentCalls: new RecentCalls(),
  rounds: new Rounds(),
  texts: new KeptTexts(),
  begun: new Map(),
  sceneNames: new SceneNames(),
});
