import * as z from "zod";
import type { Log } from "../log.ts";
import { rememberedSha256 } from "../sha256.ts";
import { type Store, StoreUnreachable } from "../store/store.ts";
import { SESSION_TTL_MS } from "./ledger.ts";

export interface CachePlace<T> {
  kept: T | undefined;
  keep(value: T, ttlMs: number): Promise<void>;
}

/**
 * Caches answers of read tools for a short time within one session. Errors are never cached. If the store does not
 * answer, nothing is cached, but the call succeeds.
 */
export class ResultCache {
  readonly #store: Store;
  readonly #log: Log;
  /**
   * The last key, because one call asks for its key several times. A long text is not kept in this field, because a
   * client may send a text of any length.
   */
  #last: { text: string; hash: string } | undefined;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /**
   * Returns a key that is the same for the same tool, arguments and backend. The order of the arguments and `fresh` do
   * not matter.
   */
  key(tool: string, args: unknown, origin: string): string {
    const text = JSON.stringify([origin, sorted(args)]);
    if (text.length > MAX_KEPT_LENGTH) return `${tool}:${rememberedSha256(text)}`;
    if (this.#last?.text !== text) this.#last = { text, hash: rememberedSha256(text) };
    return `${tool}:${this.#last.hash}`;
  }

  /**
   * Returns what is cached under a key, and a function that caches its next answer. If a write comes between the
   * request and its answer, the answer is stored under a key that is no longer read.
   */
  async at<T>(key: string, shape: z.ZodType<T>): Promise<CachePlace<T>> {
    const place = await this.#tolerant(async () => {
      const age = (await this.#store.get("cache:age", AGE)) ?? 0;
      const at = `cache:${age}:${key}`;
      return { at, kept: await this.#store.get(at, shape) };
    });
    return {
      kept: place?.kept,
      keep: async (value, ttlMs) => {
        if (place !== undefined && ttlMs > 0) await this.#tolerant(() => this.#store.put(place.at, value, ttlMs));
      },
    };
  }

  /** Clears the cache after a write, even a failed one, because what was read before may be stale. */
  async clear(): Promise<void> {
    await this.#tolerant(() => this.#store.increment("cache:age", 1, SESSION_TTL_MS));
  }

  async #tolerant<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreUnreachable)) throw error;
      this.#log.warn("cache_unreachable");
      return undefined;
    }
  }
}

const MAX_KEPT_LENGTH = 1_000;
const AGE = z.number();

/** Deeper arguments are ignored. No tool takes such arguments, but a client may send them. */
const MAX_DEPTH = 40;

function sorted(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([key]) => key !== "fresh");
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v, depth + 1)]));
}
