import { NewTokensWait, TokenRejected, Unreachable } from "../../backend/errors.ts";
import type { Http } from "../../backend/http.ts";
import type { NewTokenLimiter } from "../../backend/new-token-limiter.ts";
import type { Clock } from "../../clock.ts";

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

export interface AcceptanceParts {
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
export const NOTED_EVERY_MS = 5 * 60_000;

/**
 * Until the first success a token's requests go one at a time, in the share that all such tokens have. With a backend
 * that checks no token every token is accepted by its first success: then this bounds only what comes before it. Once
 * accepted it keeps its place and its way to the backend, also when it is refused: a demand of it may have to be withdrawn.
 */
export function createAcceptance(parts: AcceptanceParts): Acceptance {
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
