import type { Clock } from "../clock.ts";

/** How long a person may take, and how long a yes may wait for its call. */
const LIFETIME_MS = 10 * 60_000;

interface Pending {
  key: string;
  expiresAt: number;
  verdict?: "accept" | "reject";
}

/**
 * What a person was asked before something leaves the machine (agent layer §3): one random id per question, bound to
 * tool, arguments and what was shown; it expires, and a yes works once.
 */
export class Approvals {
  readonly #clock: Clock;
  readonly #newId: () => string;
  readonly #pending = new Map<string, Pending>();

  constructor(clock: Clock, newId: () => string) {
    this.#clock = clock;
    this.#newId = newId;
  }

  /** The id of the question about `key`; the same open question keeps its id. */
  open(key: string): string {
    const now = this.#clock.now();
    for (const [id, entry] of this.#pending) {
      if (entry.expiresAt <= now) this.#pending.delete(id);
      else if (entry.key === key && entry.verdict === undefined) return id;
    }
    const id = this.#newId();
    this.#pending.set(id, { key, expiresAt: now + LIFETIME_MS });
    return id;
  }

  isOpen(id: string): boolean {
    const entry = this.#pending.get(id);
    return entry !== undefined && entry.verdict === undefined && entry.expiresAt > this.#clock.now();
  }

  /** The person's word; the first one stands. */
  decide(id: string, verdict: "accept" | "reject"): void {
    const entry = this.#pending.get(id);
    if (entry !== undefined && this.isOpen(id)) entry.verdict = verdict;
  }

  /** The verdict about exactly this, once. Undefined while nobody has decided. */
  take(key: string): "accept" | "reject" | undefined {
    for (const [id, entry] of this.#pending) {
      if (entry.key !== key || entry.verdict === undefined) continue;
      this.#pending.delete(id);
      return entry.expiresAt > this.#clock.now() ? entry.verdict : undefined;
    }
    return undefined;
  }

  /** Waits for a verdict within the budget; what it is, `take` says. Throws the signal's reason. */
  async settled(id: string, budgetMs: number, signal: AbortSignal): Promise<void> {
    const end = this.#clock.now() + budgetMs;
    while (this.isOpen(id) && this.#clock.now() < end) await this.#clock.sleep(250, signal);
  }
}
