import { createHmac, scrypt } from "node:crypto";
import { promisify } from "node:util";
import * as z from "zod";
import type { OpenRoom } from "../../ask/page/open-page.ts";
import { type ApprovalSite, createApprovalPages } from "../../ask/page/site.ts";
import { TooManyNewTokens } from "../../backend/errors.ts";
import type { Http } from "../../backend/http.ts";
import { createLiveSettings, type LiveSettings } from "../../home/live-settings.ts";
import type { ResolveInput } from "../../home/settings.ts";
import { createUserConfig } from "../../home/user-config.ts";
import { failureOf, type Log } from "../../log.ts";
import { type Account, oneAccount } from "../../mcp/account.ts";
import type { Gate } from "../../mcp/http/gate.ts";
import type { GrantInUse } from "../../mcp/http/sign-in/grants.ts";
import type { User as HttpUser } from "../../mcp/http/user.ts";
import type { Program } from "../../mcp/server-deps.ts";
import type { FactStore, Owner } from "../../negotiation/facts.ts";
import { listRecords } from "../../negotiation/records.ts";
import type { Negotiations } from "../../negotiation/service.ts";
import { createSharedFacts } from "../../negotiation/stores/shared-facts.ts";
import { once } from "../../once.ts";
import { Ledger } from "../../session/ledger.ts";
import type { TaintRecord } from "../../session/taint.ts";
import { provisional } from "../../store/provisional.ts";
import { type Store, scoped } from "../../store/store.ts";
import type { Texts } from "../../text/index.ts";
import { feedOf } from "../backend-clients.ts";
import { roomFiles } from "../room-files.ts";
import { type Backends, createUser, type User, type UserBackend } from "../user.ts";
import type { EndpointBrowsers } from "./browsers.ts";
import type { UserAuth } from "./credentials.ts";
import { GrantedUsers } from "./granted-users.ts";
import { OF_NO_CLIENT, type ServedOptions, serve } from "./served.ts";
import type { Acceptance, Tokens } from "./tokens.ts";
import type { UserFolders } from "./user-folders.ts";
import { Uses } from "./uses.ts";

/** The services that all users of one replica share. */
export interface TokenUsersParts {
  /** The backend that all users share. `onPoll` is called at each repeated read of a negotiation. */
  backend: { url: string; onPoll?: (() => void) | undefined };
  tokens: Tokens;
  /** The operator's settings, without those that belong to one person. */
  operator: Omit<ResolveInput, "file"> & { file: Readonly<Record<string, unknown>> };
  store: Store;
  history: {
    /** Identifies this running program in negotiation histories. */
    owner: Owner;
    /** Returns whether another program still runs. */
    isAlive: (owner: Owner) => Promise<boolean>;
    /** The files that keep users' facts. Absent if replicas share a store, or if the home cannot be written. */
    folders?: Pick<UserFolders, "of" | "beatWhile"> | undefined;
  };
  /** Returns the texts in one language. They name the address of this endpoint's room. */
  textsOf: (lang: "zh" | "en") => Texts;
  /** The site of the approval pages, and the browsers of all users. Absent without a public address. */
  pages?: { site: ApprovalSite; browsers: Pick<EndpointBrowsers, "of" | "onPageOf"> } | undefined;
  /** Limits how many messages of all users are served at once. */
  gate: Gate;
  /** The package's folder. */
  root: URL;
  /** The program's own services. Every replica has the same `stateKey`, and each user's key is derived from it. */
  server: Omit<Program, "timeOfDay">;
}

export interface TokenUserParts {
  /** The hash that names the user in the store, so that the token itself is in no key and in no log. */
  key: string;
  auth: UserAuth;
  isAccepted: boolean;
  /** Called once, when this replica learns that the backend accepts the token. */
  onAccepted: () => void;
}

/** The most names that a token may have in the store before the backend has accepted it. */
const MAX_NAMES = 100;
const TAINTED = "tainted-until";

/**
 * One person, known by a token. Until the backend accepts the token, little is kept for it, and all of that can be
 * erased.
 */
export class TokenUser implements HttpUser {
  readonly key: string;
  readonly auth: UserAuth;
  readonly store: Store;
  readonly uses: Uses;
  readonly serverDeps: HttpUser["serverDeps"];
  readonly modern: HttpUser["modern"];
  readonly subscriptions: HttpUser["subscriptions"];
  /** Serves the programs that may act for this person, each as a `User` of its own. */
  readonly granted: GrantedUsers;
  readonly negotiations: Negotiations;
  /** Withdraws or leaves each undecided negotiation, as its argument or else the user's policy says. */
  readonly end: User["end"];
  readonly #parts: TokenUsersParts;
  readonly #acceptance: Acceptance;
  readonly #settings: ReturnType<typeof settingsOf>;
  readonly #checkRequest: HttpUser["prepare"];
  readonly #recallLast: () => Promise<void>;

