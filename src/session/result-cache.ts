import type { Log } from "../log.ts";
import { type Store, StoreUnreachable } from "../store/store.ts";
import { SESSION_MS } from "./lifetime.ts";

/**
 * Answers of read tools, kept for a short time within one session. Errors are never kept. A store that does not answer
 * costs the cache, not the call: what a tool has done stands.
 */
export class ResultCache {
  readonly #store: Store;
  readonly #hash: (text: string) => string;
  readonly #log: Log;
  /** One call asks for its key three times. What is long is not kept: anybody may send it. */
  #last: { text: string; hash: string } | undefined;

  constructor(store: Store, hash: (text: string) => string, log: Log) {
    this.#store = store;
    this.#hash = hash;
    this.#log = log;
  }

  /** The same tool with the same arguments, whatever their order and whatever `fresh` says, at the same backend. */
  key(tool: string, args: unknown, origin: string): string {
    const text = JSON.stringify([origin, sorted(args)]);
    if (text.length > MAX_KEPT_LENGTH) return `${tool}:${this.#hash(text)}`;
    if (this.#last?.text !== text) this.#last = { text, hash: this.#hash(text) };
    return `${tool}:${this.#last.hash}`;
  }

  get<T>(key: string): Promise<T | undefined> {
    return this.#tolerant(async () => this.#store.get<T>(await this.#at(key)));
  }

  async put(key: string, value: unknown, ttlMs: number): Promise<void> {
    if (ttlMs > 0) await this.#tolerant(async () => this.#store.put(await this.#at(key), value, ttlMs));
  }

  /** After a write: what was read before may be stale. */
  async clear(): Promise<void> {
    await this.#tolerant(() => this.#store.increment("cache:age", 1, SESSION_MS));
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

  /** What was kept before the last write is out of reach, and goes by its lifetime. */
  async #at(key: string): Promise<string> {
    return `cache:${(await this.#store.get<number>("cache:age")) ?? 0}:${key}`;
  }
}

const MAX_KEPT_LENGTH = 1_000;

/** No tool takes arguments that are nested deeper; what a client sends may be. */
const MAX_DEPTH = 40;

function sorted(value: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([key]) => key !== "fresh");
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v, depth + 1)]));
}
