import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import type { ConfigStore } from "./config-store.ts";
import { HomeUnwritable } from "./errors.ts";
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
import { originOf } from "./origin.ts";
import { requireBackend, type Settings } from "./settings.ts";
import { SingleFlight } from "./single-flight.ts";

/** One request to `/v1/api/auth/mcp-token`; `unsupported` where the backend has no such route (404, 405). */
export type RequestToken = (
  request: { user_id: string; device_info?: string },
  bearer: string | undefined,
  signal?: AbortSignal,
) => Promise<Issued | { unsupported: true }>;

/** `auth_unsupported`: the backend issues no tokens. `token_other_origin`: the given token is another backend's. */
export type IdentityWarning = "auth_unsupported" | "token_other_origin";

/** Who this person is to the current backend. Serves contract §3, "one person, one id". */
export interface Identity {
  /** The one id, made when there is none yet. Throws as {@link Identity.bearer} does. */
  userId(): Promise<string>;
  /**
   * The token for the current backend's origin, renewed ahead of its end; undefined when there is none to be had.
   * Throws `BackendUrlMissing`, `HomeUnwritable`, `ConfigLocked`, the signal's reason, what the request throws.
   */
  bearer(signal?: AbortSignal): Promise<string | undefined>;
  /** The token in hand for the current backend, for a program that must ask for nothing and write nothing. */
  held(): string | undefined;
  /** After a 401: the token that replaces the failed one, or undefined. Throws as {@link Identity.bearer} does. */
  renew(failedToken: string | undefined, signal?: AbortSignal): Promise<string | undefined>;
  /** What is known without a request, and without a backend. */
  peek(): Promise<{
    user_id?: string;
    token: boolean;
    unsupported: boolean;
    warnings: readonly IdentityWarning[];
  }>;
}

export interface IdentityOptions {
  readonly store: ConfigStore;
  readonly settings: () => Settings;
  readonly requestToken: RequestToken;
  readonly clock: Clock;
  readonly log: Log;
  /** A new UUID. */
  readonly newId: () => string;
  /** Names the program, never the host or its user: `towow-mcp/1.2.3`. */
  readonly deviceInfo?: string;
}

/** A backend that has no token route is asked again after this, in milliseconds: it may have been updated. */
const UNSUPPORTED_MS = 5 * 60_000;
/** A token that still works is not worth a failing request at every call. */
const AHEAD_PAUSE_MS = 30_000;
/** Nor is it worth a long wait: a withdrawal before its deadline needs the token at once. */
const AHEAD_WAIT_MS = 2_000;

