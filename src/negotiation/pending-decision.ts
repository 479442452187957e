import type { Negotiation } from "../backend/contract.ts";
import { formulatedText, phaseOf } from "./backend-states.ts";
import { orUnknown } from "./core.ts";
import type { Facts } from "./facts.ts";
import type { Attempt, PlanInput } from "./plan.ts";
import { confirms, type Decision, type Stage } from "./stage.ts";

/** How it went with a decision that this program carries out. */
export type Effect =
  | { kind: "confirmed"; negotiation: Negotiation; decision: Decision; answerLost: boolean }
  | { kind: "cancelled"; negotiation: Negotiation; decision: Decision }
  /** The negotiation went on without it. */
  | { kind: "moved"; negotiation: Negotiation };

/** What a decision needs besides its fact. It is kept only in this program's memory. */
export interface DecisionInput {
  /** The text to send. The text of an edit stands nowhere else. */
  text?: string | undefined;
  payload?: Record<string, unknown> | undefined;
  /** The id of the tool call that decided. */
  requestId?: string | undefined;
}

/** The decision that is being carried out, and how its tries went. */
export interface PendingDecision extends DecisionInput {
  number: number;
  tries: number;
  last: Attempt["last"];
  sinceTryMs: () => number;
  /** Measures the time since an answer was last lost. */
  sinceLossMs?: () => number;
  error?: unknown;
}

/** This is longer than anything is waited for, in milliseconds. */
export const LONG_AGO_MS = 2 ** 31;

/** Says how the tries for a decision went, as the plan asks for it. */
export const attemptOf = (pending: PendingDecision | undefined): Attempt => ({
  count: pending?.tries ?? 0,
  last: pending?.last ?? "none",
  sinceMs: pending?.sinceTryMs() ?? LONG_AGO_MS,
  sinceLossMs: pending?.sinceLossMs?.() ?? LONG_AGO_MS,
});

/** Makes the body of a confirm. Without a text the backend's own goes out. */
export const confirmBody = (text: string | undefined) => (text === undefined ? {} : { confirmed_text: text });

export const cancelBody = (payload: DecisionInput["payload"]) => ({ action: "cancel", ...(payload && { payload }) });

/** What a waiting call gets. */
export type EffectAnswer = { effect: Effect } | { error: unknown };

/** The calls that wait for what comes of a decision. */
export class Waiters {
  #waiting: { number: number; answer: (answer: EffectAnswer) => void }[] = [];

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  has(number: number): boolean {
    return this.#waiting.some((waiter) => waiter.number === number);
  }

  /**
   * Waits for what comes of a decision. At the limit the call leaves, the decision is carried out without it, and a
   * later result says what came of it.
   * @throws OutcomeUnknown at the limit, or the error that `answer` or `answerAll` is given
   */
  async wait({ number, kind }: Pick<Decision, "number" | "kind">, limit?: AbortSignal): Promise<Effect> {
    const { promise, resolve } = Promise.withResolvers<EffectAnswer>();
    const waiter = { number, answer: resolve };
    this.#waiting.push(waiter);
    try {
      const answer = await orUnknown(promise, confirms({ kind }) ? "confirm" : "action", limit);
      if ("error" in answer) throw answer.error;
      return answer.effect;
    } finally {
      this.#waiting = this.#waiting.filter((other) => other !== waiter);
    }
  }

  answer(number: number, answer: EffectAnswer): void {
    const asked = this.#waiting.filter((waiter) => waiter.number === number);
    this.#waiting = this.#waiting.filter((waiter) => waiter.number !== number);
    for (const waiter of asked) waiter.answer(answer);
  }

  answerAll(answer: EffectAnswer): void {
    for (const { number } of this.#waiting) this.answer(number, answer);
  }
}

/** Whether the text of a decision is at hand, and is about the text that the backend has now. */
export function textState(
  decision: Decision | undefined,
  pending: PendingDecision | undefined,
  snapshot: Negotiation | undefined,
  hash: (text: string) => string,
): PlanInput["text"] {
  if (snapshot === undefined || phaseOf(snapshot.state) !== "asking")
    return pending?.text === undefined ? "unread" : "ready";
  const now = hash(formulatedText(snapshot));
  if (pending?.text !== undefined)
    return decision?.formulated_hash === undefined || decision.formulated_hash === now ? "ready" : "changed";
  if (decision?.text_hash === now) return "ready";
  return decision?.kind === "edit" ? "lost" : "changed"; // only an edit's text stood nowhere but in its program
}

/** Whether an edit is on its way whose text no other program has. */
export function isEditOnlyHere(
  { decision }: Stage,
  { outcomes }: Facts,
  pending: PendingDecision | undefined,
): boolean {
  if (decision?.kind !== "edit" || outcomes.has(decision.number)) return false;
  return pending !== undefined && pending.number === decision.number && pending.text !== undefined;
}