  constructor({ key, auth, isAccepted, onAccepted }: TokenUserParts, parts: TokenUsersParts) {
    const { server, tokens } = parts;
    const { clock, log } = server;
    const kept = keptOf(key, parts);
    if (isAccepted) kept.keep();
    this.key = key;
    this.auth = auth;
    this.store = kept.store;
    this.#parts = parts;
    this.#acceptance = tokens.acceptance(
      key,
      () => auth.token,
      isAccepted,
      () => {
        kept.keep();
        onAccepted();
      },
    );
    this.uses = new Uses({ isAccepted: () => this.isAccepted, erase: () => kept.drop(), clock });
    this.#settings = settingsOf(parts, kept.store);
    const { live, remember } = this.#settings;
    this.#recallLast = once(async () => {
      if (kept.hasFolder) await recall({ live, facts: kept.facts, log });
    });
    const person = this.#createPerson(kept.facts);
    this.negotiations = person.account().negotiations;
    this.end = person.end;
    const as = claimed({ live, auth, remember });
    const { prepare, ...served } = serve(person, { as, platform: server });
    this.#checkRequest = prepare;
    this.serverDeps = served.serverDeps;
    this.modern = served.modern;
    this.subscriptions = served.subscriptions;
    this.granted = new GrantedUsers((own) => this.#servedThrough(own, person, as));
  }

  get isAccepted(): boolean {
    return this.#acceptance.isAccepted;
  }

  /** True while a request with this token is in flight or queued, and the backend has not accepted the token yet. */
  get isTrying(): boolean {
    return this.#acceptance.isTrying;
  }

  /** Called when another replica knows that the backend has accepted this token. */
  accept(): void {
    this.#acceptance.accept();
  }

  use(): () => void {
    return this.uses.begin();
  }

  async prepare(request: Request): Promise<void> {
    // A person's no must not wait for the store, so an accepted user is served even if the store is down. A call that
    // needs the store reports the failure itself (contract §10).
    await this.#settings.config.refresh().catch((error) => {
      if (!this.isAccepted) throw error;
    });
    await this.#recallLast();
    await this.#checkRequest(request);
  }

  close(): void {
    this.#acceptance.close();
    this.subscriptions.close();
    void this.granted.close();
    this.#settings.config.close();
  }

  #createPerson(facts: FactStore): User {
    const { key, auth, store } = this;
    const { backend, history, pages, server, textsOf } = this.#parts;
    const { live, chosenWith, remember } = this.#settings;
    return createUser({
      settings: { live, with: chosenWith },
      backends: tokenBackends({ auth, http: this.#acceptance.http, remember, ...backend }),
      history: { ...history, facts, asAnother: () => ({ ...history.owner, instance: server.newId() }) },
      memory: { store, tainted: taintIn(store), ledger: new Ledger(store, server.log) },
      // The person decides on these pages, in a browser that they have signed in with their token.
      pages:
        pages &&
        ((account, isStrict) =>
          createApprovalPages({
            site: pages.site,
            owner: { id: key, browsers: pages.browsers.of(key), signIn: pages.browsers.onPageOf(key), isStrict },
            openRoom: (about) => openRoom({ user: this, account, parts: this.#parts, about }),
          })),
      server: {
        ...server,
        // Each user has a different key, so that no user can answer another one's question.
        stateKey: createHmac("sha256", server.stateKey).update(key).digest(),
        browser: "elsewhere",
        openBrowser: async () => "failed",
        notices: async () => [],
        textsOf,
        timeOfDay: (atMs) => `${new Date(atMs).toISOString().slice(11, 19)} UTC`,
      },
    });
  }

  /** Returns the user that serves one program, which acts for this person under the given grant. */
  #servedThrough(own: { grant: GrantInUse }, person: User, as: ServedOptions["as"]): HttpUser {
    const { key, store } = this;
    const isAccepted = () => this.isAccepted;
    return {
      // The grant says who the person is, so the id that a client claims is ignored.
      ...serve(person, {
        as: (_, deps, request) => ({ ...as(undefined, deps, request), passesNoWord: () => !own.grant.passesWord }),
        platform: this.#parts.server,
      }),
      ...{ key, grant: own.grant.id, store },
      use: () => this.use(),
      prepare: (request) => this.prepare(request),
      get isAccepted() {
        return isAccepted();
      },
    };
  }
}

/**
 * Opens what is kept for a user. Facts are in files of this endpoint's home if it has them, and everything else is in
 * the store.
 */
function keptOf(key: string, { store, history }: TokenUsersParts) {
  const full = () => new TooManyNewTokens({ operation: "store" });
  const own = provisional(scoped(store, `user:${key}:`), MAX_NAMES, full);
  const inStore = createSharedFacts(own.store);
  const folder = history.folders?.of(key, inStore);
  return {
    store: own.store,
    facts: folder?.facts ?? inStore,
    /** True if the user's facts are in files, which survive a restart. */
    hasFolder: folder !== undefined,
    /** Makes everything that is written for the user stay. Called once the backend has accepted the token. */
    keep() {
      own.keep();
      folder?.keep();
    },
    drop: () => own.drop(),
  };
}

/** Opens the room that one of the user's approval pages shows. */
async function openRoom({
  user,
  account,
  parts,
  about,
}: {
  user: TokenUser;
  account: Account;
  parts: TokenUsersParts;
  about: Parameters<OpenRoom>[0];
}): ReturnType<OpenRoom> {
  const [{ openPageRoom }, { serveBehindGate }] = await Promise.all([
    import("../../room/person-services.ts"),
    import("./gated-room.ts"),
  ]);
  const room = openPageRoom(user.serverDeps(OF_NO_CLIENT), account, roomFiles(parts.root), about);
  const holder = { user, gate: parts.gate, lang: () => about.lang };
  return {
    ...room,
    serve: (request, visit) => serveBehindGate(request, visit.base, holder, () => room.serve(request, visit)),
  };
}

/** Returns the user's settings. They change when the user chooses something, here or at another replica. */
function settingsOf({ operator: { file, ...fixed }, server: { log } }: TokenUsersParts, store: Store) {
  const config = createUserConfig(store, file, log);
  const live = createLiveSettings(config, fixed);
  live.watch();
  const chosenWith: User["settings"]["with"] = (chosen) =>
    createLiveSettings(config, { ...fixed, flags: { ...fixed.flags, ...chosen } });
  const remember = async (values: Parameters<LiveSettings["save"]>[0]) => {
    await live.save(values).catch((error) => log.warn("not_remembered", { error: failureOf(error) }));
  };
  return { config, live, chosenWith, remember };
}

interface ClaimedParts {
  live: LiveSettings;
  auth: UserAuth;
  remember: ReturnType<typeof settingsOf>["remember"];
}

/** Returns a function that adapts a server's services to the id that the caller claims. */
function claimed({ live, auth, remember }: ClaimedParts): ServedOptions["as"] {
  return (claimedId, deps, request) => {
    const account = deps.accounts.at(undefined);
    const userId = () => (request === OF_NO_CLIENT ? live.current().user_id : claimedId);
    return {
      ...deps,
      accounts: oneAccount({
        ...account,
        userId: async () => userId() ?? account.userId(),
        async remember(values) {
          // The claimed id is remembered together with the user's last scene and negotiation.
          if (claimedId !== undefined && claimedId !== live.current().user_id) await remember({ user_id: claimedId });
          await account.remember(values);
        },
      }),
      notices: async () => (claimedId === undefined && auth.userId === undefined ? ["user_id_derived"] : []),
    };
  };
}

/**
 * Restores the user's last negotiation from their facts after a restart, so that they can ask about it without naming
 * it.
 */
async function recall({ live, facts, log }: { live: LiveSettings; facts: FactStore; log: Log }): Promise<void> {
  if (live.current().last_negotiation_id !== undefined) return;
  try {
    const [last] = await listRecords(facts, { count: 1 });
    if (last === undefined) return;
    const { negotiation_id: last_negotiation_id, scene_id: last_scene_id } = last;
    await live.save({ last_negotiation_id, ...(last_scene_id !== undefined && { last_scene_id }) });
  } catch (error) {
    log.warn("last_not_recalled", { error: failureOf(error) });
  }
}

interface TokenBackendParts {
  auth: UserAuth;
  url: string;
  /** Sends requests for this token alone. */
  http: Http;
  onPoll?: (() => void) | undefined;
  remember: UserBackend["remember"];
}

/**
 * Returns the one backend of an endpoint. The token is passed on unchanged, and the backend decides whether it is
 * valid.
 */
function tokenBackends({ auth, url, http, onPoll, remember }: TokenBackendParts): Backends {
  const { origin } = new URL(url);
  const way = { baseUrl: url, http, auth };
  const first = auth.token;
  const derivedId = once(() => deriveUserId(origin, first));
  return {
    originOf: () => origin,
    at: (_, settings) => ({
      origin,
      pin: () => async () => way,
      openFeed: feedOf(async () => way, settings),
      onPoll,
      userId: async () => auth.userId ?? derivedId(),
      remember,
    }),
  };
}

/**
 * Returns an id for a person who gives none. The same token always gets the same id at one backend. The id is public in
 * the network and must not help anyone to guess the token, so the hash is slow, and the caller should keep the result.
 * The hash is computed on another thread, so that others are still served.
 */
export async function deriveUserId(origin: string, token: string): Promise<string> {
  const hash = (await promisify(scrypt)(token, `towow-user-id\n${origin}`, 16)) as Buffer;
  return `u-${hash.toString("hex")}`;
}

/**
 * Keeps the time until which the user counts as tainted, in the user's part of the store, where all replicas find it.
 */
const taintIn = (store: Store): TaintRecord => ({
  until: () => store.get(TAINTED, z.number(), Number.POSITIVE_INFINITY),
  keep: (untilMs, lastsMs) => store.put(TAINTED, untilMs, lastsMs),
});
