import { TowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import type { Cancellations } from "./cancellations.ts";
import { confirmWhileFormulated } from "./confirm-request.ts";
import { type DatedRecord, type Deadlines, isDated } from "./deadlines.ts";
import type { NegotiationDeps } from "./deps.ts";
import { writeEnd } from "./ending.ts";
import type { Decision, NegotiationRecord } from "./history.ts";
import { guardMarginMs } from "./margin.ts";
import { formulatedText, hasMovedOn } from "./states.ts";

const ROUND_MS = 5_000;

/**
 * A confirm that has shown no effect is sent again, the same text, until it has one: unsent, the backend would
 * broadcast its own text at the deadline. When time runs out the demand is withdrawn instead.
 */
export class Pursuit {
  readonly #deps: NegotiationDeps;
  readonly #cancellations: Cancellations;
  readonly #deadlines: Deadlines;
  readonly #pursued = new Map<string, NegotiationRecord>();

  constructor(deps: NegotiationDeps, cancellations: Cancellations, deadlines: Deadlines) {
    this.#deps = deps;
    this.#deadlines = deadlines;
    this.#cancellations = cancellations;
  }

  get isRunning(): boolean {
    return this.#pursued.size > 0;
  }

  /** Whether it goes on for this one. */
  isAfter(id: string): boolean {
    return this.#pursued.has(id);
  }

  /** At the end of the program: withdraws what is still pursued. */
  async abandon(): Promise<void> {
    await Promise.allSettled(
      [...this.#pursued.values()].map((record) => this.#cancellations.finish(record, "withdrawn")),
    );
  }

  /** Begins after a pause, in the background. `alone` runs it while nothing else is decided about the negotiation. */
  start(
    record: NegotiationRecord,
    { by }: Decision,
    text: string,
    alone: (work: () => Promise<void>) => Promise<void>,
  ): void {
    const { clock, log } = this.#deps;
    const id = record.negotiation_id;
    log.warn("confirm_pursued", { negotiation_id: id, decided_by: by });
    if (!isDated(record)) return; // not submitted here: no deadline is known, nothing is ours to withdraw
    this.#pursued.set(id, record);
    clock
      .sleep(ROUND_MS)
      .then(() => alone(() => this.#untilDone(record, text)))
      .catch((error) => log.error("confirm_pursuit_failed", { negotiation_id: id, error: failureOf(error) }))
      .finally(() => this.#pursued.delete(id));
  }

  async #untilDone(record: DatedRecord, text: string): Promise<void> {
    const { clock } = this.#deps;
    for (; !this.#isLate(record); await clock.sleep(ROUND_MS)) {
      const outcome = await this.#round(record, text).catch((error) => {
        if (error instanceof TowowError) return "again" as const;
        throw error;
      });
      if (outcome === "confirmed") return writeEnd(this.#deps, record, "confirmed");
      if (outcome === "too_late") break;
    }
    this.#cancellations.pursue(record, "withdrawn");
  }

  #isLate(record: DatedRecord): boolean {
    return this.#deadlines.leftMs(record) <= guardMarginMs(this.#deps.policy().confirmDeadlineMs);
  }

  async #round(record: DatedRecord, text: string): Promise<"confirmed" | "too_late"> {
    const { hash } = this.#deps;
    const id = record.negotiation_id;
    const seen = await (await this.#deps.backend()).getNegotiation(id);
    if (hasMovedOn(seen.state)) return "confirmed";
    if (this.#isLate(record)) return "too_late";
    // Another text by now: nobody has agreed to that one, nor to replacing it.
    if (hash(formulatedText(seen)) !== record.confirmation?.formulated_hash) return "too_late";
    await confirmWhileFormulated(this.#deps, id, text);
    return "confirmed";
  }
}
