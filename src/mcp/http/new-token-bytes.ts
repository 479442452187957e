import { Refusal } from "./refusals.ts";

/** What messages with tokens that the backend has not accepted yet may take in memory here, all together. */
const LARGEST_BYTES = 32 * 1024 * 1024;

/** One request's part of it. */
export interface HeldBytes {
  /** @throws Refusal `too_many_new_tokens` */
  hold(bytes: number): void;
  free(): void;
}

export class NewTokenBytes {
  #held = 0;

  open(): HeldBytes {
    let own = 0;
    return {
      hold: (bytes) => {
        if (this.#held + bytes > LARGEST_BYTES) throw new Refusal("too_many_new_tokens", { "Retry-After": "10" });
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
