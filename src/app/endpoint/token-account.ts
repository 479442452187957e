import { scrypt } from "node:crypto";
import { promisify } from "node:util";
import { nanoid } from "nanoid";
import type { LiveSettings } from "../../home/live-settings.ts";
import { failureOf } from "../../log.ts";
import type { Account } from "../../mcp/account.ts";
import type { FactStore } from "../../negotiation/facts.ts";
import { once } from "../../once.ts";
import type { Ledger } from "../../session/ledger.ts";
import { type AccountDeps, type AccountPages, createAccount } from "../account.ts";
import { clientsOf, feedOf } from "../backend-clients.ts";
import type { Acceptance } from "./acceptance.ts";
import type { UserParts } from "./user-parts.ts";

export interface TokenAccountDeps {
  key: string;
  token: string;
  /** The way to the backend for this token alone, and what is known of it. */
  acceptance: Pick<Acceptance, "http">;
  facts: FactStore;
  live: LiveSettings;
  ledger: Ledger;
  openRoom: AccountPages["openRoom"];
}

/** What one token has at the endpoint's backend. */
export interface TokenAccount {
  /** The token's one account; for `dry_run`, another one that shows what would be sent. */
  account(profile?: unknown): Account;
}

/** The token goes to the backend as it came; whether it is valid is what the backend answers. */
export function createTokenAccount(deps: TokenAccountDeps, shared: UserParts): TokenAccount {
  const { token, facts, live, ledger } = deps;
  const { backendUrl, owner, clock, log } = shared;
  const auth = { bearer: async () => token, renew: async () => undefined };
  const way = { baseUrl: backendUrl, http: deps.acceptance.http, auth };
  const settings = () => live.current();
  const derivedId = once(() => deriveUserId(backendUrl, token));
  const clients = clientsOf(way, ledger, () => settings().profile);
  const parts: AccountDeps = {
    origin: clients.calls.origin,
    pinBackend: () => async (isCall) => (isCall ? clients.calls : clients.supervisors),
    openFeed: feedOf(async () => way, settings),
    userId: async () => derivedId(),
    facts,
    pollers: shared.pollers,
    isShared: true,
    owner,
    isAlive: shared.isAlive,
    settings,
    pages: pagesOf(deps, shared),
    async remember(values) {
      await live.save(values).catch((error) => log.warn("not_remembered", { error: failureOf(error) }));
    },
    clock,
    log,
  };
  const account = createAccount(parts);
  /** Its supervisors are another program's, and take over nothing. */
  const dryAccount = once(() => {
    const { calls } = clientsOf(way, ledger, () => "dry_run");
    return createAccount({
      ...parts,
      pinBackend: () => async () => calls,
      owner: { ...owner, instance: nanoid() },
      settings: () => ({ ...settings(), profile: "dry_run" }),
    });
  });
  return { account: (profile) => (profile === "dry_run" ? dryAccount() : account) };
}

/** Where this person decides: in a browser that they have signed in with their token. */
const pagesOf = ({ key, openRoom }: TokenAccountDeps, { pages }: UserParts): AccountPages | undefined =>
  pages && {
    site: pages.site,
    owner: { id: key, browsers: pages.browsers.of(key), signIn: pages.browsers.onPageOf(key) },
    openRoom,
  };

/**
 * The id of somebody who names none, always the same for a token at a backend. It is public in the network, so it must
 * not help to guess the token: hence a slow hash, for the caller to keep, and not on the thread that serves everybody.
 */
async function deriveUserId(backendUrl: string, token: string): Promise<string> {
  const salt = `towow-user-id\n${new URL(backendUrl).origin}`;
  const hash = (await promisify(scrypt)(token, salt, 16)) as Buffer;
  return `u-${hash.toString("hex")}`;
}
