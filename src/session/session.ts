import { LRUCache } from "lru-cache";
import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { Store } from "../store/store.ts";
import { KeptResults } from "./kept-results.ts";
import type { Ledger } from "./ledger.ts";
import { Permissions, type ShownRecord } from "./permissions.ts";
import { RecentCalls, Rounds } from "./recent-calls.ts";
import { ResultCache } from "./result-cache.ts";
import { SentProfiles, ShownMarks } from "./shown-marks.ts";
import { Taint, type TaintRecord } from "./taint.ts";
import { KeptTexts, TaskMemories } from "./task-memory.ts";

/**
 * A background task asks its question as often as its client polls, so a name is looked up again only after this, in
 * milliseconds.
 */
const FRESH_MS = 60_000;
const MAX_NAMES = 100;

/**
 * Remembers the names of scenes in the questions of one session. `key` is a scene of one backend; `now` is in
 * milliseconds of a clock that nobody sets.
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

/** Says which tools are listed. */
export type Mode = "normal" | "developer";

/** A session keeps these between its calls, since a server may be built anew for each call. */
export interface Session {
  id: string;
  ledger: Ledger;
  cache: ResultCache;
  /** Later calls can refer to what earlier ones have given. */
  kept: KeptResults;
  shown: ShownMarks;
  sentProfiles: SentProfiles;
  permissions: Permissions;
  /** Says whether text of other agents has been read in this session, or in its home. */
  taint: Taint;
  /** This session has had these notices, each after its backend's origin. */
  noticed: Set<string>;
  /** Questions have named the hosts of these backends, by origin. */
  hostsNamed: Set<string>;
  /** Its background tasks. */
  tasks: TaskMemories;
  /** Clients with these names and versions decline pages that nobody has seen. */
  pagesUnseen: Set<string>;
  /** Its last calls. */
  recentCalls: RecentCalls;
  rounds: Rounds;
  /** These texts are sent in place of the network's, once the person has decided so. */
  texts: KeptTexts;
  /** The negotiation that this session began last, by backend origin. One home may have several sessions. */
  begun: Map<string, string>;
  sceneNames: SceneNames;
  /** The mode was chosen in conversation, for this session only. */
  mode?: Mode | undefined;
}

/** A call finds these in its session. */
export interface CallSession
  extends Pick<Session, "ledger" | "cache" | "kept" | "texts" | "shown" | "sentProfiles" | "permissions"> {
  /** The session belongs to one client, so its model has received everything that was given here. */
  isOwned: boolean;
  taint: {
    /** Returns whether a model may have read text of other agents, in this session or in this home within a day. */
    isTainted: () => Promise<boolean>;
    /** Await this before such a text is given out. */
    mark: () => Promise<void>;
  };
}

export interface SessionDeps {
  id: string;
  /** The session's own names begin here. */
  store: Store;
  /** The record belongs to the home, or to the user. */
  tainted: TaintRecord;
  /** The record belongs to the home, where sessions have one. */
  givenInHome?: ShownRecord;
  ledger: Ledger;
  clock: Clock;
  newId: () => string;
  hash: (text: string) => string;
  log: Log;
}

export const createSession = ({
  id,
  store,
  tainted,
  givenInHome,
  ledger,
  clock,
  newId,
  hash,
  log,
}: SessionDeps): Session => ({
  id,
  ledger,
  cache: new ResultCache(store, hash, log),
  kept: new KeptResults(store, log),
  shown: new ShownMarks(store, hash),
  sentProfiles: new SentProfiles(store, hash),
  permissions: new Permissions(store, clock, newId, givenInHome),
  taint: new Taint({ record: tainted, clock, log }),
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
