import type { Store } from "../store/store.ts";
import { SESSION_MS } from "./lifetime.ts";

/** What this session last showed of each negotiation, as hashes, so that `change` means what is new to it. */
export class ShownMarks {
  readonly #store: Store;
  readonly #hash: (text: string) => string;

  constructor(store: Store, hash: (text: string) => string) {
    this.#store = store;
    this.#hash = hash;
  }

  /** Whether a fingerprint is the one that was shown last, as far as is known now. */
  async lastShown(origin: string, negotiationId: string): Promise<(fingerprint: string) => boolean> {
    const mark = await this.#store.get<string>(`shown:${origin}:${negotiationId}`);
    return (fingerprint) => this.#hash(fingerprint) === mark;
  }

  async set(origin: string, negotiationId: string, fingerprint: string): Promise<void> {
    await this.#store.put(`shown:${origin}:${negotiationId}`, this.#hash(fingerprint), SESSION_MS);
  }
}
