import type { Platform } from "../platform.ts";
import type { ConfigStore } from "./config-store.ts";
import { HomeUnwritable } from "./errors.ts";
import type { ConfigFile } from "./file.ts";
import { type IdentityRequest, identityIn, type KnownIdentity, tidyIdentities } from "./identity-state.ts";
import { originOf } from "./origin.ts";
import { requireBackend, type Settings } from "./settings.ts";

export interface CurrentIdentityDeps {
  readonly platform: Platform;
  readonly store: ConfigStore;
  readonly settings: () => Settings;
}

/** The person and the backend of a request, and what the home knows of that person there. */
export interface Current {
  who: IdentityRequest;
  known: KnownIdentity;
}

/**
 * Finds who this person is to the current backend, from the file and the settings. @throws BackendUrlMissing from its
 * methods
 */
export class CurrentIdentity {
  readonly #deps: CurrentIdentityDeps;
  readonly #logged = new Set<string>();
  /** The last tidied file, cached because every request looks and the file rarely changes. */
  #settled: { file: ConfigFile; origin: string; token: string | undefined; tidied: ConfigFile } | undefined;

  constructor(deps: CurrentIdentityDeps) {
    this.#deps = deps;
  }

  /**
   * Returns who asks and what is known of them. `isTidy` says whether the file has the form that this version writes.
   * Pass `file` if it has just been read.
   */
  get(file = this.#deps.store.read().values): Current & { isTidy: boolean } {
    const who = this.#asked();
    const tidied = this.#tidied(file, who);
    const known = identityIn(tidied, who);
    if (known.tokenOf !== undefined)
      this.warnOnce("token_other_origin", { origin: who.origin, token_of: known.tokenOf });
    return { who, known, isTidy: tidied === file };
  }

  /** Writes down a token's origin before the token is used there. @throws `tool.config.timeout.locked` */
  async keep(signal: AbortSignal | undefined): Promise<Current> {
    const { who, known, isTidy } = this.get();
    if (isTidy || known.token === undefined) return { who, known };
    try {
      const kept = await this.#deps.store.update((file) => tidyIdentities(file, who), signal);
      return { who, known: identityIn(kept, who) };
    } catch (error) {
      if (!(error instanceof HomeUnwritable)) throw error;
      // A token from the environment must work even with a read-only home.
      this.warnOnce("identity_not_kept", { reason: String(error.params.reason) });
      return { who, known };
    }
  }

  /** Logs the event with these fields once while this program runs. */
  warnOnce(event: string, fields: Record<string, string>): void {
    const once = `${event} ${JSON.stringify(fields)}`;
    if (!this.#logged.has(once)) this.#deps.platform.log.warn(event, fields);
    this.#logged.add(once);
  }

  #asked(): IdentityRequest {
    const now = this.#deps.settings();
    const given = (key: "user_id" | "api_token") =>
      now.sources[key] === "flag" || now.sources[key] === "environment" ? now[key] : undefined;
    const origin = originOf(requireBackend(now).backend_url)!;
    return { origin, userId: given("user_id"), token: given("api_token"), now: this.#deps.platform.clock.now() };
  }

  #tidied(file: ConfigFile, who: IdentityRequest): ConfigFile {
    const { origin, token } = who;
    if (this.#settled?.file !== file || this.#settled.origin !== origin || this.#settled.token !== token)
      this.#settled = { file, origin, token, tidied: tidyIdentities(file, who) };
    return this.#settled.tidied;
  }
}
