import { HttpError } from "./http-error.ts";
import type { User } from "./user.ts";

/** With tokens that the backend has not accepted yet, all together. */
const MAX_NEW_TOKEN_BYTES = 32 * 1024 * 1024;
/** Of one user. */
const MAX_USER_BYTES = 32 * 1024 * 1024;
/** Of all users, as far as their messages are large. */
const MAX_LARGE_BYTES = 128 * 1024 * 1024;
/** So much of each message counts for its user alone: large ones of others keep no usual one out. */
const USUAL_BYTES = 64 * 1024;

/** One request's part of it. */
export interface HeldBytes {
  /** @throws HttpError `too_many_new_tokens`, `too_many_at_once`, `too_much_at_once` */
  hold(bytes: number): void;
  free(): void;
}

/** What messages take in memory here, from their first byte until their request is over: slow ones take it for long. */
export class MessageBytes {
  #ofNewTokens = 0;
  readonly #ofUsers = new Map<string, number>();
  #large = 0;

  open(user: Pick<User, "key" | "isAccepted">): HeldBytes {
    return user.isAccepted ? this.#openOf(user.key) : this.#openOfNewToken();
  }

  #openOfNewToken(): HeldBytes {
    let own = 0;
    return {
      hold: (bytes) => {
        if (this.#ofNewTokens + bytes > MAX_NEW_TOKEN_BYTES)
          throw new HttpError("too_many_new_tokens", { "Retry-After": "10" });
        this.#ofNewTokens += bytes;
        own += bytes;
      },
      free: () => {
        this.#ofNewTokens -= own;
        own = 0;
      },
    };
  }

  #openOf(key: string): HeldBytes {
    let own = 0;
    let ownLarge = 0;
    return {
      hold: (bytes) => {
        const ofUser = (this.#ofUsers.get(key) ?? 0) + bytes;
        if (ofUser > MAX_USER_BYTES) throw new HttpError("too_many_at_once", { "Retry-After": "1" });
        const large = Math.max(0, own + bytes - USUAL_BYTES) - ownLarge;
        if (this.#large + large > MAX_LARGE_BYTES) throw new HttpError("too_much_at_once", { "Retry-After": "10" });
        this.#ofUsers.set(key, ofUser);
        this.#large += large;
        own += bytes;
        ownLarge += large;
      },
      free: () => {
        const ofUser = (this.#ofUsers.get(key) ?? 0) - own;
        if (ofUser > 0) this.#ofUsers.set(key, ofUser);
        else this.#ofUsers.delete(key);
        this.#large -= ownLarge;
        own = 0;
        ownLarge = 0;
      },
    };
  }
}
