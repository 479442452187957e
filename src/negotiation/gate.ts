import type { Negotiation } from "../backend/contract.ts";
import { NotFormulated, OutcomeUnknown } from "../backend/errors.ts";
import { TowowError } from "../errors.ts";
import type { Cancellations } from "./cancellations.ts";
import { confirmWhileFormulated, lookForEffect } from "./confirm-request.ts";
import type { Deadlines } from "./deadlines.ts";
import type { CancelOptions, NegotiationDeps } from "./deps.ts";
import { writeEnd } from "./ending.ts";
import { alreadyDecided, ConfirmationMismatch, EditedTextEmpty, NotWaiting } from "./errors.ts";
import type { Guard } from "./guard.ts";
import {
  type DecidedBy,
  type Decision,
  type DecisionKind,
  type Ending,
  type NegotiationRecord,
  questionOf,
} from "./history.ts";
import { Pursuit } from "./pursuit.ts";
import { endingOf, formulatedText, hasMovedOn, phaseOf } from "./states.ts";

/** A decision as it arrives, from a form or as arguments. */
export interface DecisionRequest {
  negotiationId: string;
  kind: "accept" | "edit" | "reject";
  by: DecidedBy;
  /** The question that is answered; not needed to reject. */
  confirmationId?: string | undefined;
  /** For `edit`: the text to send instead. */
  editedText?: string | undefined;
  /** True when the person typed the edited text where it is shown: then it need not have been shown before. */
  editSeen: boolean;
  /** Of the tool call that decides. */
  requestId?: string | undefined;
}

export type GateResult =
  | { kind: "confirmed"; negotiation: Negotiation; decision: Decision; warnings: string[] }
  | { kind: "rejected"; negotiation: Negotiation; decision: Decision }
  /** The text is another one than the person was shown: ask again. */
  | { kind: "changed"; negotiation: Negotiation }
  /** The negotiation went on without this user's decision. */
  | { kind: "moved"; negotiation: Negotiation };

/** After this long a decision of another process that was not carried out may be taken up. */
const DECISION_STALE_MS = 60_000;

/**
 * The one way by which a text is confirmed (contract §6): the question must have been asked, the text must still be
 * the same, the first decision wins and is on disk before the request goes out.
 */
export class Gate {
  readonly #deps: NegotiationDeps;
  readonly #guard: Guard;
  readonly #cancellations: Cancellations;
  readonly #pursuit: Pursuit;
  readonly #running = new Set<Promise<unknown>>();
  /** Negotiations whose decision is being carried out here: one at a time. */
  readonly #busy = new Set<string>();

  constructor(deps: NegotiationDeps, guard: Guard, cancellations: Cancellations, deadlines: Deadlines) {
    this.#deps = deps;
    this.#guard = guard;
    this.#cancellations = cancellations;
    this.#pursuit = new Pursuit(deps, cancellations, deadlines);
  }

  /**
   * @throws ConfirmationMismatch, EditedTextEmpty, AlreadyDecided, NotWaiting, or what the backend answered.
   */
  async decide(request: DecisionRequest): Promise<GateResult> {
    const { history, hash } = this.#deps;
    const record = await history.get(request.negotiationId);
    if (record === undefined) throw new NotWaiting({ negotiation_id: request.negotiationId });
    await this.#refuseSecond(record, request);
    if (request.kind === "reject") return this.#alone(record, () => this.#reject(record, request));

    const question = questionOf(record, request.confirmationId);
    if (question === undefined) throw new ConfirmationMismatch({ negotiation_id: record.negotiation_id });
    if (request.kind === "edit" && !request.editedText?.trim()) throw new EditedTextEmpty();

    const current = await (await this.#deps.backend(request.requestId)).getNegotiation(record.negotiation_id);
    const phase = phaseOf(current.state);
    if (phase === "before") throw new NotWaiting({ negotiation_id: record.negotiation_id, state: current.state });
    if (phase !== "asking") {
      const first = await history.decision(record.negotiation_id);
      if (first !== undefined) throw alreadyDecided(record, first);
      return { kind: "moved", negotiation: current };
    }
    const original = formulatedText(current);
    if (hash(original) !== question.formulated_hash) return { kind: "changed", negotiation: current };

    const text = request.kind === "edit" ? (request.editedText ?? "") : original;
    // An accept is about the text that this question showed; an edit that was typed where it is shown has been seen.
    if ((request.kind === "accept" || !request.editSeen) && hash(text) !== question.shown_hash)
      throw new ConfirmationMismatch({ negotiation_id: record.negotiation_id });
    const { kind, by, requestId } = request;
    const answered = { ...record, confirmation: question };
    return this.#alone(record, async () =>
      this.#send(answered, await this.#claim(answered, kind, by, text), text, requestId),
    );
  }

