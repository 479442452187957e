import { OutcomeUnknown } from "../backend/errors.ts";
import { TowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import { type Deadlines, isDated } from "./deadlines.ts";
import type { NegotiationDeps } from "./deps.ts";
import { writeEnd } from "./ending.ts";
import type { Decision, Ending, NegotiationRecord } from "./history.ts";
import { shareOfMargin } from "./margin.ts";
import type { Missing } from "./missing.ts";
import { hasMovedOn, phaseOf } from "./states.ts";

const RETRY_MS = 1_000;
const TIMEOUT_MS = 4_000;
const GONE_RETRY_MS = 2_000;
/** The backend's clock is not ours. */
const AFTER_DEADLINE_MS = 30_000;

/** Carries out decisions to cancel, until the backend has them or has moved on. */
export class Cancellations {
  readonly #deps: NegotiationDeps;
  readonly #deadlines: Deadlines;
  readonly #missing: Missing;
  readonly #running = new Set<string>();

  constructor(deps: NegotiationDeps, deadlines: Deadlines, missing: Missing) {
    this.#deps = deps;
    this.#deadlines = deadlines;
    this.#missing = missing;
  }

  /** Whether one is decided or carried out here. */
  isRunning(id: string): boolean {
    return this.#running.has(id);
  }

  /** Holds an id for work that may lead to its cancel, so that no recovery takes the decision for abandoned. */
  async during<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#running.add(id);
    try {
      return await work();
    } finally {
      this.#running.delete(id);
    }
  }

  /** Goes on cancelling in the background what was decided and did not get through. */
  pursue(record: NegotiationRecord, as: Ending): void {
    this.finish(record, as).catch((error) =>
      this.#deps.log.error("cancel_pursuit_failed", { negotiation_id: record.negotiation_id, error: failureOf(error) }),
    );
  }

  /**
   * Carries a decision to cancel out, until the backend has it or has moved on. A decision that could not be written is
   * handed in as `unwritten`: then only what the backend still holds back is cancelled.
   */
  async finish(record: NegotiationRecord, wanted: Ending, unwritten?: Decision): Promise<void> {
    await this.during(record.negotiation_id, () => this.#cancelUntilDone(record, wanted, unwritten));
  }

  async #cancelUntilDone(record: NegotiationRecord, wanted: Ending, unwritten: Decision | undefined): Promise<void> {
    const { history, clock, log } = this.#deps;
    const id = record.negotiation_id;
    const stored = unwritten ? record : await history.get(id).catch(() => record);
    if (stored?.ended !== undefined) return;
    // A history that has lost the record may have lost the decision of somebody else as well.
    const mayBeDecided = unwritten !== undefined || stored === undefined;
    const leftMs = isDated(record) ? this.#deadlines.leftAtMostMs(record) : 0;
    const deadline = clock.monotonic() + Math.max(0, leftMs);
    for (;;) {
      try {
        if (mayBeDecided && (await this.#hasMoved(id))) return log.warn("guard_found_moved", { negotiation_id: id });
        const done = await this.#cancelOnce(id);
        if (done === "gone" && !this.#missing.isGone(record)) {
          await clock.sleep(this.#share(GONE_RETRY_MS));
          continue;
        }
        this.#missing.found(id); // or gone for good: nothing to remember either way
        const as = done === "cancelled" ? wanted : done;
        await writeEnd(this.#deps, record, as, { owed: true, ...(unwritten && { decision: unwritten }) });
        return log.info("negotiation_withdrawn", { negotiation_id: id, as });
      } catch (error) {
        if (!(error instanceof TowowError) || clock.monotonic() >= deadline + AFTER_DEADLINE_MS) throw error;
        await clock.sleep(this.#share(RETRY_MS));
      }
    }
  }

  async #hasMoved(id: string): Promise<boolean> {
    const { state } = await (await this.#deps.backend()).getNegotiation(id, this.#bounds());
    return hasMovedOn(state);
  }

  async #cancelOnce(id: string): Promise<"cancelled" | "auto_confirmed" | "gone"> {
    const backend = await this.#deps.backend();
    try {
      await backend.action(id, { action: "cancel" }, this.#bounds());
      return "cancelled";
    } catch (error) {
      if (!(error instanceof TowowError)) throw error;
      if (error.code === "tool.negotiation.not_found.unknown_negotiation") return "gone";
      const settled = error instanceof OutcomeUnknown || error.code === "tool.negotiation.conflict.already_completed";
      if (!settled) throw error;
      const now = await backend.getNegotiation(id, this.#bounds());
      if (phaseOf(now.state) !== "over") throw error;
      return now.plan_output === null ? "cancelled" : "auto_confirmed";
    }
  }

  /** For reads as well: the guard waits for them in its margin. */
  #bounds(): { timeoutMs: number } {
    return { timeoutMs: this.#share(TIMEOUT_MS) };
  }

  #share(ms: number): number {
    return shareOfMargin(this.#deps.policy().confirmDeadlineMs, ms);
  }
}
