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

/** A background task asks its question as often as its client polls: a name is not looked up again within this, in milliseconds. */
const FRESH_MS = 60_000;
const MAX_NAMES = 100;

/** What scenes are called in the questions of one session. `key`: a scene of one backend; `now`: milliseconds of a clock that nobody sets. */
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

/** Which tools are listed. */
export type Mode = "normal" | "developer";

/** What a session keeps between its calls; a server may be built anew for each call. */
export interface Session {
  id: string;
  ledger: Ledger;
  cache: ResultCache;
  /** What its calls have given, for later ones to refer to. */
  kept: KeptResults;
  shown: ShownMarks;
  sentProfiles: SentProfiles;
  permissions: Permissions;
  /** Whether text of other agents has been read in it, or in its home. */
  taint: Taint;
  /** Notices that this session has had, each with the backend's origin before it. */
  noticed: Set<string>;
  /** The backends, by origin, whose host a question has named. */
  hostsNamed: Set<string>;
  /** Its background tasks. */
  tasks: TaskMemories;
  /** Clients, by name and version, that decline pages which nobody has seen. */
  pagesUnseen: Set<string>;
  /** Its last calls. */
  recentCalls: RecentCalls;
  rounds: Rounds;
  /** Texts to be sent in the place of the network's, once the person has decided so. */
  texts: KeptTexts;
  /** The negotiation that it began last, by the backend's origin: of one home there may be several sessions. */
  begun: Map<string, string>;
  sceneNames: SceneNames;
  /** Chosen by conversation, for this session only. */
  mode?: Mode | undefined;
}

/** What a call finds of its session. */
export interface CallSession
  extends Pick<Session, "ledger" | "cache" | "kept" | "texts" | "shown" | "sentProfiles" | "permissions"> {
  /** It is one client's alone: what it has been given, its model has had. */
  isOwned: boolean;
  taint: {
    /** Whether a model may have read text of other agents, in this session or in this home within a day. */
    isTainted: () => Promise<boolean>;
    /** To be awaited before such a text is given out. */
    mark: () => Promise<void>;
  };
}

export interface SessionDeps {
  id: string;
  /** Where this session's own names begin. */
  store: Store;
  /** Of the home, or of the user. */
  tainted: TaintRecord;
  /** Of the home, where sessions have one. */
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
