import type { ApprovalPages } from "../ask/questions.ts";
import { withRequestId } from "../backend/client.ts";
import type { OpenFeed } from "../backend/feed/open-feed.ts";
import { Feeds } from "../feed/feeds.ts";
import { HomeUnwritable } from "../home/errors.ts";
import type { LastIds } from "../home/last-ids.ts";
import type { LiveSettings } from "../home/live-settings.ts";
import { providerOf } from "../home/origin.ts";
import type { ConfigKey } from "../home/schema.ts";
import type { Settings } from "../home/settings.ts";
import type { Account, Accounts } from "../mcp/account.ts";
import type { ServerDeps } from "../mcp/server-deps.ts";
import type { CoreDeps, PinnedBackend } from "../negotiation/core.ts";
import type { FactStore, Owner } from "../negotiation/facts.ts";
import { Pollers } from "../negotiation/polling.ts";
import { SeenNegotiations } from "../negotiation/reads.ts";
import { type AtEnd, Registry } from "../negotiation/registry.ts";
import { Negotiations } from "../negotiation/service.ts";
import { answering } from "../negotiation/stores/home-facts.ts";
import { Submission } from "../negotiation/submit.ts";
import { createSession, type SessionDeps } from "../session/session.ts";
import { sha256 } from "../sha256.ts";
import { StoreUnreachable, scoped } from "../store/store.ts";
import { type BackendClients, type BackendWay, clientsOf } from "./backend-clients.ts";

/** The settings that one request overrides. */
type Chosen = Partial<Record<ConfigKey, unknown>>;

interface UserSettings {
  live: LiveSettings;
  /** Returns live settings in which the chosen values override the configured ones. */
  with(chosen: Chosen): LiveSettings;
}

/** What a person has at one backend: the way there, and who they are to it. */
export interface UserBackend {
  origin: string;
  /**
   * Pins the address that is configured now, and returns a function that gives the way there. `isCall` is true for a
   * tool call and false for a supervisor. With `account` the requests are sent as that account, as long as its token is
   * known. Equal ways are the same object.
   */
  pin: () => (isCall: boolean, account?: string) => Promise<BackendWay>;
  /** Opens the backend's feed. Absent if it has none. */
  openFeed?: OpenFeed | undefined;
  /** Called at each repeated read of a demand, so that an endpoint can count them. */
  onPoll?: (() => void) | undefined;
  userId: () => Promise<string>;
  /** Returns the id if it is known already. Absent if the id never changes. */
  knownUserId?: CoreDeps["knownUserId"];
  hasPeers?: CoreDeps["hasPeers"];
  /** Keeps the last scene and negotiation as defaults. */
  remember: (values: LastIds) => Promise<void>;
  /** Called when the backend is configured at this address. Another path of the same host is the same backend. */
  move?: (url: string) => void;
}

export interface Backends {
  /** Returns the origin of the backend at an address. Never throws. */
  originOf: (url: string | undefined) => string;
  /** Returns the backend of an origin. Called once for each origin that is used. */
  at: (origin: string, settings: () => Settings) => UserBackend;
}

/** What is written down of a person's demands, and which programs look after them. */
interface UserHistory {
  facts: FactStore;
  /** The history folder, named in the error if it does not answer. Absent if the facts are not kept in a folder. */
  folder?: string;
  /** This running program. */
  owner: Owner;
  /** Returns this program under another name, as an owner that looks after none of the negotiations of the first. */
  asAnother: () => Owner;
  isAlive: CoreDeps["isAlive"];
  /**
   * Returns whether this program is a command that ends in a moment. Such a command takes over no undecided demand of
   * another program.
   */
  isOneShot?: () => boolean;
  /** Returns whether this program sees what others of the home begin, so that they may leave it to this one. */
  keepsOthers?: () => boolean;
}

/** The parts that depend on where a person comes from, a home or a token. Everything else is the same. */
export interface UserParts {
  settings: UserSettings;
  backends: Backends;
  history: UserHistory;
  /** The memory of the person's sessions, which holds results, the budget, and notes of what models have read and shown. */
  memory: Pick<SessionDeps, "store" | "tainted" | "givenInHome" | "ledger">;
  /** Creates the pages on which the person decides. Absent if there is no address that they could open. */
  pages?: ((account: Account, isStrict: () => boolean) => ApprovalPages) | undefined;
  /** The dependencies of the person's servers besides the settings, the accounts and the session. */
  server: Omit<ServerDeps, "live" | "accounts" | "session">;
}

/** The services of one person, which all programs of that person share. */
export interface User {
  settings: UserSettings;
  /** Returns the account at the backend that is configured now. */
  account(): Account;
  /** Returns the accounts at every backend that has been used. */
  all(): Account[];
  /** Returns what a server needs. Servers without a session id share one session. */
  server(chosen?: Chosen, sessionId?: string): ServerDeps;
  /**
   * Ends what is undecided, as `atEnd` or the policy says. Returns the ids of negotiations that could not be withdrawn.
   */
  end(atEnd?: AtEnd): Promise<string[]>;
}

/**
 * Creates a person's services. This is the only place that puts them together, for stdio, HTTP, commands, rooms and
 * tests.
 */
