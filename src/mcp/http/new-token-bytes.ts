import { HttpError } from "./http-error.ts";

/** What messages with tokens that the backend has not accepted yet may take in memory here, all together. */
const MAX_BYTES = 32 * 1024 * 1024;

/** One request's part of it. */
export interface HeldBytes {
  /** @throws HttpError `too_many_new_tokens` */
  hold(bytes: number): void;
  free(): void;
}

export class NewTokenBytes {
  #held = 0;

  open(): HeldBytes {
    let own = 0;
    return {
      hold: (bytes) => {
        if (this.#held + bytes > MAX_BYTES) throw new HttpError("too_many_new_tokens", { "Retry-After": "10" });
        this.#held += bytes;
        own += bytes;
      },
      free: () => {
        this.#held -= own;
        own = 0;
      },
    };
  }
}
