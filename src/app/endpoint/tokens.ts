import * as z from "zod";
import { createBackendClient } from "../../backend/client.ts";
import { RouteMissing, TokenRejected, TooManyNewTokens, Unreachable } from "../../backend/errors.ts";
import type { Http } from "../../backend/http.ts";
import type { NewTokenLimiter } from "../../backend/new-token-limiter.ts";
import type { Clock } from "../../clock.ts";
import { TowowError } from "../../errors.ts";
import { isHomeKey } from "../../home/home-key.ts";
import { failureOf } from "../../log.ts";
import { isToken } from "../../mcp/http/request-checks.ts";
import { isIssuedHere } from "../../mcp/http/sign-in/grants.ts";
import type { Platform } from "../../platform.ts";
import { sha256 } from "../../sha256.ts";
import type { Store } from "../../store/store.ts";
import type { EndpointBackend } from "./backend.ts";

/** Tracks whether the backend has ever answered one token with a success. */
export interface Acceptance {
  readonly isAccepted: boolean;
  /** True while a request that could get the token accepted is in flight or queued. */
  readonly isTrying: boolean;
  /** Called when another replica knows that the backend has accepted the token. */
  accept(): void;
  /** Called when the user is forgotten. Nothing more is sent with a token that has not been accepted. */
  close(): void;
  /** Sends requests for this token alone. */
  http: Http;
}

interface AcceptanceParts {
  http: Http;
  newTokenLimiter: NewTokenLimiter;
  /** True if the backend is already known to accept the token, from an earlier time or from another replica. */
  isAccepted: boolean;
  /** Called once, at the first success or when another replica has had one. */
  onAccepted: () => void;
  /**
   * Writes down, for sign-in and for other replicas, whether the backend accepts the token. It is called for the first
   * success, for at most one more success every {@link NOTED_EVERY_MS}, and for each refusal of an accepted token.
   * Returns whether the note could be written.
   */
  note: (isAccepted: boolean) => Promise<boolean>;
  clock: Clock;
}

/** A success of a token in use is written down again at most this often, in milliseconds. */
const NOTED_EVERY_MS = 5 * 60_000;

/**
 * Creates the way to the backend for one token. Until the first success, the token's requests go one at a time and
 * share their limits with all other unaccepted tokens. A backend that checks no tokens accepts each token with its
 * first success, so only the requests before that are limited. An accepted token keeps its way to the backend even if
 * it is refused later, because its demand may have to be withdrawn.
 */
function createAcceptance(parts: AcceptanceParts): Acceptance {
  const { http, newTokenLimiter, onAccepted, note, clock } = parts;
  let accepted = parts.isAccepted;
  let notedAt = Number.NEGATIVE_INFINITY;
  let trying = 0;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  const accept = () => {
    if (accepted) return;
    accepted = true;
    onAccepted();
  };
  const succeeded = () => {
    accept();
    if (clock.monotonic() - notedAt < NOTED_EVERY_MS) return;
    notedAt = clock.monotonic();
    void note(true).then((isWritten) => {
      if (!isWritten) notedAt = Number.NEGATIVE_INFINITY;
    });
  };
  const failed = (error: unknown) => {
    if (!(error instanceof TokenRejected) || !accepted) return;
    notedAt = Number.NEGATIVE_INFINITY;
    void note(false);
  };
  const careful: Http = {
    close: () => http.close(),
    async listen(url, ...call) {
      if (!accepted) throw new Unreachable({ operation: "feed", origin: url.origin, reason: "token_unproven" });
      return http.listen(url, ...call);
    },
    send(operation, auth, call) {
      const send = async () => {
        try {
          const answer = await http.send(operation, auth, call);
          succeeded();
          return answer;
        } catch (error) {
          failed(error);
          throw error;
        }
      };
      if (accepted) return send();
      const first = async () => {
        if (isClosed) throw new TooManyNewTokens({ operation: operation.name });
        return send();
      };
      trying += 1;
      const turn = last
        .then(() => (accepted ? send() : newTokenLimiter.run(operation.name, first, call?.signal)))
        .finally(() => {
          trying -= 1;
        });
      last = turn.catch(() => {});
      return turn;
    },
  };
  return {
    get isAccepted() {
      return accepted;
    },
    get isTrying() {
      return trying > 0;
    },
    accept,
    close() {
      isClosed = true;
    },
    http: careful,
  };
}

/**
 * The user of a token, or why the user is not known. `unknown`: the backend refuses the token, or the token cannot be
 * one of the backend's. `untried`: the backend has no route on which a token can be tried. `unreached`: the backend
 * does not answer. `full`: too many tokens are being tried.
 */
