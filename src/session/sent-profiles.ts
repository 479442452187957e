import { type Store, StoreUnreachable } from "../store/store.ts";

/** So long the same profile is not sent a second time, in milliseconds: a model that repeats a call means the first one. */
const KEPT_MS = 120_000;

/**
 * Which profiles this session has sent a moment ago, as hashes (agent layer §5). A store that does not answer costs this
 * knowledge, not the call: what was sent stands.
 */
export class SentProfiles {
  readonly #store: Store;
  readonly #hash: (text: string) => string;

  constructor(store: Store, hash: (text: string) => string) {
    this.#store = store;
    this.#hash = hash;
  }

  async has(origin: string, profile: object): Promise<boolean> {
    return (await this.#store.get<true>(this.#key(origin, profile)).catch(unlessUnreachable)) === true;
  }

  async add(origin: string, profile: object): Promise<void> {
    await this.#store.put(this.#key(origin, profile), true, KEPT_MS).catch(unlessUnreachable);
  }

  #key(origin: string, profile: object): string {
    return `sent-profile:${this.#hash(JSON.stringify([origin, profile]))}`;
  }
}

function unlessUnreachable(error: unknown): undefined {
  if (!(error instanceof StoreUnreachable)) throw error;
}