export function createIdentity(options: IdentityOptions): Identity {
  const { store, settings, requestToken, clock, log, newId, deviceInfo } = options;
  const singleFlight = new SingleFlight<KnownIdentity>();
  /** By origin: until when. */
  const unsupported = new Map<string, number>();
  const aheadPaused = new Map<string, number>();
  const logged = new Set<string>();

  const isPast = (until: number | undefined) => until === undefined || clock.monotonic() >= until;
  const warnOnce = (event: string, fields: Record<string, string>) => {
    const once = `${event} ${JSON.stringify(fields)}`;
    if (!logged.has(once)) log.warn(event, fields);
    logged.add(once);
  };
  const asked = (): IdentityRequest => {
    const now = settings();
    const given = (key: "user_id" | "api_token") =>
      now.sources[key] === "flag" || now.sources[key] === "environment" ? now[key] : undefined;
    const origin = originOf(requireBackend(now).backend_url)!;
    return { origin, userId: given("user_id"), token: given("api_token"), now: clock.now() };
  };

  /** As they were put in order last: every request looks, and the file mostly is what it was. */
  let settled: { file: ConfigFile; origin: string; token: string | undefined; tidied: ConfigFile } | undefined;
  function tidiedOf(file: ConfigFile, who: IdentityRequest): ConfigFile {
    const { origin, token } = who;
    if (settled?.file !== file || settled.origin !== origin || settled.token !== token)
      settled = { file, origin, token, tidied: tidyIdentities(file, who) };
    return settled.tidied;
  }

  function identityNow(): { who: IdentityRequest; known: KnownIdentity; file: ConfigFile; tidied: ConfigFile } {
    const who = asked();
    const file = store.read().values;
    const tidied = tidiedOf(file, who);
    const known = identityIn(tidied, who);
    if (known.tokenOf !== undefined) warnOnce("token_other_origin", { origin: who.origin, token_of: known.tokenOf });
    return { who, known, file, tidied };
  }

  /** To which origin a token belongs is written down before the token is used there. */
  async function keptIdentityNow(
    signal: AbortSignal | undefined,
  ): Promise<{ who: IdentityRequest; known: KnownIdentity }> {
    const { who, known, file, tidied } = identityNow();
    if (tidied === file || known.token === undefined) return { who, known };
    try {
      const kept = await store.update((current) => tidyIdentities(current, who), signal);
      return { who, known: identityIn(kept, who) };
    } catch (error) {
      if (!(error instanceof HomeUnwritable)) throw error;
      // A read-only home with a token from the environment still has to work.
      warnOnce("identity_not_kept", { reason: String(error.params.reason) });
      return { who, known };
    }
  }

  /** A token other than `failed`, and an id: the first process asks for them, the others find them. */
  function obtain(
    who: IdentityRequest,
    failed: string | undefined,
    again: boolean,
    signal?: AbortSignal,
  ): Promise<KnownIdentity> {
    // The failed token may be a given one, and names are not logged: it stays in this process.
    const flight = JSON.stringify([who.origin, who.userId, who.token, failed]);
    return singleFlight.join(flight, (stop) => store.exclusive(() => request(failed, again, stop), stop), signal);
  }

  async function request(failed: string | undefined, again: boolean, stop: AbortSignal): Promise<KnownIdentity> {
    await keptIdentityNow(stop);
    // Looked up again under the lock, settings too and nothing awaited since: the bearer goes to its own origin only.
    const { who, known } = identityNow();
    if (known.token !== undefined && known.token !== failed && !known.due) return known;
    const user_id = known.userId ?? "";
    const answer =
      !again && !isPast(unsupported.get(who.origin))
        ? { unsupported: true as const }
        : await requestToken({ user_id, ...(deviceInfo && { device_info: deviceInfo }) }, known.token, stop);
    const now = { ...who, now: clock.now() };
    if (!("unsupported" in answer)) {
      unsupported.delete(who.origin);
      if (user_id !== "" && answer.user_id !== user_id) log.warn("identity_answered_otherwise", { origin: who.origin });
      return identityIn(
        await store.update((current) => issue(tidyIdentities(current, now), now, user_id, answer)),
        now,
      );
    }
    if (isPast(unsupported.get(who.origin))) unsupported.set(who.origin, clock.monotonic() + UNSUPPORTED_MS);
    warnOnce("auth_unsupported", { origin: who.origin });
    if (known.userId !== undefined) return known;
    const id = newId();
    return identityIn(await store.update((current) => withLocalId(tidyIdentities(current, now), now, id)), now);
  }

  /** A first id that another process was given meanwhile (it took a lock from a sleeping machine) stays the one id. */
  function issue(tidied: ConfigFile, who: IdentityRequest, requested: string, answer: Issued): ConfigFile {
    const raced = requested === "" && identityIn(tidied, who).userId !== undefined;
    return raced ? tidied : withIssued(tidied, who, answer);
  }

  /** A failure to renew early is no failure yet; a renewal that takes long goes on while the old token is used. */
  async function renewAhead(
    who: IdentityRequest,
    known: KnownIdentity,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    if (known.expired) return (await obtain(who, known.token, false, signal)).token;
    if (!isPast(aheadPaused.get(who.origin))) return known.token;
    const late = Promise.withResolvers<KnownIdentity>();
    const dropTimer = clock.after(AHEAD_WAIT_MS, () => {
      aheadPaused.set(who.origin, clock.monotonic() + AHEAD_PAUSE_MS);
      log.warn("token_renewal_slow", { origin: who.origin });
      late.resolve(known);
    });
    try {
      return (await Promise.race([obtain(who, known.token, false, signal), late.promise])).token;
    } catch (error) {
      if (signal?.aborted) throw error;
      aheadPaused.set(who.origin, clock.monotonic() + AHEAD_PAUSE_MS);
      log.warn("token_renewal_failed", { origin: who.origin, error: error instanceof Error ? error.name : "unknown" });
      return known.token;
    } finally {
      dropTimer();
    }
  }

  return {
    async userId() {
      const { who, known } = identityNow();
      return known.userId ?? (await obtain(who, known.token, false)).userId!;
    },

    async bearer(signal) {
      const { who, known } = await keptIdentityNow(signal);
      if (known.token !== undefined && !known.due) return known.token;
      if (known.token !== undefined) return renewAhead(who, known, signal);
      if (known.userId !== undefined && !isPast(unsupported.get(who.origin))) return undefined;
      return (await obtain(who, undefined, false, signal)).token;
    },

    held() {
      const { known, file, tidied } = identityNow();
      return tidied === file && !known.expired ? known.token : undefined;
    },

    async renew(failedToken, signal) {
      const { who, known } = identityNow();
      if (known.token !== undefined && known.token !== failedToken && !known.expired) return known.token;
      // Asked even where there was no route a minute ago: a backend that says 401 wants a token.
      const { token } = await obtain(who, failedToken, true, signal);
      return token === failedToken ? undefined : token;
    },

    async peek() {
      if (settings().backend_url === undefined) return { token: false, unsupported: false, warnings: [] };
      const { who, known } = identityNow();
      const missing = !isPast(unsupported.get(who.origin));
      const warnings: IdentityWarning[] = [];
      if (missing) warnings.push("auth_unsupported");
      if (known.tokenOf !== undefined) warnings.push("token_other_origin");
      return {
        ...(known.userId !== undefined && { user_id: known.userId }),
        token: known.token !== undefined,
        unsupported: missing,
        warnings,
      };
    },
  };
}
