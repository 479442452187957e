import { failureOf, type Log } from "../log.ts";
import { type Store, StoreUnreachable } from "../store/store.ts";

/** A result as a later call, or the resource `towow://cache/{cache_key}`, has it back. */
export interface KeptResult {
  tool: string;
  /** When it was given, in ms since the epoch. */
  at: number;
  /** The whole of it, where the result that was given was shortened. */
  data: unknown;
  /** JSON pointers to the fields that others wrote. */
  foreign: readonly string[];
}

/** A step that comes after so long begins anew. */
export const KEPT_MS = 2 * 3_600_000;
const MAX_KEPT = 40;
/** As JSON, in UTF-16 units: what is longer is not kept. */
const MAX_KEPT_LENGTH = 1_000_000;
const INDEX = "kept";

const KEY = /^towow_[a-z_]{1,40}:[0-9a-f]{64}$/;
/** Whether a text has the form of a cache key. */
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
    return this.#store.get<KeptResult>(`${INDEX}:${key}`);
  }

  /** The keys of what was given within two hours, newest first; one of them may be gone by the time that it is asked for. */
  async keys(): Promise<string[]> {
    return ((await this.#store.get<string[]>(INDEX)) ?? []).toReversed();
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

  /** Gives the keys that it leaves no room for. Calls that end at once all stand in the list: one of them always gets on. */
  async #noteNewest(key: string): Promise<string[]> {
    for (;;) {
      const before = await this.#store.get<string[]>(INDEX);
      const keys = [...(before ?? []).filter((other) => other !== key), key];
      const left = keys.slice(-MAX_KEPT);
      const isWritten =
        before === undefined
          ? (await this.#store.create(INDEX, left, KEPT_MS)).created
          : await this.#store.replace(INDEX, before, left, KEPT_MS);
      if (isWritten) return keys.slice(0, -MAX_KEPT);
    }
  }
}
