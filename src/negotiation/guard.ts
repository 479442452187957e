import { OutcomeUnknown } from "../backend/errors.ts";
import { HomeUnwritable } from "../config/errors.ts";
import { TowowError } from "../errors.ts";
import type { NegotiationDeps } from "./deps.ts";
import { writeEnd } from "./ending.ts";
import type { DecidedBy, Decision, Ending, NegotiationRecord } from "./history.ts";
import { phaseOf } from "./states.ts";

const LARGEST_MARGIN_MS = 15_000;
const RETRY_MS = 1_000;
const CANCEL_TIMEOUT_MS = 4_000;
/** Timers stand still while a machine sleeps: after it the clock is looked at within this. */
const LOOK_MS = 5_000;

/**
 * How long before the deadline the guard acts: 15 s, at most a quarter of the time to decide. A slow network and a
 * machine under load cost the same seconds whatever the deadline, so a short one gets a larger share.
 */
export const guardMarginMs = (confirmDeadlineMs: number): number =>
  Math.min(LARGEST_MARGIN_MS, Math.round(confirmDeadlineMs / 4));

interface Watched {
  record: NegotiationRecord;
  cancelTimer: () => void;
}

/**
 * Withdraws what the person has not decided before the backend would broadcast it by itself (contract §6, "the
 * deadline is real"). It starts with every submit, outlives the call that made it, and ends with a decision.
 */
export class Guard {
  readonly #deps: NegotiationDeps;
  readonly #watched = new Map<string, Watched>();
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
    const { clock } = this.#deps;
    const actAt = record.deadline_at - this.#marginMs();
    const watched: Watched = { record, cancelTimer: () => {} };
    this.#watched.set(record.negotiation_id, watched);
    // By the timers or by the clock, whichever is first: the one may have slept, the other may have been set back.
    const arm = (leftMs: number): void => {
      const sliceMs = Math.min(leftMs, this.#share(LOOK_MS));
      watched.cancelTimer = clock.after(Math.max(0, sliceMs), () => {
        const nowLeftMs = Math.min(leftMs - sliceMs, actAt - clock.now());
        if (nowLeftMs > 0) arm(nowLeftMs);
        else this.#act(record);
      });
    };
    arm(actAt - clock.now());
  }

  #act({ negotiation_id: id }: NegotiationRecord): void {
    if (this.#deps.policy().onUnconfirmed === "leave") return;
    this.withdraw(id, "guard").catch((error) =>
      this.#deps.log.error("guard_failed", { negotiation_id: id, error: String(error) }),
    );
  }

  #marginMs(): number {
    return guardMarginMs(this.#deps.policy().confirmDeadlineMs);
  }

  /** Several tries must fit into the margin: one hung request must not use it up. */
  #share(ms: number): number {
    return Math.min(ms, this.#marginMs() / 3);
  }

  drop(id: string): void {
    this.#watched.get(id)?.cancelTimer();
    this.#watched.delete(id);
  }

  isWatching(id: string): boolean {
    return this.#watched.has(id);
  }

  /** Whether a cancel is being carried out here. */
  isEnding(id: string): boolean {
    return this.#ending.has(id);
  }

