import * as z from "zod";
import { createBackendClient } from "../../backend/client.ts";
import { NewTokensWait, RouteMissing, TokenRejected, Unreachable } from "../../backend/errors.ts";
import type { Http } from "../../backend/http.ts";
import type { NewTokenLimiter } from "../../backend/new-token-limiter.ts";
import type { Clock } from "../../clock.ts";
import { TowowError } from "../../errors.ts";
import { isHomeKey } from "../../home/home-key.ts";
import { failureOf, type Log } from "../../log.ts";
import { isToken } from "../../mcp/http/guards.ts";
import { isIssuedHere } from "../../mcp/http/sign-in/grants.ts";
import type { Store } from "../../store/store.ts";
import { sha256 } from "../hash.ts";

/** What is known of one token: whether the backend has ever answered it with a success. */
export interface Acceptance {
  readonly isAccepted: boolean;
  /** A request with it is at the backend, or waits for its turn there, and may decide that. */
  readonly isTrying: boolean;
  /** Another replica knows that the backend has accepted it. */
  accept(): void;
  /** Its user is forgotten: while the token is not accepted, nothing more is sent with it. */
  close(): void;
  /** The way to the backend for this token alone. */
  http: Http;
}

interface AcceptanceParts {
  http: Http;
  newTokenLimiter: NewTokenLimiter;
  /** Known from before, or from another replica. */
  isAccepted: boolean;
  /** It has become known here, once: by the first success, or from another replica. */
  onAccepted: () => void;
  /**
   * Writes down, for signing in and for other replicas, whether the backend accepts it: its first success, one every
   * {@link NOTED_EVERY_MS}, and each refusal. Gives whether that could be written.
   */
  note: (isAccepted: boolean) => Promise<boolean>;
  clock: Clock;
}

/** How often a token that is in use is written down again, in milliseconds. */
const NOTED_EVERY_MS = 5 * 60_000;

/**
 * Until the first success a token's requests go one at a time, in the share that all such tokens have. With a backend
 * that checks no token every token is accepted by its first success: then this bounds only what comes before it. Once
 * accepted it keeps its place and its way to the backend, also when it is refused: a demand of it may have to be withdrawn.
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
        if (isClosed) throw new NewTokensWait({ operation: operation.name });
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
 * Whose token it is, or why that is not known: the backend refuses it, it has nothing to try one with, it does not answer,
 * or too many are tried at once.
 */
export type Judged = { user: string } | "unknown" | "untried" | "unreached" | "full";

export interface TokensDeps {
  backendUrl: string;
  http: Http;
  newTokenLimiter: NewTokenLimiter;
  /** That all replicas share. */
  store: Store;
  /** Tokens that are tried at once for signing in. */
  maxTried: number;
  clock: Clock;
  log: Log;
}

/** How long a token counts as accepted after the backend's last success with it, at any replica, in milliseconds. */
const ACCEPTED_MS = 3_600_000 + NOTED_EVERY_MS;
/** Somebody waits for it, in milliseconds. */
const TRY_PATIENCE_MS = 10_000;

/** What is known of tokens before, and without, a user. */
export class Tokens {
  readonly #deps: TokensDeps;
  readonly #origin: string;
  /** Tokens that are tried now. */
  #trying = 0;

  constructor(deps: TokensDeps) {
    this.#deps = deps;
    this.#origin = new URL(deps.backendUrl).origin;
  }

  /** Names a token's user in the store; the token stands in no key and in no log. */
  keyOf(token: string): string {
    return sha256(`${this.#origin}\n${token}`);
  }

  /** Whether the backend has accepted this token within the last hour, at any replica, and not refused it since. */
  async isAccepted(key: string): Promise<boolean> {
    return (await this.#accepted(key)) !== undefined;
  }

  /** The name of the token with which the backend has accepted this user last: it may have been renewed since the first. */
  #accepted(key: string): Promise<string | undefined> {
    return this.#deps.store.get(acceptedName(key), z.string());
  }

  /** The way to the backend for one user, which notes what becomes of their token there. `token`: the one in use now. */
  acceptance(key: string, token: () => string, isAccepted: boolean, onAccepted: () => void): Acceptance {
    const { http, newTokenLimiter, clock } = this.#deps;
    const note = (isAccepted: boolean) => this.#note(key, isAccepted ? this.keyOf(token()) : undefined);
    return createAcceptance({ http, newTokenLimiter, isAccepted, onAccepted, note, clock });
  }

  /** Whose token it is that somebody signs in with. One that no client has used lately is tried at the backend. */
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

  /** One read with the token, within the share of new ones; no user is made for it, so an invented one leaves nothing. */
  async #tries(token: string): Promise<Judged> {
    const { backendUrl, http, newTokenLimiter, log } = this.#deps;
    const auth = { bearer: async () => token, renew: async () => undefined };
    const { listScenes } = createBackendClient({ baseUrl: backendUrl, auth, http });
    try {
      await newTokenLimiter.run("listScenes", () => listScenes({}, { timeoutMs: TRY_PATIENCE_MS }));
    } catch (error) {
      if (error instanceof TokenRejected) return "unknown";
      if (error instanceof RouteMissing) return "untried";
      if (error instanceof NewTokensWait) return "full";
      if (!(error instanceof TowowError)) throw error;
      log.info("token_not_tried", { code: error.code });
      return "unreached";
    }
    const user = this.keyOf(token);
    await this.#note(user, user);
    return { user };
  }

  /** `accepted`: the name of the token that was; without one, none is any more. */
  async #note(key: string, accepted: string | undefined): Promise<boolean> {
    const { store, log } = this.#deps;
    try {
      if (accepted !== undefined) await store.put(acceptedName(key), accepted, ACCEPTED_MS);
      else await store.delete(acceptedName(key));
      return true;
    } catch (error) {
      log.debug("not_noted", { error: failureOf(error) });
      return false;
    }
  }
}

const acceptedName = (key: string): string => `accepted:${key}`;
