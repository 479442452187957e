import { TowowError } from "../errors.ts";
import { failureOf, type Log } from "../log.ts";
import { type Store, StoreUnreachable } from "../store/store.ts";

/** What a session is forgotten after, in milliseconds, when nothing else ends it first. */
const SESSION_MS = 24 * 3_600_000;

/** A limit of this session is used up. Params: `limit`, `used`. */
export class BudgetExceeded extends TowowError {
  readonly code: string;
  constructor(what: "negotiations" | "backend_requests", limit: number) {
    super({ limit });
    this.code = `tool.budget.blocked.${what}`;
  }
}

export interface BudgetLimits {
  negotiations?: number | undefined;
  backendRequests?: number | undefined;
}

/** What this session has cost (agent layer §5). Cached answers cost nothing. */
export class Ledger {
  readonly #store: Store;
  readonly #log: Log;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Counts without making the request wait. */
  countRequest(method: string): void {
    this.#add(method === "GET" ? "read" : "write");
  }

  countNegotiation(): void {
    this.#add("negotiations");
  }

  #add(what: "read" | "write" | "negotiations"): void {
    this.#store
      .increment(`spent:${what}`, 1, SESSION_MS)
      .catch((error) => this.#log.warn("budget_uncounted", { what, error: failureOf(error) }));
  }

  /** @throws BudgetExceeded before a call that a limit does not allow; the guard's own requests are never limited. */
  async check(tool: string, startsNegotiation: boolean, limits: BudgetLimits): Promise<void> {
    if (limits.negotiations === undefined && limits.backendRequests === undefined) return;
    const { read, write, negotiations } = await this.#spent();
    const exceeded =
      limits.backendRequests !== undefined && read + write >= limits.backendRequests
        ? new BudgetExceeded("backend_requests", limits.backendRequests)
        : startsNegotiation && limits.negotiations !== undefined && negotiations >= limits.negotiations
          ? new BudgetExceeded("negotiations", limits.negotiations)
          : undefined;
    if (exceeded === undefined) return;
    await this.#store.addMember("spent:blocked", tool, SESSION_MS);
    throw exceeded;
  }

  /** Undefined when the store does not answer: the figures ride on a result that stands without them. */
  async snapshot() {
    try {
      const [spent, blocked] = await Promise.all([this.#spent(), this.#store.members("spent:blocked")]);
      return { ...spent, blocked_actions: blocked };
    } catch (error) {
      if (!(error instanceof StoreUnreachable)) throw error;
      return undefined;
    }
  }

  async #spent() {
    const of = async (what: string) => (await this.#store.get<number>(`spent:${what}`)) ?? 0;
    const [negotiations, read, write] = await Promise.all([of("negotiations"), of("read"), of("write")]);
    return { negotiations, read, write };
  }
}

/**
 * Answers of read tools, kept for a short time within one session. Errors are never kept. A store that does not answer
 * costs the cache, not the call: what a tool has done stands.
 */
export class ResultCache {
  readonly #store: Store;
  readonly #hash: (text: string) => string;
  readonly #log: Log;

  constructor(store: Store, hash: (text: string) => string, log: Log) {
    this.#store = store;
    this.#hash = hash;
    this.#log = log;
  }

  /** The same tool with the same arguments, whatever their order, at the same backend. */
  key(tool: string, args: unknown, origin: string): string {
    return `${tool}:${this.#hash(JSON.stringify([origin, sorted(args)]))}`;
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

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([key]) => key !== "fresh");
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v)]));
}
