import { createTokenRequest } from "../../backend/client.ts";
import { TokenRejected } from "../../backend/errors.ts";
import type { Auth } from "../../backend/http.ts";
import type { Clock } from "../../clock.ts";
import { fromIso } from "../../home/iso-time.ts";
import { failureOf, type Log } from "../../log.ts";
import { type Credential, type GrantInUse, isNewer } from "../../mcp/http/sign-in/grants.ts";
import type { Store } from "../../store/store.ts";
import type { EndpointBackend } from "./backend.ts";

/** Authenticates one user's requests to the backend. A renewal may replace the token. */
export interface UserAuth extends Auth {
  /** The token that is in use now. */
  readonly token: string;
  /**
   * The id by which the backend knows the person. Undefined if nobody has given it: then it is derived from their first
   * token.
   */
  readonly userId: string | undefined;
  /**
   * Takes up the grant with which a program of this user has come. Its credential replaces the current one if it is
   * newer, and is brought up to date otherwise.
   */
  takeUp(grant: GrantInUse): Promise<void>;
}

/**
 * Returns the auth for a token that a client sends with each request. Nothing else is known about it, and it is never
 * renewed.
 */
export const constantAuth = (token: string): UserAuth => ({
  token,
  userId: undefined,
  bearer: async () => token,
  renew: async () => undefined,
  takeUp: async () => {},
});

/** Asks the backend for the next token of a person. */
export class Renewals {
  readonly #backend: EndpointBackend;

  constructor(backend: EndpointBackend) {
    this.#backend = backend;
  }

  /**
   * Returns the renewed credential, or undefined if it cannot be renewed.
   * @throws TokenRejected if the backend refuses it, and whatever the request throws
   */
  async renew(credential: Credential, signal?: AbortSignal): Promise<Credential | undefined> {
    const { url, http, deviceInfo } = this.#backend;
    const { userId, token } = credential;
    if (userId === undefined || token === undefined) return undefined;
    const request = createTokenRequest({ baseUrl: url, http });
    const grant = await request({ user_id: userId, device_info: deviceInfo }, token, signal);
    if ("unsupported" in grant) return undefined;
    return { ...credential, token: grant.api_token, expiresAt: fromIso(grant.expires_at ?? undefined) };
  }
}

interface GrantedAuthDeps {
  renewals: Renewals;
  store: Store;
  /** The name of this replica, which holds the lease of a renewal. */
  holder: string;
  clock: Clock;
  log: Log;
  /**
   * Called when the backend no longer accepts the person's token and issues no other, so that these grants are useless.
   */
  refused: (grants: readonly string[]) => Promise<void>;
}

/** A token is renewed this long before it expires. */
const AHEAD_MS = 60_000;
/**
 * The next renewal ahead of time waits this long, because the last one may have failed, or our clock may be ahead of
 * the backend's.
 */
const AHEAD_PAUSE_MS = 30_000;
/** A renewal takes less time than this. */
const LEASE_MS = 60_000;
const POLL_MS = 250;
/** A replica waits this long for a renewal that another replica makes. */
const OTHERS_MS = 10_000;

/**
 * Creates the auth that holds the newest credential of all that a person's programs brought. One replica renews it for
 * all.
 */
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
    // A token that was sent by hand came without its id and expiry, which this credential adds.
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

  /** Replaces this token with one from another replica or from the backend. */
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
  // A token that is sent by hand is not renewed. A client that holds it would gain nothing, since it keeps sending the
  // old one.
  const mayRenew = () => atHand.size > 0 && current.userId !== undefined;
  const isDue = () => current.expiresAt !== undefined && current.expiresAt - clock.now() <= AHEAD_MS;

  return {
    get token() {
      return current.token;
    },
    get userId() {
      return current.userId;
    },
    async takeUp(grant) {
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
