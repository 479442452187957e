import { randomUUID } from "node:crypto";
import { type Auth, createTokenRequest } from "../backend/client.ts";
import { BackendFailure } from "../backend/errors.ts";
import type { Http } from "../backend/http.ts";
import { TowowError } from "../errors.ts";
import type { ConfigStore } from "../home/config-store.ts";
import { BackendUrlMissing } from "../home/errors.ts";
import { type Asking, createIdentity, type Identity } from "../home/identity.ts";
import type { LiveSettings } from "../home/live-settings.ts";
import { originOf, SANDBOX } from "../home/origin.ts";
import type { Settings } from "../home/settings.ts";
import type { Platform } from "../platform.ts";
import { type BackendWay, feedOf, refuseOffline } from "./backend-clients.ts";
import type { Peers } from "./peers.ts";
import type { Backends, UserBackend } from "./user.ts";

export interface HomeBackendsDeps {
  platform: Platform;
  live: LiveSettings;
  config: ConfigStore;
  http: Http;
  /** The home's sandbox: `address` returns its current address, and `http` sends requests to it without a proxy. */
  sandbox: { address: () => Promise<string>; http: Http };
  /** The other programs of this home. */
  peers: Pick<Peers, "hasOthers">;
  version: string;
}

/** The backends of this home's user, with the user's identity at each. */
export interface HomeBackends extends Backends {
  /** Returns the identity of the person at the backend of this origin. */
  identityAt: (origin: string) => Identity;
}

/** The origin of an address that is no URL. No backend has this origin, so a request there sends nothing. */
const NOWHERE = "";

/**
 * Creates the backends of a home. At each of them the home has an identity, whose tokens it requests at the address in
 * the settings.
 */
export function createHomeBackends(deps: HomeBackendsDeps): HomeBackends {
  const places = new Map<string, BackendPlace>();
  const placeAt = (origin: string): BackendPlace => {
    const place = places.get(origin) ?? createPlace(origin, deps);
    places.set(origin, place);
    return place;
  };
  return {
    originOf: (url) => originOf(url) ?? NOWHERE,
    at: (origin, settings) => createHomeBackend(origin, placeAt(origin), settings, deps),
    identityAt: (origin) => placeAt(origin).identity,
  };
}

/** Where one backend is according to the settings, and who the person is there. */
interface BackendPlace {
  /**
   * Returns the address. `isCall` is false for work that must be done even if the settings have become invalid.
   * @throws BackendUrlMissing, or the error in the settings
   */
  address(isCall: boolean, at?: string): Promise<string>;
  /**
   * Returns the address for requests that are neither tool calls nor mandatory, such as those for tokens and for the
   * feed. @throws what `address` throws, and a Failure under `offline`
   */
  addressIfAllowed(): Promise<string>;
  /** The address that was last configured for this origin. Its path may change. */
  baseUrl: string | undefined;
  http: Http;
  identity: Identity;
}

function createPlace(origin: string, deps: HomeBackendsDeps): BackendPlace {
  const { platform, live, config, sandbox } = deps;
  const http = origin === SANDBOX ? sandbox.http : deps.http;
  let hasWorked = false;
  const place: BackendPlace = {
    http,
    baseUrl: undefined,
    /**
     * Throws for a mistake in the settings only if this is a call or nothing has worked before, so that what was sent
     * earlier can still be withdrawn.
     */
    async address(isCall, at = place.baseUrl) {
      const problem = live.problem();
      if (problem !== undefined && (isCall || !hasWorked)) throw problem;
      if (at === undefined) throw new BackendUrlMissing();
      hasWorked = true;
      return at === SANDBOX ? sandbox.address() : at;
    },
    async addressIfAllowed() {
      if (place.baseUrl !== undefined) refuseOffline(live.current().profile, place.baseUrl);
      return place.address(false);
    },
    identity: createIdentity({
      platform,
      store: config,
      settings: () => ({ ...live.current(), backend_url: place.baseUrl }),
      async requestToken(request, bearer, signal) {
        // Under a misspelt `dry_run` no token may be requested, and `addressIfAllowed` checks the settings.
        const baseUrl = await place.addressIfAllowed();
        const grant = await createTokenRequest({ baseUrl, http })(request, bearer, signal);
        if ("unsupported" in grant) return grant;
        const { expires_at, ...issued } = grant;
        return expires_at === null ? issued : { ...issued, expires_at };
      },
      newUserId: randomUUID,
      deviceInfo: `towow-mcp/${deps.version}`,
    }),
  };
  return place;
}

function createHomeBackend(
  origin: string,
  place: BackendPlace,
  settings: () => Settings,
  { live, peers, platform }: HomeBackendsDeps,
): UserBackend {
  const { identity, http } = place;
  const ways = new Map<string, BackendWay>();
  const profile = () => settings().profile;
  const asNow = {
    // Under these profiles the present token is used, and none is requested.
    asking: async (signal?: AbortSignal): Promise<Asking> =>
      ["dry_run", "offline"].includes(profile()) ? identity.held() : identity.asking(signal),
    async renew(failed: string | undefined, signal?: AbortSignal) {
      if (profile() === "dry_run") throw new BackendFailure("tool.auth.blocked.dry_run", { operation: "requestToken" });
      return identity.renew(failed, signal);
    },
  };

  /** Maps a user id to its last used token. */
  const tokens = new Map<string, string | undefined>();
  const isNow = (account: string | undefined) => account === undefined || account === identity.knownUserId();

  /** Authenticates as that account, even if the person has put another one into the settings meanwhile. */
  const authAs = (account: string | undefined): Auth => ({
    async bearer(signal) {
      const now = isNow(account) ? await asNow.asking(signal) : undefined;
      if (now?.userId !== undefined) tokens.set(now.userId, now.token);
      return isNow(account) ? now?.token : tokens.get(account ?? "");
    },
    async renew(failed, signal) {
      if (isNow(account)) return asNow.renew(failed, signal);
      // If the account's token no longer works, the current token must do, because a no that cannot be sent would let
      // the text go out.
      const { token } = await asNow.asking(signal);
      return token === failed ? undefined : token;
    },
  });

  async function way(isCall: boolean, at: string | undefined, account?: string): Promise<BackendWay> {
    const baseUrl = await place.address(isCall, at);
    const name = `${baseUrl} ${account ?? ""}`;
    const known = ways.get(name) ?? { baseUrl, auth: authAs(account), http };
    ways.set(name, known);
    return known;
  }

  return {
    origin,
    pin() {
      const at = place.baseUrl;
      return (isCall, account) => way(isCall, at ?? place.baseUrl, account);
    },
    openFeed: feedOf(
      async () => ({ baseUrl: await place.addressIfAllowed(), auth: authAs(undefined), http }),
      settings,
    ),
    // Under `dry_run` no token is requested, so an unknown user id becomes a placeholder.
    userId: async () =>
      profile() === "dry_run" ? ((await identity.peek()).user_id ?? "your-user-id") : identity.userId(),
    knownUserId: identity.knownUserId,
    hasPeers: () => peers.hasOthers(origin, identity.account()),
    /** Saves defaults for the next call. An unwritable home must not undo this call, which has succeeded. */
    async remember(values) {
      try {
        await live.saveLastIds(origin, values);
      } catch (error) {
        if (!(error instanceof TowowError)) throw error;
        platform.log.warn("not_remembered", { code: error.code });
      }
    },
    move(url) {
      place.baseUrl = url;
    },
  };
}
