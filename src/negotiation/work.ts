import type { Negotiation } from "../backend/contract.ts";
import type { Attempt } from "./plan.ts";
import type { Decision } from "./stage.ts";

/** How a decision that this program carries out went. */
export type Effect =
  | { kind: "confirmed"; negotiation: Negotiation; decision: Decision; answerLost: boolean }
  | { kind: "cancelled"; negotiation: Negotiation; decision: Decision }
  /** The negotiation went on without it. */
  | { kind: "moved"; negotiation: Negotiation };

/** What a decision needs beside its fact, in this program's memory only. */
export interface Order {
  /** The text to send: an edit's stands nowhere else. */
  text?: string | undefined;
  payload?: Record<string, unknown> | undefined;
  /** Of the tool call that decided. */
  requestId?: string | undefined;
}

/** The decision that is being carried out, and how its tries went. */
export interface Work extends Order {
  number: number;
  tries: number;
  last: Attempt["last"];
  sinceTryMs: () => number;
  /** Whether a try may have reached the backend without an answer. */
  mayHaveArrived: boolean;
  error?: unknown;
}

/** Who waits for the effect of a decision fact. */
export interface Waiter {
  number: number;
  resolve: (effect: Effect) => void;
  reject: (error: unknown) => void;
}
