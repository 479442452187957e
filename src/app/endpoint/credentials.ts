import { createTokenRequest } from "../../backend/client.ts";
import { TokenRejected } from "../../backend/errors.ts";
import type { Auth, Http } from "../../backend/http.ts";
import type { Clock } from "../../clock.ts";
import { fromIso } from "../../home/iso-time.ts";
import { failureOf, type Log } from "../../log.ts";
import { type Credential, type GrantInUse, isNewer } from "../../mcp/http/sign-in/grants.ts";
import type { Store } from "../../store/store.ts";

/** One user's requests go to the backend with this token, which may be another one after a renewal. */
export interface UserAuth extends Auth {
  /** Gives the token that is in use now. */
  readonly token: string;
  /** The backend knows its person by this id. Where nobody has said it, an id follows from their first token. */
  readonly userId: string | undefined;
  /** A program of the user's has come with a grant: its credential counts where it is newer, and else is brought up to date. */
  offer(grant: GrantInUse): Promise<void>;
}

/** A token that somebody sends with each request: nothing else is known of it, and it is never renewed. */
export const constantAuth = (token: string): UserAuth => ({
  token,
  userId: undefined,
  bearer: async () => token,
  renew: async () => undefined,
  offer: async () => {},
});

interface RenewalsDeps {
  backendUrl: string;
  http: Http;
  version: string;
}

/** Asks the backend for the next token of a person. */
export class Renewals {
  readonly #deps: RenewalsDeps;

  constructor(deps: RenewalsDeps) {
    this.#deps = deps;
  }

  /** Gives undefined for one that cannot be renewed. @throws TokenRejected where the backend refuses it; what the request throws */
  async renew(credential: Credential, signal?: AbortSignal): Promise<Credential | undefined> {
    const { backendUrl, http, version } = this.#deps;
    const { userId, token } = credential;
    if (userId === undefined || token === undefined) return undefined;
    const request = createTokenRequest({ baseUrl: backendUrl, http });
    const grant = await request({ user_id: userId, device_info: `towow-mcp/${version}` }, token, signal);
    if ("unsupported" in grant) return undefined;
    return { ...credential, token: grant.api_token, expiresAt: fromIso(grant.expires_at ?? undefined) };
  }
}

interface GrantedAuthDeps {
  renewals: Renewals;
  store: Store;
  /** It names this replica. */
  holder: string;
  clock: Clock;
  log: Log;
  /** The backend takes the person's token no longer, and none in its place: these grants are good for nothing. */
  refused: (grants: readonly string[]) => Promise<void>;
}

/** A token is renewed so long before its end. */
const AHEAD_MS = 60_000;
/** The next renewal ahead of time comes no sooner: the last one may have failed, or our clock be ahead of the backend's. */
const AHEAD_PAUSE_MS = 30_000;
/** A renewal takes less than this. */
const LEASE_MS = 60_000;
const POLL_MS = 250;
/** A renewal that another replica makes is waited for this long. */
const OTHERS_MS = 10_000;

/** Holds the newest credential that any of a person's programs brought, renewed once for all replicas. */
export function createGrantedAuth(first: Credential & { token: string }, deps: GrantedAuthDeps): UserAuth {
  const { renewals, store, holder, clock, log } = deps;
  let current: Credential & { token: string } = first;
  let aheadFrom = Number.NEGATIVE_INFINITY;
  let renewing: Promise<void> | undefined;
  const atHand = new Map<string, GrantInUse>();

  const adopt = (credential: Credential | undefined) => {
    if (credential?.token === undefined) return;
    const { token } = credential;
    if (isNewer(credential, current)) current = { ...credential, token };
    // Sent by hand it came without what the backend has said of it.
    else if (token === current.token) current = { ...credential, ...withoutAbsent(current), token };
  };
  const rereadAll = async () => {
    for (const [id, grant] of atHand) {
      const credential = await grant.reread();
      if (credential === undefined) atHand.delete(id);
      adopt(credential);
    }
  };
  const resealAll = async () => {
    const done = await Promise.allSettled([...atHand.values()].map((grant) => grant.reseal(current)));
    for (const one of done)
      if (one.status === "rejected") log.warn("credential_not_kept", { error: failureOf(one.reason) });
  };

  /** Gives another token than this one, from another replica or from the backend. */
  const replace = async (old: string): Promise<void> => {
    const lease = `renewal:${current.account}`;
    const until = clock.monotonic() + OTHERS_MS;
    while (!(await store.acquireLease(lease, holder, LEASE_MS))) {
      await rereadAll();
      if (current.token !== old || clock.monotonic() >= until) return;
      await clock.sleep(POLL_MS);
    }
    try {
      await rereadAll();
      if (current.token !== old) return;
      const fresh = await renewals.renew(current);
      if (fresh?.token === undefined) return;
      current = { ...fresh, token: fresh.token };
      await resealAll();
    } finally {
      await store.releaseLease(lease, holder).catch(() => {});
    }
  };
  const replaceOnce = (old: string): Promise<void> => {
    renewing ??= replace(old).finally(() => {
      renewing = undefined;
    });
    return renewing;
  };
  // A token that is sent by hand ends when it ends: whoever holds it then has nothing more by it.
  const mayRenew = () => atHand.size > 0 && current.userId !== undefined;
  const isDue = () => current.expiresAt !== undefined && current.expiresAt - clock.now() <= AHEAD_MS;

  return {
    get token() {
      return current.token;
    },
    get userId() {
      return current.userId;
    },
    async offer(grant) {
      atHand.set(grant.id, grant);
      adopt(grant.credential);
      if (isNewer(current, grant.credential)) await grant.reseal(current);
    },
    async bearer() {
      if (!isDue() || !mayRenew() || clock.monotonic() < aheadFrom) return current.token;
      await replaceOnce(current.token).catch((error) => log.warn("token_renewal_failed", { error: failureOf(error) }));
      aheadFrom = clock.monotonic() + AHEAD_PAUSE_MS;
      return current.token;
    },
    async renew(failed) {
      if (failed === undefined || current.token !== failed) return current.token;
      if (atHand.size === 0) return undefined;
      const isRefused = await replaceOnce(failed).then(
        () => current.token === failed && current.userId === undefined,
        (error) => {
          if (!(error instanceof TokenRejected)) throw error;
          return true;
        },
      );
      if (current.token !== failed) return current.token;
      if (isRefused) await deps.refused([...atHand.keys()]);
      return undefined;
    },
  };
}

const withoutAbsent = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
