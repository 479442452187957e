import type { Clock } from "../clock.ts";
import { TowowError } from "../errors.ts";

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
  #negotiations = 0;
  #requests = { read: 0, write: 0 };
  readonly #blocked: string[] = [];

  countRequest(method: string): void {
    this.#requests[method === "GET" ? "read" : "write"] += 1;
  }

  countNegotiation(): void {
    this.#negotiations += 1;
  }

  /** @throws BudgetExceeded before a call that a limit does not allow; the guard's own requests are never limited. */
  check(tool: string, startsNegotiation: boolean, limits: BudgetLimits): void {
    const { read, write } = this.#requests;
    const exceeded =
      limits.backendRequests !== undefined && read + write >= limits.backendRequests
        ? new BudgetExceeded("backend_requests", limits.backendRequests)
        : startsNegotiation && limits.negotiations !== undefined && this.#negotiations >= limits.negotiations
          ? new BudgetExceeded("negotiations", limits.negotiations)
          : undefined;
    if (exceeded === undefined) return;
    this.#blocked.push(tool);
    throw exceeded;
  }

  snapshot() {
    return { negotiations: this.#negotiations, ...this.#requests, blocked_actions: [...this.#blocked] };
  }
}

/** Answers of read tools, kept for a short time within one session. Errors are never kept. */
export class ResultCache {
  readonly #clock: Clock;
  readonly #hash: (text: string) => string;
  readonly #entries = new Map<string, { until: number; value: unknown }>();

  constructor(clock: Clock, hash: (text: string) => string) {
    this.#clock = clock;
    this.#hash = hash;
  }

  /** The same tool with the same arguments, whatever their order. */
  key(tool: string, args: unknown): string {
    return `${tool}:${this.#hash(JSON.stringify(sorted(args)))}`;
  }

  get<T>(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined || entry.until <= this.#clock.now()) return undefined;
    return structuredClone(entry.value) as T;
  }

  put(key: string, value: unknown, ttlMs: number): void {
    if (ttlMs > 0) this.#entries.set(key, { until: this.#clock.now() + ttlMs, value: structuredClone(value) });
  }

  /** After a write: what was read before may be stale. */
  clear(): void {
    this.#entries.clear();
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).filter(([key]) => key !== "fresh");
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([k, v]) => [k, sorted(v)]));
}
