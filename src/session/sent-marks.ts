import * as z from "zod";
import { rememberedSha256 } from "../sha256.ts";
import { type Store, StoreUnreachable } from "../store/store.ts";
import { SESSION_TTL_MS } from "./ledger.ts";

/** Fingerprints of a result's parts, by the name of the part. */
export type Parts = Readonly<Record<string, string>>;

const parts = z.record(z.string(), z.string());

/**
 * Remembers by hash what this session last sent of each negotiation, so that `change` means a change that is new to
 * the session. If the store does not answer, only this knowledge is lost.
 */
export class SentResults {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Returns a function that checks whether a fingerprint is the one that was sent last. */
  async lastSent(origin: string, negotiationId: string): Promise<(fingerprint: string) => boolean> {
    const mark = await this.#store.get(`shown:${origin}:${negotiationId}`, z.string());
    return (fingerprint) => rememberedSha256(fingerprint) === mark;
  }

  async set(origin: string, negotiationId: string, fingerprint: string): Promise<void> {
    const mark = rememberedSha256(fingerprint);
    await this.#store.put(`shown:${origin}:${negotiationId}`, mark, SESSION_TTL_MS).catch(unlessUnreachable);
  }

  /**
   * Returns the fingerprints of the latest parts that were given, or undefined if this session never had the whole
   * result.
   */
  parts(origin: string, negotiationId: string): Promise<Parts | undefined> {
    return this.#store.get<Parts>(`parts:${origin}:${negotiationId}`, parts).catch(unlessUnreachable);
  }

  async setParts(origin: string, negotiationId: string, parts: Parts): Promise<void> {
    await this.#store.put(`parts:${origin}:${negotiationId}`, parts, SESSION_TTL_MS);
  }

  /**
   * Returns a short hash of a value. Hundreds of these hashes are kept for one negotiation, so they are short. If two
   * values share a hash, one change is missed.
   */
  mark(value: unknown): string {
    return rememberedSha256(JSON.stringify(value) ?? "").slice(0, 16);
  }
}

/** How long the loss of an answer to a registration is remembered, in milliseconds. */
const LOST_KEPT_MS = 3_600_000;

/**
 * The same profile is not sent again within this time, in milliseconds, because a model that repeats a call means the
 * first one.
 */
const KEPT_MS = 120_000;

const TRUE = z.literal(true);

type Registered = Readonly<{ sceneId: string; agentId: string }>;
const named = ({ sceneId, agentId }: Registered) => ({ lost: { sceneId, agentId } });

/**
 * Remembers by hash which profiles this session has just sent (agent layer §5). If the store does not answer, only
 * this knowledge is lost.
 */
export class SentProfiles {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async has(origin: string, profile: object): Promise<boolean> {
    return (await this.#store.get(this.#key(origin, profile), TRUE).catch(unlessUnreachable)) === true;
  }

  async add(origin: string, profile: object): Promise<void> {
    await this.#store.put(this.#key(origin, profile), true, KEPT_MS).catch(unlessUnreachable);
  }

  /** Notes that the answer to this registration was lost, whatever its profile was. */
  async lose(origin: string, agent: Registered): Promise<void> {
    await this.#store.put(this.#key(origin, named(agent)), true, LOST_KEPT_MS).catch(unlessUnreachable);
  }

  /** Notes that a later registration was answered, so that the stored profile is known again. */
  async settle(origin: string, agent: Registered): Promise<void> {
    await this.#store.delete(this.#key(origin, named(agent))).catch(unlessUnreachable);
  }

  async isLost(origin: string, agent: Registered): Promise<boolean> {
    return (await this.#store.get(this.#key(origin, named(agent)), TRUE).catch(unlessUnreachable)) === true;
  }

  #key(origin: string, profile: object): string {
    return `sent-profile:${rememberedSha256(JSON.stringify([origin, profile]))}`;
  }
}

function unlessUnreachable(error: unknown): undefined {
  if (!(error instanceof StoreUnreachable)) throw error;
}
