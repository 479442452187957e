import * as z from "zod";
import { TowowError } from "../errors.ts";
import type { Settings } from "../home/settings.ts";
import { failureOf, type Log } from "../log.ts";
import { type Store, StoreUnreachable } from "../store/store.ts";

/** A limit of this session is used up. Params: `limit`. */
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

/** The limits that the settings set. */
export const budgetOf = ({
  budget_max_negotiations: negotiations,
  budget_max_backend_requests: backendRequests,
}: Pick<Settings, "budget_max_negotiations" | "budget_max_backend_requests">): BudgetLimits => ({
  negotiations,
  backendRequests,
});

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

  /**
   * Takes one of the negotiations before it is opened, so that calls at once never open more than the limit. What is
   * returned gives it back. @throws BudgetExceeded
   */
  async takeNegotiation({ negotiations: limit }: BudgetLimits): Promise<() => void> {
    const giveBack = () => this.#add("negotiations", -1);
    if (limit === undefined) {
      this.#add("negotiations"); // without making the submit wait, or fail
      return giveBack;
    }
    const taken = await this.#store.increment(spentName("negotiations"), 1, SESSION_MS);
    if (taken <= limit) return giveBack;
    giveBack();
    throw new BudgetExceeded("negotiations", limit);
  }

  /** An answer that cost nothing, because it was known. */
  countHit(): void {
    this.#add("hits");
  }

  /** Something was stopped until a person agrees, or for good. `tool`: what was called. */
  countBlocked(tool: string): void {
    this.#store
      .addMember("spent:blocked", tool, SESSION_MS)
      .catch((error) => this.#log.warn("budget_uncounted", { what: "blocked", error: failureOf(error) }));
  }

  #add(what: "read" | "write" | "negotiations" | "hits", by = 1): void {
    this.#store
      .increment(spentName(what), by, SESSION_MS)
      .catch((error) => this.#log.warn("budget_uncounted", { what, error: failureOf(error) }));
  }

  /** @throws BudgetExceeded before a call that a limit does not allow; the guard's own requests are never limited. */
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
   * What was used, what is left of each limit, how often an answer was known, and which tools were stopped. Undefined
   * when the store does not answer: the figures ride on a result that stands without them.
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
/** Made once: a schema costs more than what it checks. */
const COUNT = z.number();
const SPENT = ["negotiations", "read", "write", "hits"].map(spentName);

/** Null where there is no limit. */
const leftOf = (limit: number | undefined, used: number): number | null =>
  limit === undefined ? null : Math.max(0, limit - used);

/** What a session is forgotten after, in milliseconds, when nothing else ends it first. */
export const SESSION_MS = 24 * 3_600_000;
