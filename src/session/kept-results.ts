import * as z from "zod";
import { failureOf, type Log } from "../log.ts";
import { changeIn, type Store, StoreUnreachable } from "../store/store.ts";

const keptResult = z.object({
  tool: z.string(),
  /** The time at which the result was given, in milliseconds since the epoch. */
  at: z.number(),
  /** The whole result, even if a shortened one was given. */
  data: z.unknown(),
  /** JSON pointers to the fields that others wrote. */
  foreign: z.array(z.string()).readonly(),
});

/** The form in which a later call, or the resource `towow://cache/{cache_key}`, gets a result back. */
export type KeptResult = z.output<typeof keptResult>;

/** How long results are kept, in milliseconds. A later call has to get its result anew. */
export const KEPT_MS = 2 * 3_600_000;
const MAX_KEPT = 40;
/** A result whose JSON is longer than this, in UTF-16 units, is not kept. */
const MAX_KEPT_LENGTH = 1_000_000;
const INDEX = "kept";

const KEY = /^towow_[a-z_]{1,40}:[0-9a-f]{64}$/;
export const isCacheKey = (text: string): boolean => KEY.test(text);

/**
 * Keeps the results of one session's calls by cache key, so that a later call can name a result instead of repeating it
 * (agent layer §5). A write at the backend does not change kept results, because a kept result shows what was given and
 * not what is true now. Without the store a call still succeeds, and only references fail.
 */
export class KeptResults {
  readonly #store: Store;
  readonly #log: Log;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  get(key: string): Promise<KeptResult | undefined> {
    return this.#store.get(`${INDEX}:${key}`, keptResult);
  }

  /**
   * Lists the keys of results that were given within two hours, newest first. A result may be gone by the time it is
   * read.
   */
  async keys(): Promise<string[]> {
    return ((await this.#store.get(INDEX, z.array(z.string()))) ?? []).toReversed();
  }

  /**
   * Keeps a result. Returns false if the result is too long or the store does not answer. Beyond 40 results the oldest
   * is dropped.
   */
  async put(key: string, result: KeptResult): Promise<boolean> {
    if (JSON.stringify(result.data).length > MAX_KEPT_LENGTH) return false;
    try {
      await this.#store.put(`${INDEX}:${key}`, result, KEPT_MS);
      const oldest = await this.#noteNewest(key);
      await Promise.all(oldest.map((other) => this.#store.delete(`${INDEX}:${other}`)));
      return true;
    } catch (error) {
      if (!(error instanceof StoreUnreachable)) throw error;
      this.#log.warn("result_not_kept", { error: failureOf(error) });
      return false;
    }
  }

  /**
   * Adds a key to the list, and returns the keys that no longer fit. Calls that end at the same time all get into the
   * list.
   */
  async #noteNewest(key: string): Promise<string[]> {
    const all = (before: readonly string[] = []) => [...before.filter((other) => other !== key), key];
    const kept = { shape: z.array(z.string()), ttlMs: KEPT_MS };
    const { from } = await changeIn(this.#store, INDEX, kept, (before) => all(before).slice(-MAX_KEPT));
    return all(from).slice(0, -MAX_KEPT);
  }
}
