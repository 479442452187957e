import { type Current, CurrentIdentity } from "./current-identity.ts";
import type { ConfigFile } from "./file.ts";
import type { KnownIdentity } from "./identity-state.ts";
import { tokenHash } from "./origin.ts";
import { TokenRequests, type TokenRequestsDeps } from "./token-requests.ts";

/**
 * `auth_unsupported` means that the backend issues no tokens. `token_other_origin` means that the given token belongs to
 * another backend.
 */
type IdentityWarning = "auth_unsupported" | "token_other_origin";

/** Knows who this person is to the current backend. Serves contract §3, "one person, one id". */
export interface Identity {
  /** Returns the person's one id. If there is none yet it is made. @throws as {@link Identity.bearer} does */
  userId(): Promise<string>;
  /**
   * Returns the token for the current backend's origin, which is renewed before it expires. Returns undefined if the backend
   * issues none.
   * @throws `BackendUrlMissing`, `HomeUnwritable`, `tool.config.timeout.locked`, the signal's reason, and the errors of the
   * request
   */
  bearer(signal?: AbortSignal): Promise<string | undefined>;
  /** Returns the token together with its id. @throws as {@link Identity.bearer} does */
  asking(signal?: AbortSignal): Promise<Asking>;
  /** Returns what the home already has for the current backend, for a program that must request and write nothing. */
  held(): Asking;
  /**
   * Returns the token that replaces a failed token after a 401, or undefined if there is none. @throws as {@link
   * Identity.bearer} does
   */
  renew(failedToken: string | undefined, signal?: AbortSignal): Promise<string | undefined>;
  /** Returns the id if there is one. Requests nothing and writes nothing. */
  knownUserId(): string | undefined;
  /**
   * Returns who asks now, as a short hash. Two programs of one home with the same hash ask as the same account, with
   * the same token. A token in the home's file counts as the same for both, even though it may be about to change.
   * Undefined without a backend.
   */
  account(): string | undefined;
  /** Returns what is known without a request, even without a backend. Pass `file` if it has just been read. */
  peek(file?: ConfigFile): Promise<{
    user_id?: string;
    token: boolean;
    unsupported: boolean;
    warnings: readonly IdentityWarning[];
  }>;
}

/** The id as which a request goes out, and its token. */
export type Asking = Pick<KnownIdentity, "userId" | "token">;

/**
 * How long the next early renewal waits after a failed renewal, in milliseconds. As long as the token still works, a failing
 * request at every call would not be worth its time.
 */
const AHEAD_PAUSE_MS = 30_000;
/** How long a call waits for an early renewal, in milliseconds. A withdrawal before its deadline needs a token at once. */
const AHEAD_WAIT_MS = 2_000;

export function createIdentity(deps: TokenRequestsDeps): Identity {
  const { settings, platform } = deps;
  const { clock, log } = platform;
  const current = new CurrentIdentity(deps);
  const tokens = new TokenRequests(deps, current);
  /** Maps an origin to the time until which no token is renewed early. */
  const aheadPaused = new Map<string, number>();

  /**
   * Renews a token before it expires. A failure is only logged, and the old token is used while a slow renewal goes on.
   */
  async function renewAhead({ who, known }: Current, signal: AbortSignal | undefined): Promise<Asking> {
    if (known.expired) return tokens.obtain(who, known.token, { signal });
    if (clock.monotonic() < (aheadPaused.get(who.origin) ?? Number.NEGATIVE_INFINITY)) return known;
    const late = Promise.withResolvers<KnownIdentity>();
    const dropTimer = clock.after(AHEAD_WAIT_MS, () => {
      aheadPaused.set(who.origin, clock.monotonic() + AHEAD_PAUSE_MS);
      log.warn("token_renewal_slow", { origin: who.origin });
      late.resolve(known);
    });
    try {
      return await Promise.race([tokens.obtain(who, known.token, { signal }), late.promise]);
    } catch (error) {
      if (signal?.aborted) throw error;
      aheadPaused.set(who.origin, clock.monotonic() + AHEAD_PAUSE_MS);
      log.warn("token_renewal_failed", { origin: who.origin, error: error instanceof Error ? error.name : "unknown" });
      return known;
    } finally {
      dropTimer();
    }
  }

  async function asking(signal?: AbortSignal): Promise<Asking> {
    const { who, known } = await current.keep(signal);
    if (known.token !== undefined) return known.due ? renewAhead({ who, known }, signal) : known;
    if (known.userId !== undefined && tokens.isUnsupported(who.origin)) return known;
    return tokens.obtain(who, undefined, { signal });
  }

  return {
    async userId() {
      const { who, known } = current.get();
      return known.userId ?? (await tokens.obtain(who, known.token)).userId!;
    },

    asking,
    bearer: async (signal) => (await asking(signal)).token,

    held() {
      const { known, isTidy } = current.get();
      return { userId: known.userId, token: isTidy && !known.expired ? known.token : undefined };
    },

    async renew(failedToken, signal) {
      const { who, known } = current.get();
      if (known.token !== undefined && known.token !== failedToken && !known.expired) return known.token;
      // A backend that answers 401 wants a token, so it is asked for one even if it had no route a minute ago.
      const { token } = await tokens.obtain(who, failedToken, { again: true, signal });
      return token === failedToken ? undefined : token;
    },

    knownUserId() {
      return settings().backend_url === undefined ? undefined : current.get().known.userId;
    },

    account() {
      if (settings().backend_url === undefined) return undefined;
      const { who, known } = current.get();
      const given = known.token === who.token ? who.token : undefined;
      return tokenHash(JSON.stringify([known.at, given])).slice(0, 16);
    },

    async peek(file) {
      if (settings().backend_url === undefined) return { token: false, unsupported: false, warnings: [] };
      const { who, known } = current.get(file);
      const unsupported = tokens.isUnsupported(who.origin);
      const warnings: IdentityWarning[] = [];
      if (unsupported) warnings.push("auth_unsupported");
      if (known.tokenOf !== undefined) warnings.push("token_other_origin");
      return {
        ...(known.userId !== undefined && { user_id: known.userId }),
        token: known.token !== undefined,
        unsupported,
        warnings,
      };
    },
  };
}
