import { createHmac } from "node:crypto";
import { nanoid } from "nanoid";
import type { ApprovalSite } from "../../ask/page/site.ts";
import { NewTokensWait } from "../../backend/errors.ts";
import type { FirstRequests } from "../../backend/first-requests.ts";
import type { Http } from "../../backend/http.ts";
import type { Clock } from "../../clock.ts";
import { equalSecrets } from "../../home/equal-secrets.ts";
import { createLiveSettings } from "../../home/live-settings.ts";
import type { ResolveInput } from "../../home/settings.ts";
import { createUserConfig } from "../../home/user-config.ts";
import { failureOf, type Log } from "../../log.ts";
import { oneAccount } from "../../mcp/account.ts";
import { claimedUserId } from "../../mcp/http/guards.ts";
import { createModern } from "../../mcp/http/modern.ts";
import { readQuery } from "../../mcp/http/query.ts";
import type { User } from "../../mcp/http/user.ts";
import type { ServerDeps } from "../../mcp/server-deps.ts";
import type { Pollers } from "../../negotiation/polling/watcher.ts";
import type { Negotiations } from "../../negotiation/service.ts";
import { createReplicaFacts } from "../../negotiation/stores/with-old-format.ts";
import { once } from "../../once.ts";
import type { KnownBrowsers } from "../../session/known-browsers.ts";
import { Ledger } from "../../session/ledger.ts";
import { createSession } from "../../session/session.ts";
import type { TaintRecord } from "../../session/taint.ts";
import { provisional } from "../../store/provisional.ts";
import { type Store, scoped } from "../../store/store.ts";
import { textsAtEndpoint } from "../../text/at-endpoint.ts";
import { type AccountDeps, createAccount } from "../account.ts";
import { clientsOf, feedOf } from "../backend-clients.ts";
import { sha256 } from "../hash.ts";
import { createAcceptance } from "./acceptance.ts";
import { deriveUserId } from "./user-id.ts";
import { inUse, Uses } from "./uses.ts";

/** What the users of one replica share. */
export interface UserParts {
  version: string;
  /** The package's folder. */
  root: URL;
  backendUrl: string;
  /** The operator's settings, without anything that is one person's own. */
  operator: Omit<ResolveInput, "file"> & { file: Readonly<Record<string, unknown>> };
  store: Store;
  http: Http;
  firstRequests: FirstRequests;
  pollers: Pollers;
  /** This running program, as histories name it. */
  instance: string;
  /** Whether a replica is there, by its running program. */
  isAlive: (instance: string) => Promise<boolean>;
  clock: Clock;
  log: Log;
  /** Signs what clients carry; the same in every replica. */
  stateKey: Uint8Array;
  /** Where pages are, and the browsers of a user by their key. */
  pages?: { site: ApprovalSite; browsersOf: (user: string) => KnownBrowsers } | undefined;
  instructions: string;
  prompt: ServerDeps["prompt"];
  onCall: NonNullable<ServerDeps["onCall"]>;
}

/** One person, known by a token. */
export interface TokenUser extends User {
  negotiations: Negotiations;
  readonly uses: Uses;
  /** A request with this token is at the backend, which has not accepted it yet. */
  readonly isTrying: boolean;
  close(): void;
}

/** Names in the store that a token may have before the backend has accepted it. */
const MAX_NAMES = 100;
const TAINTED = "tainted-until";

export interface TokenUserParts {
  /** Names the user in the store; the token stands in no key and in no log. */
  key: string;
  token: string;
  isAccepted: boolean;
  /** The backend's first success with this token, once. */
  onAccepted: () => void;
}