export function createUser({ history: { folder, ...history }, ...rest }: UserParts): User {
  const { settings, memory, server } = rest;
  const { live } = settings;
  const { clock } = server;
  const tooLate = () =>
    folder === undefined ? new StoreUnreachable() : new HomeUnwritable({ path: folder, reason: "ETIMEDOUT" });
  const parts = { ...rest, history: { ...history, facts: answering(history.facts, clock, tooLate) } };
  const own = createAccounts(parts, () => live.current(), history.owner);
  /** The accounts for requests that choose `dry_run`, whatever the settings say. */
  let dry: UserAccounts | undefined;
  const accounts = ({ profile }: Chosen): UserAccounts => {
    if (profile !== "dry_run") return own;
    dry ??= createAccounts(parts, () => ({ ...live.current(), profile }), history.asAnother());
    return dry;
  };
  const openSession = (name = "") => {
    const store = name === "" ? memory.store : scoped(memory.store, name);
    return createSession(server, { ...memory, store, id: server.newId() });
  };
  const shared = openSession();
  return {
    settings,
    account: () => own.at(live.current().backend_url),
    all: own.all,
    server(chosen = {}, sessionId) {
      // A session has its own mode, and so does an address with a query, so these servers do not share `live`.
      const isShared = sessionId === undefined && Object.keys(chosen).length === 0;
      return {
        ...server,
        live: isShared ? live : settings.with(chosen),
        accounts: accounts(chosen),
        session: sessionId === undefined ? shared : openSession(`session:${sha256(sessionId)}:`),
      };
    },
    async end(atEnd) {
      const all = [...own.all(), ...(dry?.all() ?? [])];
      return (await Promise.all(all.map(({ negotiations }) => negotiations.shutdown(atEnd)))).flat();
    },
  };
}

interface UserAccounts extends Accounts {
  all(): Account[];
}

/**
 * Creates the accounts of a person. Each is made when its backend is first used, and stays. If `backend_url` is edited
 * while the program runs, the demands at the former backend are still watched there.
 */
function createAccounts(parts: UserParts, settings: () => Settings, owner: Owner): UserAccounts {
  const known = new Map<string, { account: Account; backend: UserBackend }>();
  const at = (url: string | undefined) => {
    const origin = parts.backends.originOf(url);
    const found = known.get(origin);
    if (found !== undefined) return found;
    const backend = parts.backends.at(origin, settings);
    const made = { account: createAccount(backend, parts, settings, owner), backend };
    known.set(origin, made);
    return made;
  };
  return {
    of: (origin) => at(origin).account,
    at(url) {
      const { account, backend } = at(url);
      if (url !== undefined) backend.move?.(url);
      return account;
    },
    all: () => [...known.values()].map(({ account }) => account),
  };
}

function createAccount(backend: UserBackend, parts: UserParts, settings: () => Settings, owner: Owner): Account {
  const { history, memory, server } = parts;
  const { clock, log, newId, random } = server;
  const { origin, openFeed, onPoll, userId, remember } = backend;
  const clients = new WeakMap<BackendWay, BackendClients>();
  const pinBackend = (): PinnedBackend => {
    const wayFor = backend.pin();
    return async ({ requestId, isCall, account }) => {
      const way = await wayFor(isCall, account);
      const known = clients.get(way) ?? clientsOf(way, memory.ledger, () => settings().profile);
      clients.set(way, known);
      const client = isCall ? known.calls : known.supervisors;
      return requestId === undefined ? client : withRequestId(client, requestId);
    };
  };
  const pinned = (requestId?: string) => pinBackend()({ requestId, isCall: requestId !== undefined });
  const isOneShot = () => history.isOneShot?.() === true;
  const negotiations = createNegotiations({
    origin,
    feedsOf: (onNews) => openFeed && new Feeds(server, { open: openFeed, onNews, stays: () => !isOneShot() }),
    backend: pinned,
    pinBackend,
    facts: history.facts,
    onPoll,
    ...{ clock, log, newId, random },
    userId,
    knownUserId: backend.knownUserId,
    owner,
    isAlive: history.isAlive,
    hasPeers: backend.hasPeers,
    policy() {
      const { on_unconfirmed, confirm_deadline_s, confirmation_policy, profile } = settings();
      return {
        onUnconfirmed: on_unconfirmed,
        confirmDeadlineMs: confirm_deadline_s * 1000,
        isStrict: confirmation_policy === "strict",
        readsOnly: profile === "read_only",
        isDry: profile === "dry_run",
        isOneShot: isOneShot(),
        keepsOthers: history.keepsOthers?.() === true,
      };
    },
  });
  const account: Account = {
    ...{ origin, provider: providerOf(origin), backend: pinned, userId, negotiations, remember },
    pages: undefined,
  };
  account.pages = parts.pages?.(account, () => settings().confirmation_policy === "strict");
  return account;
}

interface NegotiationsDeps extends Omit<CoreDeps, "nudge"> {
  onPoll: UserBackend["onPoll"];
  /**
   * Creates the reader of the backend's feed, or returns undefined if the backend has none. `onNews` is called with the
   * id that the feed announces.
   */
  feedsOf: (onNews: (id: string) => void) => Feeds | undefined;
}

/** Creates one user's negotiations at one backend. */
function createNegotiations({ onPoll, feedsOf, ...rest }: NegotiationsDeps): Negotiations {
  const pollers: Pollers = new Pollers(rest, {
    onPoll,
    get: (id, signal, requestId) => negotiations.forCall({ signal, requestId }).get(id),
  });
  const deps = { ...rest, nudge: (id: string) => pollers.nudge(id) };
  const registry = new Registry(deps);
  const submission = new Submission(deps, registry);
  const negotiations = new Negotiations({
    deps,
    pollers,
    registry,
    submission,
    seen: new SeenNegotiations(feedsOf((id) => pollers.hint(id))),
    known: new Set(),
  });
  return negotiations;
}
