import type { DecidedBy, DecisionKind, Owner } from "../facts.ts";
import type { Ending } from "../records.ts";

/**
 * The history as version 0.1 kept it: ids, hashes, times and decisions, never a text (contract §6, agent layer §9). What
 * it began stays in this format to its end (`stores/with-old-format.ts`).
 */

/** One question put to the person: single use, bound to a negotiation, a text and a user. */
export interface Confirmation {
  id: string;
  /** Hash of the text that was shown whole. */
  shown_hash: string;
  /** Hash of the backend's text at that moment; differs from `shown_hash` when an edit was shown. */
  formulated_hash: string;
  created_at: number;
}

export interface NegotiationRecord {
  negotiation_id: string;
  origin: string;
  user_id: string;
  scene_id?: string;
  submitted_at: number;
  /** When the backend would confirm by itself, ms since the epoch; absent for negotiations that others submitted. */
  deadline_at?: number;
  /** Which running program watches the deadline. */
  owner?: Owner;
  /** The question that was asked last. */
  confirmation?: Confirmation;
  /** Asked before it, about other texts, newest first: a form about a proposed edit may still be open. */
  earlier_questions?: Confirmation[];
  ended?: { at: number; as: Ending };
}

export interface OldDecision {
  kind: DecisionKind;
  by: DecidedBy;
  at: number;
  owner: Owner;
  confirmation_id?: string;
  /** Hash of the text that goes out. */
  text_hash?: string;
}

/** A submit that is under way, or whose answer was lost, as version 0.1 left it. */
export interface SubmitAttempt {
  at: number;
  owner: Owner;
}

export interface HistoryStore {
  get(negotiationId: string): Promise<NegotiationRecord | undefined>;
  /** All of them, newest first. */
  list(): Promise<NegotiationRecord[]>;
  /** Those that have not ended, newest first. */
  listOpen(): Promise<NegotiationRecord[]>;
  put(record: NegotiationRecord): Promise<void>;
  decision(negotiationId: string): Promise<OldDecision | undefined>;
  /** Writes the decision if there is none: one winner among all processes. Gives the decision that stands. */
  decide(negotiationId: string, decision: OldDecision): Promise<{ won: boolean; decision: OldDecision }>;
  /** Takes a decision back that certainly never reached the backend. */
  release(negotiationId: string): Promise<void>;
}