  /** The negotiations that this process answers for. */
  watched(): string[] {
    return [...this.#watched.keys()];
  }

  /** Cancels one undecided negotiation that is watched here; a decision that came first stands. */
  async withdraw(id: string, by: DecidedBy): Promise<void> {
    const { clock, owner } = this.#deps;
    const record = this.#watched.get(id)?.record;
    if (record === undefined) return;
    this.drop(id);
    this.#ending.add(id); // from before the decision is written, so that no recovery takes it for abandoned
    const decision: Decision = { kind: "withdraw", by, at: clock.now(), owner };
    try {
      const claimed = await this.#claim(record, decision);
      if (claimed === "mine") return await this.finishCancel(record, "withdrawn");
      if (claimed === "unknown") return await this.finishCancel(record, "withdrawn", decision);
    } finally {
      this.#ending.delete(id);
    }
    this.onDecided(); // whoever decided may have died before the request went out
  }

  /**
   * Writes the decision to withdraw. While the history does not answer, nobody can tell whether somebody has decided,
   * so it is asked again until a third of the margin is left: then the backend alone must tell.
   */
  async #claim(record: NegotiationRecord, wanted: Decision): Promise<"mine" | "others" | "unknown"> {
    const { history, clock, log } = this.#deps;
    const { negotiation_id: id, deadline_at = 0 } = record;
    const marginMs = this.#marginMs();
    for (;;) {
      try {
        const { won, decision } = await history.decide(id, wanted);
        // The answer to an earlier try may have been lost.
        const own = decision.kind === "withdraw" && decision.owner.instance === wanted.owner.instance;
        return won || own ? "mine" : "others";
      } catch (error) {
        // On a full disk nobody else can decide either, and unsent the backend would broadcast.
        if (error instanceof HomeUnwritable) return (await history.decision(id)) === undefined ? "mine" : "others";
        if (!(error instanceof TowowError)) throw error;
        log.warn("guard_cannot_tell", { negotiation_id: id, error: String(error) });
        if (wanted.by === "shutdown" || clock.now() >= deadline_at - marginMs / 3) return "unknown";
        await clock.sleep(this.#share(RETRY_MS));
      }
    }
  }

  /** Goes on cancelling in the background what was decided and did not get through. */
  pursueCancel(record: NegotiationRecord, as: Ending): void {
    this.finishCancel(record, as).catch((error) =>
      this.#deps.log.error("cancel_pursuit_failed", { negotiation_id: record.negotiation_id, error: String(error) }),
    );
  }

  /**
   * Carries a decision to cancel out, until the backend has it or has moved on. A decision that could not be written is
   * handed in as `unwritten`: then only what the backend still holds back is cancelled.
   */
  async finishCancel(record: NegotiationRecord, wanted: Ending, unwritten?: Decision): Promise<void> {
    const id = record.negotiation_id;
    this.#ending.add(id);
    await this.#cancelUntilDone(record, wanted, unwritten).finally(() => this.#ending.delete(id));
  }

  async #cancelUntilDone(record: NegotiationRecord, wanted: Ending, unwritten: Decision | undefined): Promise<void> {
    const { history, clock, log } = this.#deps;
    const id = record.negotiation_id;
    const stored = unwritten ? record : await history.get(id).catch(() => record);
    if (stored?.ended !== undefined) return;
    // A history that has lost the record may have lost the decision of somebody else as well.
    const mayBeDecided = unwritten !== undefined || stored === undefined;
    const giveUpAt = Math.max(clock.now(), record.deadline_at ?? 0) + 30_000;
    for (;;) {
      try {
        if (mayBeDecided && (await this.#hasMoved(id))) return log.warn("guard_found_moved", { negotiation_id: id });
        const done = await this.#cancelOnce(id);
        const as = done === "cancelled" ? wanted : done;
        await writeEnd(this.#deps, record, as, { owed: true, ...(unwritten && { decision: unwritten }) });
        return log.info("negotiation_withdrawn", { negotiation_id: id, as });
      } catch (error) {
        if (!(error instanceof TowowError) || clock.now() >= giveUpAt) throw error;
        await clock.sleep(this.#share(RETRY_MS));
      }
    }
  }

  async #hasMoved(id: string): Promise<boolean> {
    const { state } = await (await this.#deps.backend()).getNegotiation(id);
    return phaseOf(state) === "moving" || phaseOf(state) === "over";
  }

  async #cancelOnce(id: string): Promise<"cancelled" | "auto_confirmed" | "gone"> {
    const backend = await this.#deps.backend();
    try {
      await backend.action(id, { action: "cancel" }, { timeoutMs: this.#share(CANCEL_TIMEOUT_MS) });
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
