import type { Negotiation } from "../backend/contract.ts";
import { TowowError } from "../errors.ts";
import { failureOf } from "../log.ts";
import type { Cancellations } from "./cancellations.ts";
import { type DatedRecord, type Deadlines, isDated } from "./deadlines.ts";
import type { NegotiationDeps } from "./deps.ts";
import { writeEnd } from "./ending.ts";
import type { Gate } from "./gate.ts";
import type { Guard } from "./guard.ts";
import type { Decision, DecisionKind, Ending, NegotiationRecord } from "./history.ts";
import type { Missing } from "./missing.ts";
import { endingOf, formulatedText, hasMovedOn } from "./states.ts";

/** Long enough for an in-flight request of a killed process to have arrived. */
const SETTLING_MS = 5_000;
const LOOK_AGAIN_MS = 10_000;
/** After the start of a program that stays: later than what a client does at its own start. */
export const FIRST_LOOK_MS = 5_000;
/** Also when nothing was open: another program may have opened a pause since, and may be killed in it. */
const LOOK_ANEW_MS = 60_000;
const CANCELLED_AS: Partial<Record<DecisionKind, Ending>> = {
  withdraw: "withdrawn",
  reject: "rejected",
  cancel: "cancelled",
};
/** A call that waits for recovery waits no longer: it goes on behind it. */
const PATIENCE_MS = 5_000;
/** What is older than this cannot be waiting any more, whatever the backend's deadline. */
const FORGET_AFTER_MS = 24 * 3_600_000;

export interface RecoveryParts {
  gate: Gate;
  guard: Guard;
  cancellations: Cancellations;
  deadlines: Deadlines;
  missing: Missing;
}

/**
 * Finishes what a killed process left (contract §6): the first tool call of a later process takes the guard over,
 * carries out a decision that was written and not sent, and notices what the backend did by itself.
 */
export class Recovery {
  readonly #deps: NegotiationDeps;
  readonly #gate: Gate;
  readonly #guard: Guard;
  readonly #cancellations: Cancellations;
  readonly #deadlines: Deadlines;
  readonly #missing: Missing;
  /** Whether it has begun: from then on it goes on by itself. */
  hasLooked = false;
  readonly #settling = new Set<string>();
  #cancelNext = () => {};
  #closed = false;
  #running: Promise<void> | undefined;

  constructor(deps: NegotiationDeps, { gate, guard, cancellations, deadlines, missing }: RecoveryParts) {
    this.#deps = deps;
    this.#gate = gate;
    this.#guard = guard;
    this.#cancellations = cancellations;
    this.#deadlines = deadlines;
    this.#missing = missing;
  }