export function createTokenUser({ key, token, ...known }: TokenUserParts, shared: UserParts): TokenUser {
  const { backendUrl, operator, pollers, instance, clock, log, pages, version } = shared;
  const kept = provisional(
    scoped(shared.store, `user:${key}:`),
    MAX_NAMES,
    () => new NewTokensWait({ operation: "store" }),
  );
  if (known.isAccepted) kept.keep();
  const { store } = kept;
  const acceptance = createAcceptance({
    http: shared.http,
    firstRequests: shared.firstRequests,
    isAccepted: known.isAccepted,
    onAccepted() {
      kept.keep();
      known.onAccepted();
    },
  });
  const config = createUserConfig(store, operator.file, log);
  const { file: _, ...fixed } = operator;
  const live = createLiveSettings(config, fixed);
  live.watch();
  const ledger = new Ledger(store, log);
  // The token goes to the backend as it came; whether it is valid is what the backend answers.
  const way = {
    baseUrl: backendUrl,
    http: acceptance.http,
    auth: { bearer: async () => token, renew: async () => undefined },
  };
  const clients = clientsOf(way, ledger, () => live.current().profile);
  const derivedId = once(() => deriveUserId(backendUrl, token));
  const timeOfDay = (atMs: number) => `${new Date(atMs).toISOString().slice(11, 19)} UTC`;
  const accountParts: AccountDeps = {
    origin: clients.calls.origin,
    client: async (isCall) => (isCall ? clients.calls : clients.supervisors),
    openFeed: feedOf(
      async () => way,
      () => live.current(),
    ),
    userId: async () => derivedId(),
    facts: createReplicaFacts({ store, hash: sha256 }),
    pollers,
    isShared: true,
    owner: { instance, pid: process.pid },
    isAlive: (owner) => shared.isAlive(owner.instance),
    settings: () => live.current(),
    pages: pages && {
      site: pages.site,
      owner: {
        id: key,
        browsers: pages.browsersOf(key),
        isToken: (given) => equalSecrets(given, token),
      },
      async openRoom(at, about) {
        const { openPageRoom } = await import("../page-room.ts");
        const room = openPageRoom(user.serverDeps(OF_NO_CLIENT), at, shared.root, about);
        return { ...room, serve: (...visit) => inUse(user, () => room.serve(...visit)) };
      },
    },
    async remember(values) {
      await live.save(values).catch((error) => log.warn("not_remembered", { error: failureOf(error) }));
    },
    clock,
    log,
  };
  const account = createAccount(accountParts);
  const { negotiations } = account;
  /** For whom the address says so: what would be sent is shown. Its supervisors are another program's, and take over nothing. */
  const dryAccount = once(() => {
    const { calls } = clientsOf(way, ledger, () => "dry_run");
    return createAccount({
      ...accountParts,
      client: async () => calls,
      owner: { instance: nanoid(), pid: process.pid },
      settings: () => ({ ...live.current(), profile: "dry_run" }),
    });
  });
  const sessionParts = { tainted: taintIn(store), ledger, clock, newId: nanoid, hash: sha256, log };
  const session = createSession({ id: nanoid(), store, ...sessionParts });

  // Another user's question is none of theirs.
  const stateKey = createHmac("sha256", shared.stateKey).update(key).digest();

  const uses = new Uses({ isAccepted: () => acceptance.isAccepted, erase: () => kept.drop(), clock });
  const user: TokenUser = {
    key,
    store,
    negotiations,
    uses,
    get isAccepted() {
      return acceptance.isAccepted;
    },
    get isTrying() {
      return acceptance.isTrying;
    },
    use: () => uses.begin(),
    async prepare(request) {
      await config.refresh();
      claimedUserId(request.headers);
      readQuery(request.url, live.current());
    },
    serverDeps(request, sessionId) {
      const claimed = claimedUserId(request.headers);
      const query = readQuery(request.url, live.current());
      return {
        version,
        // A session has a mode of its own, and so has an address with a query.
        live:
          sessionId === undefined && Object.keys(query).length === 0
            ? live
            : createLiveSettings(config, { ...fixed, flags: { ...fixed.flags, ...query } }),
        accounts: oneAccount({
          ...(query.profile === "dry_run" ? dryAccount() : account),
          userId: async () => claimed ?? derivedId(),
        }),
        browser: "elsewhere",
        openBrowser: async () => false,
        session:
          sessionId === undefined
            ? session
            : createSession({ id: nanoid(), store: scoped(store, `session:${sha256(sessionId)}:`), ...sessionParts }),
        sessionless: sessionId === undefined,
        notices: async () => (claimed === undefined ? ["user_id_derived"] : []),
        clock,
        log,
        newId: nanoid,
        stateKey,
        textsOf: textsAtEndpoint,
        instructions: shared.instructions,
        prompt: shared.prompt,
        timeOfDay,
        resourceUpdates: sessionId === undefined ? "listen" : "session",
        onCall: shared.onCall,
      };
    },
    ...createModern({
      serverDeps: (request) => user.serverDeps(request),
      live,
      negotiations: () => negotiations,
      clock,
      log,
    }),
    close() {
      user.subscriptions.close();
      config.close();
    },
  };
  return user;
}

/** Who has a page open is no client: they name no id of their own and narrow nothing. */
export const OF_NO_CLIENT = new Request("http://localhost/");

/** In the user's own part of the store, for all replicas. */
const taintIn = (store: Store): TaintRecord => ({
  until: () => store.get<number>(TAINTED),
  keep: (untilMs, lastsMs) => store.put(TAINTED, untilMs, lastsMs),
});
