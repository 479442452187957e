import { OutcomeUnknown } from "../backend/errors.ts";
import { HomeUnwritable } from "../config/errors.ts";
import { TowowError } from "../errors.ts";
import type { NegotiationDeps } from "./deps.ts";
import type { DecidedBy, Ending, NegotiationRecord } from "./history.ts";
import { phaseOf } from "./states.ts";

const LARGEST_MARGIN_MS = 15_000;
const RETRY_MS = 1_000;
/** Several tries must fit into the margin: one hung request must not use it up. */
const CANCEL_TIMEOUT_MS = 4_000;

/** How long before the deadline the guard acts: 5 % of the time to decide, at most 15 s. */
export const guardMarginMs = (confirmDeadlineMs: number): number =>
  Math.min(LARGEST_MARGIN_MS, Math.round(confirmDeadlineMs * 0.05));

/**
 * Withdraws what the person has not decided before the backend would broadcast it by itself (contract §6, "the
 * deadline is real"). It starts with every submit, outlives the call that made it, and ends with a decision.
 */
export class Guard {
  readonly #deps: NegotiationDeps;
  readonly #timers = new Map<string, () => void>();
  readonly #ending = new Set<string>();
  /** Called when the deadline finds a decision of somebody else. */
  onDecided: () => void = () => {};

  constructor(deps: NegotiationDeps) {
    this.#deps = deps;
  }

  /** Starts or moves the watch over one negotiation. */
  watch(record: NegotiationRecord): void {
    this.drop(record.negotiation_id);
    if (record.deadline_at === undefined) return;
    const { clock, policy } = this.#deps;
    const inMs = record.deadline_at - guardMarginMs(policy().confirmDeadlineMs) - clock.now();
    const cancelTimer = clock.after(Math.max(0, inMs), () => {
      if (policy().onUnconfirmed === "leave") return;
      this.withdraw(record.negotiation_id, "guard").catch((error) =>
        this.#deps.log.error("guard_failed", { negotiation_id: record.negotiation_id, error: String(error) }),
      );
    });
    this.#timers.set(record.negotiation_id, cancelTimer);
  }

  drop(id: string): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
  }

  isWatching(id: string): boolean {
    return this.#timers.has(id);
  }

  /** Whether a cancel is being carried out here. */
  isEnding(id: string): boolean {
    return this.#ending.has(id);
  }

  /** The negotiations that this process answers for. */
  watched(): string[] {
    return [...this.#timers.keys()];
  }

  /** Cancels one undecided negotiation; a decision that came first stands. */
  async withdraw(id: string, by: DecidedBy): Promise<void> {
    const { history, clock, owner } = this.#deps;
    this.drop(id);
    this.#ending.add(id); // from before the decision is written, so that no recovery takes it for abandoned
    try {
      const claim = history.decide(id, { kind: "withdraw", by, at: clock.now(), owner });
      const { won } = await claim.catch(async (error) => {
        if (!(error instanceof HomeUnwritable)) throw error;
        // On a full disk nobody else can decide either, and unsent the backend would broadcast.
        return { won: (await history.decision(id)) === undefined };
      });
      if (won) return await this.finishCancel(id, "withdrawn");
    } finally {
      this.#ending.delete(id);
    }
    this.onDecided(); // whoever decided may have died before the request went out
  }

  /** Goes on cancelling in the background what was decided and did not get through. */
  pursueCancel(id: string, as: Ending): void {
    this.finishCancel(id, as).catch((error) =>
      this.#deps.log.error("cancel_pursuit_failed", { negotiation_id: id, error: String(error) }),
    );
  }

  /** Carries a written decision to cancel out, until the backend has it or has moved on. */
  async finishCancel(id: string, wanted: Ending): Promise<void> {
    this.#ending.add(id);
    await this.#cancelUntilDone(id, wanted).finally(() => this.#ending.delete(id));
  }

  async #cancelUntilDone(id: string, wanted: Ending): Promise<void> {
    const { history, clock, log } = this.#deps;
    const record = await history.get(id);
    if (record === undefined || record.ended !== undefined) return;
    const giveUpAt = Math.max(clock.now(), record.deadline_at ?? 0) + 30_000;
    for (;;) {
      try {
        const done = await this.#cancelOnce(id);
        const as = done === "cancelled" ? wanted : done;
        const latest = (await history.get(id)) ?? record;
        await history.put({ ...latest, ended: { at: clock.now(), as }, notes: [...(latest.notes ?? []), as] });
        log.info("negotiation_withdrawn", { negotiation_id: id, as });
        return;
      } catch (error) {
        if (!(error instanceof TowowError) || clock.now() >= giveUpAt) throw error;
        await clock.sleep(RETRY_MS);
      }
    }
  }

  async #cancelOnce(id: string): Promise<"cancelled" | "auto_confirmed" | "gone"> {
    const backend = await this.#deps.backend();
    try {
      await backend.action(id, { action: "cancel" }, { timeoutMs: CANCEL_TIMEOUT_MS });
      return "cancelled";
    } catch (error) {
      if (!(error instanceof TowowError)) throw error;
      if (error.code === "tool.negotiation.not_found.unknown_negotiation") return "gone";
      const settled = error instanceof OutcomeUnknown || error.code === "tool.negotiation.conflict.already_completed";
      if (!settled) throw error;
      const now = await backend.getNegotiation(id);
      if (phaseOf(now.state) !== "over") throw error;
      return now.plan_output === null ? "cancelled" : "auto_confirmed";
    }
  }
}