  /**
   * Looks at every open negotiation of this home whose program is gone, and from then on again and again by itself: a
   * killed program cannot ask for help, and this one may not be called before the deadline. Calls at once share a look.
   */
  async run(): Promise<void> {
    if (this.#closed) return; // what this program would take over now it could not finish
    this.hasLooked = true;
    this.#running ??= this.#look().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #look(): Promise<void> {
    this.#cancelNext();
    let isLeft = true;
    try {
      isLeft = await this.#takeOver();
    } finally {
      const again = () => void this.run().catch(() => {}); // the first look has reported it, the next call will again
      if (!this.#closed) this.#cancelNext = this.#deps.clock.after(isLeft ? LOOK_AGAIN_MS : LOOK_ANEW_MS, again);
    }
  }

  /** Whether there is anything left to watch: another program's open pause, what failed or is too fresh to judge. */
  async #takeOver(): Promise<boolean> {
    const { history, clock } = this.#deps;
    const open = (await history.listOpen()).filter(
      (r): r is DatedRecord => isDated(r) && clock.now() - r.submitted_at < FORGET_AFTER_MS,
    );
    for (const record of open) this.#deadlines.leftMs(record); // measured from now on, however the clock may be set
    if (open.length === 0) return false;
    const origin = (await this.#deps.backend()).origin;
    const mine = open.filter((r) => r.origin === origin);
    const work = Promise.all(mine.map((record) => this.#settle(record)));
    await Promise.race([work, new Promise<void>((resolve) => void clock.after(PATIENCE_MS, resolve))]);
    return this.#isLeft(mine);
  }

  /** One at a time for a negotiation: an earlier look may still be at it. */
  async #settle(record: DatedRecord): Promise<void> {
    const { history, log } = this.#deps;
    const id = record.negotiation_id;
    if (this.#settling.has(id)) return;
    this.#settling.add(id);
    try {
      const decision = await history.decision(id);
      if (!(await this.#isAnsweredFor(record, decision))) await this.#adopt(record, decision);
    } catch (error) {
      log.warn("recovery_failed", { negotiation_id: id, error: failureOf(error) });
    } finally {
      this.#settling.delete(id);
    }
  }

  /** Whether anything still depends on another program, or on another try. */
  async #isLeft(records: readonly NegotiationRecord[]): Promise<boolean> {
    const { history, owner } = this.#deps;
    const open = await Promise.all(
      records.map(async ({ negotiation_id: id }) => {
        const record = await history.get(id);
        if (record === undefined || record.ended !== undefined) return false;
        return ((await history.decision(id))?.owner ?? record.owner)?.instance !== owner.instance;
      }),
    );
    return open.includes(true);
  }

  /** Ends the looking, at shutdown. */
  close(): void {
    this.#closed = true;
    this.#cancelNext();
  }

  /** Whether somebody still carries its decision out, or watches its deadline. */
  async #isAnsweredFor(record: NegotiationRecord, decision: Decision | undefined): Promise<boolean> {
    const { owner, isAlive } = this.#deps;
    const id = record.negotiation_id;
    const answering = decision?.owner ?? record.owner;
    if (answering === undefined) return false;
    if (answering.instance !== owner.instance) return isAlive(answering);
    // Written by this program, and yet nobody is at work on it: the store failed between the two.
    return decision === undefined
      ? this.#guard.isWatching(id)
      : this.#gate.isCarryingOut(id) || this.#cancellations.isRunning(id);
  }

  async #adopt(record: DatedRecord, decision: Decision | undefined): Promise<void> {
    const { history, clock, owner } = this.#deps;
    const isLate = this.#deadlines.leftAtMostMs(record) <= 0;
    const now = await this.#current(record).catch((error) => {
      if (isLate || decision !== undefined) throw error;
      return undefined; // guarded first: at its deadline the backend may answer again
    });
    if (now !== undefined) this.#missing.found(record.negotiation_id);
    else if (isLate) {
      if (!this.#missing.isGone(record)) return; // looked at again
      return history.put({ ...record, ended: { at: clock.now(), as: "gone" } });
    }
    if (decision !== undefined) return this.#finish(record, decision, now);
    const notes = record.notes ?? [];
    if (now !== undefined && hasMovedOn(now.state)) {
      const as = endingOf(now);
      return history.put({ ...record, ended: { at: clock.now(), as }, notes: [...notes, as] });
    }
    const wasUnguarded = record.owner !== undefined && record.owner.instance !== owner.instance;
    const mine = { ...record, owner, ...(wasUnguarded && { notes: [...notes, "pause_was_unguarded"] }) };
    this.#guard.watch(mine);
    await history.put(mine);
  }

  async #current(record: NegotiationRecord): Promise<Negotiation | undefined> {
    try {
      return await (await this.#deps.backend()).getNegotiation(record.negotiation_id);
    } catch (error) {
      if (error instanceof TowowError && error.code.endsWith(".unknown_negotiation")) return undefined;
      throw error;
    }
  }

  async #finish(record: NegotiationRecord, decision: Decision, now: Negotiation | undefined): Promise<void> {
    const { history, clock, hash } = this.#deps;
    const id = record.negotiation_id;
    const as = CANCELLED_AS[decision.kind];
    if (as !== undefined) return this.#cancellations.finish(record, as);
    if (now === undefined) return; // looked at again
    if (hasMovedOn(now.state)) return writeEnd(this.#deps, record, "confirmed", { owed: true });
    if (Math.abs(clock.now() - decision.at) < SETTLING_MS) return; // a clock that was set back must not hold it up
    const text = formulatedText(now);
    if (hash(text) === decision.text_hash) {
      await this.#gate.finishConfirm(record, decision, text);
      return;
    }
    // An edited text is not kept on disk, so it died with the process: the person is asked again.
    await history.release(id);
    const { confirmation: _, earlier_questions: _others, ...rest } = record;
    const reopened = { ...rest, owner: this.#deps.owner, notes: [...(record.notes ?? []), "edit_lost"] };
    await history.put(reopened);
    this.#guard.watch(reopened);
  }
}
