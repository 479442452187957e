import { createTokenRequest } from "../../backend/client.ts";
import { TokenRejected } from "../../backend/errors.ts";
import type { Auth } from "../../backend/http.ts";
import { fromIso } from "../../home/iso-time.ts";
import { failureOf } from "../../log.ts";
import { type Credential, type GrantInUse, isNewer } from "../../mcp/http/sign-in/grants.ts";
import type { Platform } from "../../platform.ts";
import type { Store } from "../../store/store.ts";
import type { EndpointBackend } from "./backend.ts";

/** Authenticates one user's requests to the backend. A renewal may replace the token. */
export interface UserAuth extends Auth {
  /** The token that is in use now. */
  readonly token: string;
  /**
   * The id by which the backend knows the person. Undefined if nobody has given it, in which case the id is derived
   * from the person's first token.
   */
  readonly userId: string | undefined;
  /**
   * Takes up the grant with which a program of this user has come. Its credential replaces the current one if it is
   * newer, and is brought up to date otherwise.
   */
  takeUp(grant: GrantInUse): Promise<void>;
}

/**
 * Returns the auth for a token that a client sends with each request. Nothing else is known about the token, so it is
 * never renewed.
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
   * Returns the renewed credential, or undefined if the credential cannot be renewed.
   * @throws TokenRejected if the backend refuses the token, and whatever the request throws
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
  platform: Platform;
  /**
   * Called with the ids of the person's grants when the backend neither accepts the token any more nor issues another,
   * so that the grants are useless.
   */
  refused: (grants: readonly string[]) => Promise<void>;
}

/** How long before its end a token is renewed, in milliseconds. */
const AHEAD_MS = 60_000;
/**
 * The pause between two renewals ahead of time, in milliseconds. The last renewal may have failed, or our clock may be
 * ahead of the backend's.
 */
const AHEAD_PAUSE_MS = 30_000;
/** How long a replica holds the lease of a renewal, in milliseconds. A renewal takes less. */
const LEASE_MS = 60_000;
const POLL_MS = 250;
/** How long a replica waits for another replica's renewal, in milliseconds. */
const OTHERS_MS = 10_000;

/**
 * Authenticates a person whose programs bring grants, with the newest credential of them all. One replica at a time
 * renews the credential, for all of these programs.
 */
export class GrantedAuth implements UserAuth {
  readonly #deps: GrantedAuthDeps;
  #current: Credential & { token: string };
  /** The time of the monotonic clock from which the next renewal ahead of time may begin. */
  #aheadFrom = Number.NEGATIVE_INFINITY;
  #renewing: Promise<void> | undefined;
  readonly #atHand = new Map<string, GrantInUse>();

  constructor(first: Credential & { token: string }, deps: GrantedAuthDeps) {
    this.#current = first;
    this.#deps = deps;
  }

  get token(): string {
    return this.#current.token;
  }

  get userId(): string | undefined {
    return this.#current.userId;
  }

  async takeUp(grant: GrantInUse): Promise<void> {
    this.#atHand.set(grant.id, grant);
    this.#adopt(grant.credential);
    if (isNewer(this.#current, grant.credential)) await grant.reseal(this.#current);
  }

  async bearer(): Promise<string> {
    const { clock, log } = this.#deps.platform;
    if (!this.#isDue || !this.#mayRenew || clock.monotonic() < this.#aheadFrom) return this.token;
    await this.#replaceOnce(this.token).catch((error) => log.warn("token_renewal_failed", { error: failureOf(error) }));
    this.#aheadFrom = clock.monotonic() + AHEAD_PAUSE_MS;
    return this.token;
  }

  async renew(failed: string | undefined): Promise<string | undefined> {
    if (failed === undefined || this.token !== failed) return this.token;
    if (this.#atHand.size === 0) return undefined;
    const isRefused = await this.#replaceOnce(failed).then(
      () => this.token === failed && this.userId === undefined,
      (error) => {
        if (!(error instanceof TokenRejected)) throw error;
        return true;
      },
    );
    if (this.token !== failed) return this.token;
    if (isRefused) await this.#deps.refused([...this.#atHand.keys()]);
    return undefined;
  }

  /**
   * Returns whether the token may be renewed ahead of time. A client that sends its token in a header would gain
   * nothing from that, because it keeps sending the old token.
   */
  get #mayRenew(): boolean {
    return this.#atHand.size > 0 && this.userId !== undefined;
  }

  get #isDue(): boolean {
    const { expiresAt } = this.#current;
    return expiresAt !== undefined && expiresAt - this.#deps.platform.clock.now() <= AHEAD_MS;
  }

  #replaceOnce(old: string): Promise<void> {
    this.#renewing ??= this.#replace(old).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Replaces this token with one that another replica has stored or that the backend issues. */
  async #replace(old: string): Promise<void> {
    const { renewals, store, holder, platform } = this.#deps;
    const { clock } = platform;
    const lease = `renewal:${this.#current.account}`;
    const until = clock.monotonic() + OTHERS_MS;
    while (!(await store.acquireLease(lease, holder, LEASE_MS))) {
      await this.#rereadAll();
      if (this.token !== old || clock.monotonic() >= until) return;
      await clock.sleep(POLL_MS);
    }
    try {
      await this.#rereadAll();
      if (this.token !== old) return;
      const fresh = await renewals.renew(this.#current);
      if (fresh?.token === undefined) return;
      this.#current = { ...fresh, token: fresh.token };
      await this.#resealAll();
    } finally {
      await store.releaseLease(lease, holder).catch(() => {});
    }
  }

  #adopt(credential: Credential | undefined): void {
    if (credential?.token === undefined) return;
    const { token } = credential;
    if (isNewer(credential, this.#current)) this.#current = { ...credential, token };
    // A token from a header comes without an expiry and perhaps without its person's id. This credential adds them.
    else if (token === this.token) this.#current = { ...credential, ...withoutAbsent(this.#current), token };
  }

  async #rereadAll(): Promise<void> {
    for (const [id, grant] of this.#atHand) {
      const credential = await grant.reread();
      if (credential === undefined) this.#atHand.delete(id);
      this.#adopt(credential);
    }
  }

  async #resealAll(): Promise<void> {
    const { log } = this.#deps.platform;
    const done = await Promise.allSettled([...this.#atHand.values()].map((grant) => grant.reseal(this.#current)));
    for (const one of done)
      if (one.status === "rejected") log.warn("credential_not_kept", { error: failureOf(one.reason) });
  }
}

const withoutAbsent = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>;
