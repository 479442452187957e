import { createTokenRequest, createTokenRouteLook } from "../../backend/client.ts";
import { TooManyNewTokens } from "../../backend/errors.ts";
import { TowowError } from "../../errors.ts";
import type { Settings } from "../../home/settings.ts";
import { HttpError } from "../../mcp/http/http-error.ts";
import { Rate } from "../../mcp/http/rate.ts";
import type { NewToken, TokenDesk } from "../../mcp/http/token-page.ts";
import type { Platform } from "../../platform.ts";
import { type Store, scoped } from "../../store/store.ts";
import type { EndpointBackend } from "./backend.ts";

export interface VisitorTokensDeps {
  backend: EndpointBackend;
  /** The part of the store that belongs to this backend alone. */
  store: Store;
  /** Returns the operator's current profile. */
  profile: () => Settings["profile"];
  platform: Platform;
}

/**
 * The most tokens that the whole endpoint issues in ten seconds. This admits a team within minutes, and keeps a
 * stranger from collecting accounts.
 */
const PER_10_S = 10;
/**
 * How long, in milliseconds, the endpoint remembers whether the backend has a route for new tokens. The time is shorter
 * if the backend did not answer.
 */
const SEEN_MS = { answered: 5 * 60_000, silent: 10_000 };
/** The time limit of a look, in milliseconds. It is short because a person waits for the page. */
const LOOK_PATIENCE_MS = 2_000;

/** Issues tokens to visitors, each for a new id that the backend makes. This class keeps no token. */
export class VisitorTokens implements TokenDesk {
  readonly #deps: VisitorTokensDeps;
  readonly #rate: Rate;
  #seen: { isThere: Promise<boolean>; until: number } | undefined;

  constructor(deps: VisitorTokensDeps) {
    this.#deps = deps;
    this.#rate = new Rate(PER_10_S, deps.platform.clock);
  }

  async isOpen(): Promise<boolean> {
    const { profile, platform } = this.#deps;
    if (profile() === "dry_run") return false;
    if (this.#seen === undefined || platform.clock.monotonic() >= this.#seen.until) this.#keep(this.#look());
    return this.#seen!.isThere;
  }

  async issue(): Promise<NewToken> {
    const { backend, store, platform } = this.#deps;
    const { url, http, newTokenLimiter, deviceInfo } = backend;
    const request = createTokenRequest({ baseUrl: url, http });
    try {
      await this.#rate.count(scoped(store, "token-page:"), Number.POSITIVE_INFINITY);
      const wanted = { user_id: "", device_info: deviceInfo };
      const grant = await newTokenLimiter.run("requestToken", () => request(wanted));
      if (!("unsupported" in grant)) return grant;
      this.#keep(Promise.resolve(false));
      return "none";
    } catch (error) {
      if (error instanceof HttpError || error instanceof TooManyNewTokens) return "busy";
      if (!(error instanceof TowowError)) throw error;
      platform.log.warn("token_not_issued", { code: error.code });
      return "failed";
    }
  }

  #keep(isThere: Promise<boolean>): void {
    this.#seen = { isThere, until: this.#deps.platform.clock.monotonic() + SEEN_MS.answered };
  }

  /**
   * Returns whether the backend has the route for new tokens. A backend that does not answer now may still have the
   * route. Visitors are then offered a token, and the request for it shows whether there is one.
   */
  async #look(): Promise<boolean> {
    const { backend, platform } = this.#deps;
    const { clock, log } = platform;
    try {
      return await createTokenRouteLook({ baseUrl: backend.url, http: backend.http })({ timeoutMs: LOOK_PATIENCE_MS });
    } catch (error) {
      if (!(error instanceof TowowError)) throw error;
      log.debug("token_route_unseen", { code: error.code });
      if (this.#seen !== undefined) this.#seen.until = clock.monotonic() + SEEN_MS.silent;
      return true;
    }
  }
}
