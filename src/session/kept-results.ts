import * as z from "zod";
import { failureOf, type Log } from "../log.ts";
import { changeIn, type Store, StoreUnreachable } from "../store/store.ts";

const keptResult = z.object({
  tool: z.string(),
  /** When it was given, in ms since the epoch. */
  at: z.number(),
  /** The whole of it, where the result that was given was shortened. */
  data: z.unknown(),
  /** JSON pointers to the fields that others wrote. */
  foreign: z.array(z.string()).readonly(),
});

/** A result as a later call, or the resource `towow://cache/{cache_key}`, has it back. */
export type KeptResult = z.output<typeof keptResult>;

/** A step that comes after so long begins anew. */
export const KEPT_MS = 2 * 3_600_000;
const MAX_KEPT = 40;
/** As JSON, in UTF-16 units: what is longer is not kept. */
const MAX_KEPT_LENGTH = 1_000_000;
const INDEX = "kept";

const KEY = /^towow_[a-z_]{1,40}:[0-9a-f]{64}$/;
export const isCacheKey = (text: string): boolean => KEY.test(text);

/**
 * What the calls of one session have given, by cache key, so that a later call can name a result instead of holding it
 * (agent layer §5). A write changes nothing here: it is what was given, not what is true now. Without the store there is
 * nothing to refer to, and the call itself stands.
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

  /** The keys of what was given within two hours, newest first; one of them may be gone by the time that it is asked for. */
  async keys(): Promise<string[]> {
    return ((await this.#store.get(INDEX, z.array(z.string()))) ?? []).toReversed();
  }

  /** False where it is too long, or the store does not answer. The oldest of more than 40 goes. */
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

  /** Gives the keys that it leaves no room for. Calls that end at once all stand in the list. */
  async #noteNewest(key: string): Promise<string[]> {
    const all = (before: readonly string[] = []) => [...before.filter((other) => other !== key), key];
    const kept = { shape: z.array(z.string()), ttlMs: KEPT_MS };
    const { from } = await changeIn(this.#store, INDEX, kept, (before) => all(before).slice(-MAX_KEPT));
    return all(from).slice(0, -MAX_KEPT);
  }
}
