import type { CurrentIdentity, CurrentIdentityDeps } from "./current-identity.ts";
import type { ConfigFile } from "./file.ts";
import {
  type IdentityRequest,
  type Issued,
  identityIn,
  type KnownIdentity,
  tidyIdentities,
  withIssued,
  withLocalId,
} from "./identity-state.ts";

/**
 * Makes one request to `/v1/api/auth/mcp-token`. The result is `unsupported` if the backend has no such route (404,
 * 405).
 */
export type RequestToken = (
  request: { user_id: string; device_info?: string },
  bearer: string | undefined,
  signal?: AbortSignal,
) => Promise<Issued | { unsupported: true }>;

export interface TokenRequestsDeps extends CurrentIdentityDeps {
  readonly requestToken: RequestToken;
  /** Returns a new UUID, which is the id of a person to whom the backend gives none. */
  readonly newUserId: () => string;
  /** The name of the program (`towow-mcp/1.2.3`), but never of the host or its user. */
  readonly deviceInfo?: string;
}

/** How long a backend without a token route is not asked again, in milliseconds. After this time it may have been updated. */
const UNSUPPORTED_MS = 5 * 60_000;

/** Requests ids and tokens from the backend, one at a time across programs and calls. */
export class TokenRequests {
  readonly #deps: TokenRequestsDeps;
  readonly #current: CurrentIdentity;
  readonly #singleFlight = new SingleFlight<KnownIdentity>();
  /** Maps an origin to the time until which it is not asked again, by the monotonic clock. */
  readonly #unsupported = new Map<string, number>();

  constructor(deps: TokenRequestsDeps, current: CurrentIdentity) {
    this.#deps = deps;
    this.#current = current;
  }

  /** Returns whether the backend answered a short time ago that it issues no tokens. */
  isUnsupported(origin: string): boolean {
    const until = this.#unsupported.get(origin);
    return until !== undefined && this.#deps.platform.clock.monotonic() < until;
  }

  /**
   * Obtains a token other than `failed`, and an id. The first process requests both, and the others find them. With `again` the
   * backend is asked even if it had no such route a moment ago. @throws as {@link Identity.bearer} does
   */
  obtain(
    who: IdentityRequest,
    failed: string | undefined,
    { again = false, signal }: { again?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<KnownIdentity> {
    // The failed token may be a token that the person gave. Flight names are not logged, so the token stays in this process.
    const flight = JSON.stringify([who.origin, who.userId, who.token, failed]);
    const { store } = this.#deps;
    const request = (stop: AbortSignal) => store.exclusive(() => this.#request(failed, again, stop), stop);
    return this.#singleFlight.join(flight, request, signal);
  }

  async #request(failed: string | undefined, again: boolean, stop: AbortSignal): Promise<KnownIdentity> {
    const { platform, requestToken, deviceInfo, store, newUserId } = this.#deps;
    const { clock, log } = platform;
    await this.#current.keep(stop);
    // Identity and settings are looked up again under the lock, and nothing is awaited between that and the request, so
    // that the bearer goes to its own origin only.
    const { who, known } = this.#current.get();
    if (known.token !== undefined && known.token !== failed && !known.due) return known;
    const user_id = known.userId ?? "";
    const answer =
      !again && this.isUnsupported(who.origin)
        ? { unsupported: true as const }
        : await requestToken({ user_id, ...(deviceInfo && { device_info: deviceInfo }) }, known.token, stop);
    const now = { ...who, now: clock.now() };
    if (!("unsupported" in answer)) {
      this.#unsupported.delete(who.origin);
      if (user_id !== "" && answer.user_id !== user_id) log.warn("identity_answered_otherwise", { origin: who.origin });
      return identityIn(
        await store.update((current) => issue(tidyIdentities(current, now), now, user_id, answer)),
        now,
      );
    }
    if (!this.isUnsupported(who.origin)) this.#unsupported.set(who.origin, clock.monotonic() + UNSUPPORTED_MS);
    this.#current.warnOnce("auth_unsupported", { origin: who.origin });
    if (known.userId !== undefined) return known;
    const id = newUserId();
    return identityIn(await store.update((current) => withLocalId(tidyIdentities(current, now), now, id)), now);
  }
}

/**
 * Writes down the issued token. If another process got a first id meanwhile, because it took the lock from a sleeping
 * machine, that id stays.
 */
function issue(tidied: ConfigFile, who: IdentityRequest, requested: string, answer: Issued): ConfigFile {
  const raced = requested === "" && identityIn(tidied, who).userId !== undefined;
  return raced ? tidied : withIssued(tidied, who, answer);
}

/**
 * Runs work once if several callers request it at the same time. A caller that aborts leaves without the others, and the last
 * caller to leave aborts the work.
 */
class SingleFlight<T> {
  readonly #running = new Map<string, { result: Promise<T>; waiting: number; stop: AbortController }>();

  /**
   * Returns the result of the running work of that name, or starts the work if none is running. Throws the error of the work,
   * or the signal's reason.
   */
  async join(name: string, start: (signal: AbortSignal) => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    let flight = this.#running.get(name);
    if (flight === undefined) {
      const stop = new AbortController();
      const result = start(stop.signal).finally(() => this.#land(name, stop));
      // All callers may have left by the time the work fails.
      result.catch(() => {});
      flight = { result, waiting: 0, stop };
      this.#running.set(name, flight);
    }
    flight.waiting++;
    const left = Promise.withResolvers<never>();
    const leave = () => left.reject(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([flight.result, left.promise]);
    } finally {
      signal?.removeEventListener("abort", leave);
      if (--flight.waiting === 0 && signal?.aborted) {
        this.#land(name, flight.stop);
        flight.stop.abort(signal.reason);
      }
    }
  }

  #land(name: string, stop: AbortController): void {
    if (this.#running.get(name)?.stop === stop) this.#running.delete(name);
  }
}