  /** Cancels a negotiation that the person no longer wants, decided or not. */
  async cancel(negotiationId: string, by: DecidedBy, { payload, requestId }: CancelOptions = {}): Promise<Negotiation> {
    const record = await this.#deps.history.get(negotiationId);
    const standing = await this.#deps.history.decision(negotiationId);
    if (record === undefined || standing !== undefined)
      return this.#cancelAt(negotiationId, record, "cancelled", { payload, requestId });
    return this.#alone(record, async () => {
      await this.#claim(record, "cancel", by);
      return this.#cancelAt(negotiationId, record, "cancelled", { payload, requestId });
    });
  }

  /** At the end of the program: what is still pursued is withdrawn, or the backend would broadcast its own text. */
  async abandonPursuits(): Promise<void> {
    await this.#pursuit.abandon();
  }

  /** Whether a decision about this negotiation is being carried out here. */
  isCarryingOut(id: string): boolean {
    return this.#busy.has(id) || this.#pursuit.isAfter(id);
  }

  get isAtWork(): boolean {
    return this.#running.size > 0 || this.#pursuit.isRunning;
  }

  /** Resolves when no decision is on its way any more. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#running]);
  }

  /** Carries out a decision to confirm that another process wrote and did not finish. */
  async finishConfirm(record: NegotiationRecord, decision: Decision, text: string): Promise<GateResult> {
    return this.#alone(record, () => this.#send(record, decision, text));
  }

  async #reject(record: NegotiationRecord, { by, requestId }: DecisionRequest): Promise<GateResult> {
    const decision = await this.#claim(record, "reject", by);
    const negotiation = await this.#cancelAt(record.negotiation_id, record, "rejected", { requestId });
    return { kind: "rejected", negotiation, decision };
  }

  /** Writes the decision; from here on the guard leaves the negotiation alone. */
  async #claim(record: NegotiationRecord, kind: DecisionKind, by: DecidedBy, text?: string): Promise<Decision> {
    const { history, clock, owner, hash } = this.#deps;
    const wanted: Decision = {
      kind,
      by,
      at: clock.now(),
      owner,
      ...(record.confirmation && { confirmation_id: record.confirmation.id }),
      ...(text !== undefined && { text_hash: hash(text) }),
    };
    const { won, decision } = await history.decide(record.negotiation_id, wanted);
    const ended = (await history.get(record.negotiation_id))?.ended;
    if (!won && (ended !== undefined || !(await this.#mayFinish(decision, wanted))))
      throw alreadyDecided(record, decision);
    this.#guard.drop(record.negotiation_id);
    return decision;
  }

  /** The same decision again may finish what was written and not carried out. */
  async #mayFinish(standing: Decision, wanted: Decision): Promise<boolean> {
    const { clock, owner, isAlive } = this.#deps;
    if (standing.kind !== wanted.kind || standing.text_hash !== wanted.text_hash) return false;
    if (standing.owner.instance === owner.instance) return true; // not busy here, or we would not have come this far
    // Either way: the clock may have been set back since.
    return Math.abs(clock.now() - standing.at) > DECISION_STALE_MS || !(await isAlive(standing.owner));
  }

  async #refuseSecond(record: NegotiationRecord, request: DecisionRequest): Promise<void> {
    const standing = await this.#deps.history.decision(record.negotiation_id);
    if (record.ended !== undefined || (standing !== undefined && standing.kind !== request.kind))
      throw alreadyDecided(record, standing);
  }

  async #send(record: NegotiationRecord, decision: Decision, text: string, requestId?: string): Promise<GateResult> {
    const { history, watcher, log, owner } = this.#deps;
    const id = record.negotiation_id;
    const end = async (as: Ending) => {
      await writeEnd(this.#deps, record, as);
      watcher.nudge(id);
    };
    try {
      const negotiation = await confirmWhileFormulated(this.#deps, id, text, requestId);
      await end("confirmed");
      log.info("negotiation_confirmed", { negotiation_id: id, decided_by: decision.by });
      return { kind: "confirmed", negotiation, decision, warnings: [] };
    } catch (error) {
      if (error instanceof OutcomeUnknown) {
        const negotiation = await lookForEffect(this.#deps, id, requestId);
        if (negotiation === undefined) {
          this.#pursuit.start(record, decision, text, (round) => this.#alone(record, round));
          throw error;
        }
        await end("confirmed");
        return { kind: "confirmed", negotiation, decision, warnings: ["confirm_answer_lost"] };
      }
      if (error instanceof NotFormulated && hasMovedOn(error.params.state)) {
        const negotiation = await (await this.#deps.backend(requestId)).getNegotiation(id);
        if (decision.owner.instance !== owner.instance) {
          await end("confirmed"); // whoever wrote this decision has sent it as well
          return { kind: "confirmed", negotiation, decision, warnings: [] };
        }
        await history.release(id); // the backend was quicker: this decision never took effect
        await end(endingOf(negotiation));
        return { kind: "moved", negotiation };
      }
      if (error instanceof TowowError) {
        await history.release(id); // certainly not confirmed: the question is open again
        const latest = (await history.get(id)) ?? record;
        if (latest.owner?.instance === this.#deps.owner.instance) this.#guard.watch(latest);
      }
      throw error;
    }
  }

  async #cancelAt(
    id: string,
    record: NegotiationRecord | undefined,
    as: Ending,
    { payload, requestId }: CancelOptions,
  ): Promise<Negotiation> {
    const { watcher } = this.#deps;
    const backend = await this.#deps.backend(requestId);
    let negotiation: Negotiation;
    try {
      negotiation = await backend.action(id, { action: "cancel", ...(payload && { payload }) });
    } catch (error) {
      const lost = error instanceof OutcomeUnknown;
      const seen = lost ? await backend.getNegotiation(id).catch(() => undefined) : undefined;
      if (seen === undefined || phaseOf(seen.state) !== "over") {
        // The person said no: whatever this answer was, the text must not go out at the deadline.
        if (record !== undefined && record.ended === undefined) this.#cancellations.pursue(record, as);
        throw error;
      }
      negotiation = seen;
    }
    if (record !== undefined) await writeEnd(this.#deps, record, as);
    watcher.nudge(id);
    return negotiation;
  }

  /** One decision at a time for a negotiation; shutdown waits for it. */
  async #alone<T>(record: NegotiationRecord, work: () => Promise<T>): Promise<T> {
    const id = record.negotiation_id;
    if (this.#busy.has(id)) throw alreadyDecided(record, await this.#deps.history.decision(id));
    this.#busy.add(id);
    const running = work().finally(() => {
      this.#busy.delete(id);
      this.#running.delete(running);
    });
    this.#running.add(running);
    return running;
  }
}
