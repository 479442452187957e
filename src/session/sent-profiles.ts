import * as z from "zod";
import { type Store, StoreUnreachable } from "../store/store.ts";

/** So long it is remembered that the answer to a registration was lost. */
const LOST_KEPT_MS = 3_600_000;

/** So long the same profile is not sent a second time, in milliseconds: a model that repeats a call means the first one. */
const KEPT_MS = 120_000;

const TRUE = z.literal(true);

type Registered = Readonly<{ sceneId: string; agentId: string }>;
const named = ({ sceneId, agentId }: Registered) => ({ lost: { sceneId, agentId } });

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
    return (await this.#store.get(this.#key(origin, profile), TRUE).catch(unlessUnreachable)) === true;
  }

  async add(origin: string, profile: object): Promise<void> {
    await this.#store.put(this.#key(origin, profile), true, KEPT_MS).catch(unlessUnreachable);
  }

  /** The answer to this registration was lost, whatever its profile. */
  async lose(origin: string, agent: Registered): Promise<void> {
    await this.#store.put(this.#key(origin, named(agent)), true, LOST_KEPT_MS).catch(unlessUnreachable);
  }

  /** A later one was answered: what is stored is known again. */
  async settle(origin: string, agent: Registered): Promise<void> {
    await this.#store.delete(this.#key(origin, named(agent))).catch(unlessUnreachable);
  }

  async isLost(origin: string, agent: Registered): Promise<boolean> {
    return (await this.#store.get(this.#key(origin, named(agent)), TRUE).catch(unlessUnreachable)) === true;
  }

  #key(origin: string, profile: object): string {
    return `sent-profile:${this.#hash(JSON.stringify([origin, profile]))}`;
  }
}

function unlessUnreachable(error: unknown): undefined {
  if (!(error instanceof StoreUnreachable)) throw error;
}
