import { randomUUID } from "node:crypto";
import type { ApprovalSite } from "../ask/page/site.ts";
import { type Auth, type BackendClient, createTokenRequest } from "../backend/client.ts";
import { NoTokenUnderDryRun } from "../backend/errors.ts";
import type { Http } from "../backend/http.ts";
import type { Clock } from "../clock.ts";
import { TowowError } from "../errors.ts";
import type { ConfigStore } from "../home/config-store.ts";
import { BackendUrlMissing } from "../home/errors.ts";
import { createIdentity, type Identity } from "../home/identity.ts";
import type { LastIds } from "../home/last-ids.ts";
import type { LiveSettings } from "../home/live-settings.ts";
import { originOf, SANDBOX } from "../home/origin.ts";
import type { Log } from "../log.ts";
import type { Account, Accounts } from "../mcp/account.ts";
import type { FactStore, Owner } from "../negotiation/facts.ts";
import { Pollers } from "../negotiation/polling/watcher.ts";
import type { KnownBrowsers } from "../session/known-browsers.ts";
import type { Ledger } from "../session/ledger.ts";
import { type AccountDeps, type AccountPages, createAccount } from "./account.ts";
import { type BackendClients, clientsOf, feedOf, refuseOffline } from "./backend-clients.ts";
import type { Company } from "./company.ts";

export interface HomeAccountsDeps {
  live: LiveSettings;
  config: ConfigStore;
  facts: FactStore;
  /** A command that ends in a moment takes over no pause of others. */
  isOneShot: () => boolean;
  http: Http;
  /** Of this home: its address now, and the requests to it, which no proxy gets. */
  sandbox: { address: () => Promise<string>; http: Http };
  ledger: Ledger;
  site: ApprovalSite;
  openRoom: AccountPages["openRoom"];
  /** In which this home's person decides. */
  browsers: KnownBrowsers;
  clock: Clock;
  log: Log;
  version: string;
  owner: Owner;
  isAlive: AccountDeps["isAlive"];
  /** The other programs of this home. */
  company: Pick<Company, "keepsOthers" | "hasOthers">;
}

interface HomeAccount extends Account {
  identity: Identity;
}

/** The accounts of one home; each is made when its origin is first used, and stays for as long as the program runs. */
export interface HomeAccounts extends Accounts {
  at(backendUrl: string | undefined): HomeAccount;
  /** Every account that this program has used. */
  all(): HomeAccount[];
}

/** No origin is called so: what is asked there finds nothing, and sends nothing. */
const NOWHERE = "";

/**
 * Everything about a negotiation is built once for each origin: its client, its identity, its history, its guard. So an
 * edit of `backend_url` in a running program leaves the guards of the former backend at work, and at that backend.
 */
export function createHomeAccounts(deps: HomeAccountsDeps): HomeAccounts {
  const accounts = new Map<string, HomeAccount & { move: (baseUrl: string) => void }>();
  const of = (origin: string) => {
    const account = accounts.get(origin) ?? createHomeAccount(origin, deps);
    accounts.set(origin, account);
    return account;
  };
  return {
    of,
    at(backendUrl) {
      const account = of(originOf(backendUrl) ?? NOWHERE);
      if (backendUrl !== undefined) account.move(backendUrl);
      return account;
    },
    all: () => [...accounts.values()],
  };
}

