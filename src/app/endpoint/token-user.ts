import { createHmac, scrypt } from "node:crypto";
import { promisify } from "node:util";
import { nanoid } from "nanoid";
import * as z from "zod";
import type { OpenRoom } from "../../ask/page/open-page.ts";
import { type ApprovalSite, createApprovalPages } from "../../ask/page/site.ts";
import { NewTokensWait } from "../../backend/errors.ts";
import type { Http } from "../../backend/http.ts";
import { createLiveSettings, type LiveSettings } from "../../home/live-settings.ts";
import type { ResolveInput } from "../../home/settings.ts";
import { createUserConfig } from "../../home/user-config.ts";
import { failureOf, type Log } from "../../log.ts";
import { type Account, oneAccount } from "../../mcp/account.ts";
import type { Gate } from "../../mcp/http/gate.ts";
import type { User as HttpUser } from "../../mcp/http/user.ts";
import type { Program } from "../../mcp/server-deps.ts";
import type { FactStore, Owner } from "../../negotiation/facts.ts";
import type { Polling } from "../../negotiation/polling.ts";
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
import { sha256 } from "../hash.ts";
import { roomFiles } from "../room-files.ts";
import { type Backends, createUser, type User, type UserBackend } from "../user.ts";
import type { EndpointBrowsers } from "./browsers.ts";
import type { UserAuth } from "./credentials.ts";
import { GrantedUsers } from "./granted-users.ts";
import { OF_NO_CLIENT, type ServedOptions, serve } from "./served.ts";
import type { Tokens } from "./tokens.ts";
import type { UserPlaces } from "./user-places.ts";
import { Uses } from "./uses.ts";

/** What the users of one replica share. */
export interface TokenUsersParts {
  /** The backend that all of them use, and the way there. */
  backend: { url: string; polling: Polling };
  tokens: Tokens;
  /** The operator's settings, without anything that is one person's own. */
  operator: Omit<ResolveInput, "file"> & { file: Readonly<Record<string, unknown>> };
  store: Store;
  history: {
    /** This running program, as histories name it. */
    owner: Owner;
    /** Whether another program is there. */
    isAlive: (owner: Owner) => Promise<boolean>;
    /** What is written down of users where no store does it; absent where replicas share one. */
    places?: Pick<UserPlaces, "of"> | undefined;
  };
  /** The sentences of this endpoint, which name the room that people have here. */
  textsOf: (lang: "zh" | "en") => Texts;
  /** Where pages are, and the browsers of all users. */
  pages?: { site: ApprovalSite; browsers: Pick<EndpointBrowsers, "of" | "onPageOf"> } | undefined;
  /** The messages of all users are counted here while they are served. */
  gate: Gate;
  /** The package's folder. */
  root: URL;
  /** `stateKey`: the same in every replica; each user's own is made of it. */
  server: Omit<Program, "newId" | "timeOfDay">;
}

/** One person, known by a token. */
export interface TokenUser extends HttpUser {
  readonly auth: UserAuth;
  /** The same person, for the programs that they have let act. */
  readonly granted: GrantedUsers;
  negotiations: Negotiations;
  readonly uses: Uses;
  /** A request with this token is at the backend, which has not accepted it yet, or waits for its turn there. */
  readonly isTrying: boolean;
  /** Another replica knows that the backend has accepted this token. */
  accept(): void;
  /** Ends what waits, as `atEnd` or the policy says. */
  end: User["end"];
  close(): void;
}

export interface TokenUserParts {
  /** Names the user in the store; the token stands in no key and in no log. */
  key: string;
  auth: UserAuth;
  isAccepted: boolean;
  /** It has become known here that the backend accepts this token, once. */
  onAccepted: () => void;
}

/** Names in the store that a token may have before the backend has accepted it. */
const MAX_NAMES = 100;
const TAINTED = "tainted-until";