export type Judged = { user: string } | "unknown" | "untried" | "unreached" | "full";

export interface TokensDeps {
  backend: EndpointBackend;
  /** The store that all replicas share. */
  store: Store;
  /** At most this many tokens are tried at once for signing in. */
  maxTried: number;
  platform: Platform;
}

/**
 * How long the note that a token was accepted is kept, in milliseconds. Successes are noted only every {@link
 * NOTED_EVERY_MS}, so an accepted token stays noted for at least an hour after its last success.
 */
const ACCEPTED_MS = 3_600_000 + NOTED_EVERY_MS;
/** The time limit of a try, in milliseconds. It is short because a person is waiting. */
const TRY_PATIENCE_MS = 10_000;

/** Finds out and remembers which tokens the backend accepts, even if they have no user in memory. */
export class Tokens {
  readonly #deps: TokensDeps;
  readonly #origin: string;
  /** The number of tokens that are being tried now. */
  #trying = 0;

  constructor(deps: TokensDeps) {
    this.#deps = deps;
    this.#origin = new URL(deps.backend.url).origin;
  }

  /** Returns the hash that names a token's user in the store. The token itself is in no key and in no log. */
  keyOf(token: string): string {
    return sha256(`${this.#origin}\n${token}`);
  }

  /**
   * Returns whether the backend has accepted this user's token in about the last hour, at any replica, and has not
   * refused it since.
   */
  async isAccepted(key: string): Promise<boolean> {
    return (await this.#accepted(key)) !== undefined;
  }

  /**
   * Returns the hash of the token with which the backend last accepted this user. A renewal may have replaced the
   * user's first token.
   */
  #accepted(key: string): Promise<string | undefined> {
    return this.#deps.store.get(acceptedName(key), z.string());
  }

  /**
   * Creates the way to the backend for one user, and notes whether the backend accepts their token. `token` returns the
   * token that is in use now.
   */
  acceptance(key: string, token: () => string, isAccepted: boolean, onAccepted: () => void): Acceptance {
    const { backend, platform } = this.#deps;
    const { http, newTokenLimiter } = backend;
    const { clock } = platform;
    const note = (isAccepted: boolean) => this.#note(key, isAccepted ? this.keyOf(token()) : undefined);
    return createAcceptance({ http, newTokenLimiter, isAccepted, onAccepted, note, clock });
  }

  /**
   * Finds the user of a token with which somebody signs in. A token that no client has used lately is tried at the
   * backend.
   */
  async judge(token: string): Promise<Judged> {
    const user = this.keyOf(token);
    if (!isToken(token) || isHomeKey(token) || isIssuedHere(token)) return "unknown";
    if ((await this.#accepted(user)) === user) return { user };
    if (this.#trying >= this.#deps.maxTried) return "full";
    this.#trying += 1;
    try {
      return await this.#tries(token);
    } finally {
      this.#trying -= 1;
    }
  }

  /**
   * Tries a token with one read, within the limits for new tokens. No user is made for the token, so an invented token
   * leaves nothing behind.
   */
  async #tries(token: string): Promise<Judged> {
    const { backend, platform } = this.#deps;
    const { url, http, newTokenLimiter } = backend;
    const auth = { bearer: async () => token, renew: async () => undefined };
    const { listScenes } = createBackendClient({ baseUrl: url, auth, http });
    try {
      await newTokenLimiter.run("listScenes", () => listScenes({}, { timeoutMs: TRY_PATIENCE_MS }));
    } catch (error) {
      if (error instanceof TokenRejected) return "unknown";
      if (error instanceof RouteMissing) return "untried";
      if (error instanceof TooManyNewTokens) return "full";
      if (!(error instanceof TowowError)) throw error;
      platform.log.info("token_not_tried", { code: error.code });
      return "unreached";
    }
    const user = this.keyOf(token);
    await this.#note(user, user);
    return { user };
  }

  /**
   * Writes down the hash of this user's accepted token, or deletes it if `accepted` is undefined. Returns whether the
   * store could be written.
   */
  async #note(key: string, accepted: string | undefined): Promise<boolean> {
    const { store, platform } = this.#deps;
    try {
      if (accepted !== undefined) await store.put(acceptedName(key), accepted, ACCEPTED_MS);
      else await store.delete(acceptedName(key));
      return true;
    } catch (error) {
      platform.log.debug("not_noted", { error: failureOf(error) });
      return false;
    }
  }
}

const acceptedName = (key: string): string => `accepted:${key}`;