function createHomeAccount(origin: string, deps: HomeAccountsDeps): HomeAccount & { move: (baseUrl: string) => void } {
  const { live, config, facts, ledger, site, clock, log } = deps;
  const http = origin === SANDBOX ? deps.sandbox.http : deps.http;
  /** The address that was configured last for this origin; its path may change. */
  let baseUrl: string | undefined;
  let hasWorked = false;
  const clients = new Map<string, BackendClients>();
  const profile = () => live.current().profile;

  /** A mistake in the settings stops calls, but not the guard of what was sent before it was made. */
  async function address(isCall: boolean, at = baseUrl): Promise<string> {
    const problem = live.problem();
    if (problem !== undefined && (isCall || !hasWorked)) throw problem;
    if (at === undefined) throw new BackendUrlMissing();
    hasWorked = true;
    return at === SANDBOX ? deps.sandbox.address() : at;
  }

  /** The address for what is no tool call, and does not have to be done either. */
  async function addressIfAllowed(): Promise<string> {
    if (baseUrl !== undefined) refuseOffline(profile(), baseUrl);
    return address(false);
  }

  const identity = createIdentity({
    store: config,
    settings: () => ({ ...live.current(), backend_url: baseUrl }),
    async requestToken(request, bearer, signal) {
      // A misspelt `dry_run` must not ask for a token.
      const grant = await createTokenRequest({ baseUrl: await addressIfAllowed(), http })(request, bearer, signal);
      if ("unsupported" in grant) return grant;
      const { expires_at, ...issued } = grant;
      return expires_at === null ? issued : { ...issued, expires_at };
    },
    clock,
    log,
    newId: randomUUID,
    deviceInfo: `towow-mcp/${deps.version}`,
  });
  const asNow: Auth = {
    // Under these, the token that is held is used, and none is asked for.
    bearer: async (signal) => (["dry_run", "offline"].includes(profile()) ? identity.held() : identity.bearer(signal)),
    async renew(failed, signal) {
      if (profile() === "dry_run") throw new NoTokenUnderDryRun({ operation: "requestToken" });
      return identity.renew(failed, signal);
    },
  };

  /** By user id: the token that was used last. */
  const tokens = new Map<string, string | undefined>();
  const isNow = (account: string | undefined) => account === undefined || account === identity.knownUserId();

  /** Asks as that account, whose person may have put another one into the settings meanwhile. */
  const authAs = (account: string | undefined): Auth => ({
    async bearer(signal) {
      const before = identity.knownUserId();
      const token = isNow(account) ? await asNow.bearer(signal) : undefined;
      if (!isNow(account)) return tokens.get(account ?? "");
      const userId = identity.knownUserId();
      if (userId !== undefined && userId === (before ?? userId)) tokens.set(userId, token);
      return token;
    },
    async renew(failed, signal) {
      if (isNow(account)) return asNow.renew(failed, signal);
      // Where the first one's token is lost, the present one has to do: a no that nobody may send would let the text go out.
      const token = await asNow.bearer(signal);
      return token === failed ? undefined : token;
    },
  });
  const auth = authAs(undefined);

  async function client(isCall: boolean, at: string | undefined, account?: string): Promise<BackendClient> {
    const there = await address(isCall, at);
    const name = JSON.stringify([there, account]);
    const known = clients.get(name) ?? clientsOf({ baseUrl: there, auth: authAs(account), http }, ledger, profile);
    clients.set(name, known);
    return isCall ? known.calls : known.supervisors;
  }

  const account = createAccount({
    origin,
    pinBackend() {
      const at = baseUrl;
      return (isCall, account) => client(isCall, at ?? baseUrl, account);
    },
    openFeed: feedOf(
      async () => ({ baseUrl: await addressIfAllowed(), auth, http }),
      () => live.current(),
    ),
    userId: identity.userId,
    knownUserId: identity.knownUserId,
    facts,
    pollers: new Pollers({ clock, random: Math.random }),
    owner: deps.owner,
    isAlive: deps.isAlive,
    hasCompany: () => deps.company.hasOthers(origin, identity.account()),
    keepsOthers: () => deps.company.keepsOthers,
    settings: () => live.current(),
    isOneShot: deps.isOneShot,
    pages: { site, owner: { id: `local:${origin}`, browsers: deps.browsers }, openRoom: deps.openRoom },
    clock,
    log,
    remember: (values) => remember(origin, values, deps),
  });
  return {
    ...account,
    identity,
    // Under `dry_run` no token request either.
    userId: async () =>
      profile() === "dry_run" ? ((await identity.peek()).user_id ?? "your-user-id") : identity.userId(),
    move(to) {
      baseUrl = to;
    },
  };
}

/** Defaults for the next call. The call itself has succeeded: a home that cannot be written must not undo that. */
async function remember(origin: string, values: LastIds, { live, log }: HomeAccountsDeps): Promise<void> {
  try {
    await live.saveLastIds(origin, values);
  } catch (error) {
    if (!(error instanceof TowowError)) throw error;
    log.warn("not_remembered", { code: error.code });
  }
}