/** The user of a token. Until the backend accepts it, little is kept for it, and all of that can be erased. */
export function createTokenUser({ key, auth, ...known }: TokenUserParts, parts: TokenUsersParts): TokenUser {
  const { backend, history, pages, server } = parts;
  const { clock, log } = server;
  const kept = keptOf(key, parts);
  const { store, facts } = kept;
  if (known.isAccepted) kept.keep();
  const acceptance = parts.tokens.acceptance(
    key,
    () => auth.token,
    known.isAccepted,
    () => {
      kept.keep();
      known.onAccepted();
    },
  );
  const uses = new Uses({ isAccepted: () => acceptance.isAccepted, erase: () => kept.drop(), clock });

  const { config, live, chosenWith, remember } = settingsOf(parts, store);
  const person = createUser({
    settings: { live, with: chosenWith },
    backends: tokenBackends({ auth, http: acceptance.http, remember, ...backend }),
    history: { ...history, facts, asAnother: () => ({ ...history.owner, instance: nanoid() }) },
    memory: { store, tainted: taintIn(store), ledger: new Ledger(store, log) },
    // Where this person decides: in a browser that they have signed in with their token.
    pages:
      pages &&
      ((account, isStrict) =>
        createApprovalPages({
          site: pages.site,
          owner: { id: key, browsers: pages.browsers.of(key), signIn: pages.browsers.onPageOf(key), isStrict },
          openRoom: (about) => openRoom({ user, account, parts, about }),
        })),
    server: {
      ...server,
      stateKey: createHmac("sha256", server.stateKey).update(key).digest(), // another user's question is not theirs
      newId: nanoid,
      browser: "elsewhere",
      openBrowser: async () => "failed",
      notices: async () => [],
      textsOf: parts.textsOf,
      timeOfDay: (atMs) => `${new Date(atMs).toISOString().slice(11, 19)} UTC`,
    },
  });

  const as = claimed({ live, auth, remember });
  const recallLast = once(async () => {
    if (kept.hasPlace) await recall({ live, facts, log });
  });
  const served = serve(person, { as, clock, log });
  const granted = new GrantedUsers((own) => ({
    // Who their person is, the grant says.
    ...serve(person, {
      as: (_, deps, request) => ({ ...as(undefined, deps, request), passesNoWord: () => !own.grant.passesWord }),
      clock,
      log,
    }),
    ...{
      key,
      grant: own.grant.id,
      store,
      use: () => uses.begin(),
      prepare: (request: Request) => user.prepare(request),
    },
    get isAccepted() {
      return acceptance.isAccepted;
    },
  }));
  const user: TokenUser = {
    ...served,
    key,
    auth,
    granted,
    store,
    negotiations: person.account().negotiations,
    uses,
    get isAccepted() {
      return acceptance.isAccepted;
    },
    get isTrying() {
      return acceptance.isTrying;
    },
    accept: () => acceptance.accept(),
    use: () => uses.begin(),
    async prepare(request) {
      // A no waits for no store: who is known here is served without it, and what needs it says so itself (contract §10).
      await config.refresh().catch((error) => {
        if (!acceptance.isAccepted) throw error;
      });
      await recallLast();
      await served.prepare(request);
    },
    end: person.end,
    close() {
      acceptance.close();
      served.subscriptions.close();
      void granted.close();
      config.close();
    },
  };
  return user;
}

/** What is kept of a user, in the store or in files of this endpoint's home. */
function keptOf(key: string, { store, history }: TokenUsersParts) {
  const full = () => new NewTokensWait({ operation: "store" });
  const own = provisional(scoped(store, `user:${key}:`), MAX_NAMES, full);
  const inStore = createSharedFacts({ store: own.store, hash: sha256 });
  const place = history.places?.of(key, inStore);
  return {
    store: own.store,
    facts: place?.facts ?? inStore,
    /** Whether their facts stand in files, which a restart leaves. */
    hasPlace: place !== undefined,
    /** From now on it stays. */
    keep() {
      own.keep();
      place?.keep();
    },
    drop: () => own.drop(),
  };
}

/** Opens the room behind a page of theirs. */
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
  const [{ openPageRoom }, { withHeldForm }] = await Promise.all([
    import("../../room/person-services.ts"),
    import("./held-form.ts"),
  ]);
  const room = openPageRoom({ ...user.serverDeps(OF_NO_CLIENT), hash: sha256 }, account, roomFiles(parts.root), about);
  const holder = { user, gate: parts.gate, lang: () => about.lang };
  return {
    ...room,
    serve: (request, visit) => withHeldForm(request, visit.base, holder, () => room.serve(request, visit)),
  };
}

/** Their settings, which follow what they choose, here and at other replicas. */
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

/** Gives what is theirs of a server that serves somebody who calls themselves `claimedId`. */
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
          // What is remembered of their last scene is remembered of that id.
          if (claimedId !== undefined && claimedId !== live.current().user_id) await remember({ user_id: claimedId });
          await account.remember(values);
        },
      }),
      notices: async () => (claimedId === undefined && auth.userId === undefined ? ["user_id_derived"] : []),
    };
  };
}

/** After a restart: what they submitted last is what they ask about without naming it. */
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
  /** The way to the backend for this token alone. */
  http: Http;
  polling: Polling;
  remember: UserBackend["remember"];
}

/** The one backend of an endpoint. The token goes there as it came; whether it is valid is what the backend answers. */
function tokenBackends({ auth, url, http, polling, remember }: TokenBackendParts): Backends {
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
      polling,
      userId: async () => auth.userId ?? derivedId(),
      remember,
    }),
  };
}

/**
 * The id of somebody who names none, always the same for a token at a backend. It is public in the network, so it must
 * not help to guess the token: hence a slow hash, for the caller to keep, and not on the thread that serves everybody.
 */
export async function deriveUserId(origin: string, token: string): Promise<string> {
  const hash = (await promisify(scrypt)(token, `towow-user-id\n${origin}`, 16)) as Buffer;
  return `u-${hash.toString("hex")}`;
}

/** In the user's own part of the store, for all replicas. */
const taintIn = (store: Store): TaintRecord => ({
  until: () => store.get(TAINTED, z.number(), Number.POSITIVE_INFINITY),
  keep: (untilMs, lastsMs) => store.put(TAINTED, untilMs, lastsMs),
});
