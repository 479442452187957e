import * as z from "zod";
import { TowowError } from "../errors.ts";
import type { Settings } from "../home/settings.ts";
import { failureOf, type Log } from "../log.ts";
import { type Store, StoreUnreachable } from "../store/store.ts";

/** A limit of this session is used up. The param is `limit`. */
class BudgetExceeded extends TowowError {
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

/** Returns the limits that the settings set. */
export const budgetOf = ({
  budget_max_negotiations: negotiations,
  budget_max_backend_requests: backendRequests,
}: Pick<Settings, "budget_max_negotiations" | "budget_max_backend_requests">): BudgetLimits => ({
  negotiations,
  backendRequests,
});

/** Counts what this session has cost (agent layer §5). Cached answers cost nothing. */
export class Ledger {
  readonly #store: Store;
  readonly #log: Log;

  constructor(store: Store, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Counts a request, without making it wait. */
  countRequest(method: string): void {
    this.#add(method === "GET" ? "read" : "write");
  }

  /**
   * Counts a negotiation before it is opened, so that simultaneous calls never open more than the limit. The returned
   * function takes the count back. @throws BudgetExceeded
   */
  async takeNegotiation({ negotiations: limit }: BudgetLimits): Promise<() => void> {
    const giveBack = () => this.#add("negotiations", -1);
    if (limit === undefined) {
      this.#add("negotiations"); // The submit neither waits for the count nor fails with it.
      return giveBack;
    }
    const taken = await this.#store.increment(spentName("negotiations"), 1, SESSION_TTL_MS);
    if (taken <= limit) return giveBack;
    giveBack();
    throw new BudgetExceeded("negotiations", limit);
  }

  /** Counts an answer that cost nothing because it was cached. */
  countHit(): void {
    this.#add("hits");
  }

  /** Counts a call of `tool` that was stopped, either until a person agrees or for good. */
  countBlocked(tool: string): void {
    this.#store
      .addMember("spent:blocked", tool, SESSION_TTL_MS)
      .catch((error) => this.#log.warn("budget_uncounted", { what: "blocked", error: failureOf(error) }));
  }

  #add(what: "read" | "write" | "negotiations" | "hits", by = 1): void {
    this.#store
      .increment(spentName(what), by, SESSION_TTL_MS)
      .catch((error) => this.#log.warn("budget_uncounted", { what, error: failureOf(error) }));
  }

  /**
   * Checks the limits before a call. What the program must send for a negotiation by itself is never limited. @throws
   * BudgetExceeded
   */
  async check(startsNegotiation: boolean, limits: BudgetLimits): Promise<void> {
    if (limits.negotiations === undefined && limits.backendRequests === undefined) return;
    const { read, write, negotiations } = await this.#spent();
    const exceeded =
      limits.backendRequests !== undefined && read + write >= limits.backendRequests
        ? new BudgetExceeded("backend_requests", limits.backendRequests)
        : startsNegotiation && limits.negotiations !== undefined && negotiations >= limits.negotiations
          ? new BudgetExceeded("negotiations", limits.negotiations)
          : undefined;
    if (exceeded !== undefined) throw exceeded;
  }

  /**
   * Returns what was used, what is left of each limit, how often an answer was cached, and which tools were stopped.
   * Returns undefined if the store does not answer, and the result is then given without these figures.
   */
  async snapshot(limits: BudgetLimits) {
    try {
      const [{ hits, ...spent }, blocked] = await Promise.all([this.#spent(), this.#store.members("spent:blocked")]);
      const { negotiations, read, write } = spent;
      return {
        ...spent,
        left: {
          negotiations: leftOf(limits.negotiations, negotiations),
          backend_requests: leftOf(limits.backendRequests, read + write),
        },
        cache_hits: hits,
        blocked_actions: blocked,
      };
    } catch (error) {
      if (!(error instanceof StoreUnreachable)) throw error;
      return undefined;
    }
  }

  async #spent() {
    const [negotiations = 0, read = 0, write = 0, hits = 0] = await this.#store.getMany(SPENT, COUNT);
    return { negotiations, read, write, hits };
  }
}

const spentName = (what: string): string => `spent:${what}`;
/** The schema is made once, because making it costs more than a check. */
const COUNT = z.number();
const SPENT = ["negotiations", "read", "write", "hits"].map(spentName);

/** Returns what is left of a limit, or null if there is none. */
const leftOf = (limit: number | undefined, used: number): number | null =>
  limit === undefined ? null : Math.max(0, limit - used);

/** How long a session is remembered, in milliseconds, unless something else ends the session first. */
export const SESSION_TTL_MS = 24 * 3_600_000;
