import type { Negotiation } from "../../backend/contract.ts";
import type { CoreDeps, PinnedBackend } from "../core-deps.ts";
import type { NegotiationKey } from "../facts.ts";
import type { Journal } from "../journal.ts";
import type { Observation } from "../observation.ts";
import type { PendingDecision, Waiters } from "../pending-decision.ts";
import type { Decision, Stage } from "../stage.ts";

/** An answer that did not come. */
interface Loss {
  decision: Decision;
  /** When the last one was given up; monotonic. */
  at: number;
}

/** What a step works with: one negotiation, as its supervisor holds it. */
export interface StepContext {
  readonly key: NegotiationKey;
  readonly deps: CoreDeps;
  readonly journal: Journal;
  readonly observation: Observation;
  readonly waiters: Waiters;
  /** To the backend at which it was submitted, whatever is configured by now. */
  readonly backend: PinnedBackend;
  readonly stage: Stage;
  /** Whether this program is the one that answers for it. */
  readonly isMine: boolean;
  /** The decision that is being carried out here. */
  pending: PendingDecision | undefined;
  /**
   * By number, the decisions for which this program sent a request that was not answered. They stay when another one
   * follows: that a yes had arrived may show only after the program has begun to withdraw it.
   */
  readonly unanswered: Map<number, Loss>;
  /** The number of the first `adopted` that could take what this program has offered last; 0 for none. */
  offered: number;
  /** Whether it still could. */
  readonly isOffered: boolean;
  /** Begins, or goes on, doing what the plan says. */
  start(): void;
  /** From now on this program carries that decision out. */
  begin(number: number): PendingDecision;
  /** Reads what other programs have written since. @throws StoreUnreachable, HomeUnwritable, `tool.config.invalid.newer_version` */
  refresh(): Promise<void>;
  /**
   * Whether another program has adopted it, or undone what this one is about to send: a program that was stopped and
   * goes on knows only what stood before. Asked last before it is sent. True for a yes where nothing can be read.
   */
  isOvertaken(decision: Decision): Promise<boolean>;
  /** Reads the negotiation, in time for the deadline. @throws what the backend answered */
  read(requestId?: string, limit?: AbortSignal): Promise<Negotiation>;
  /** Sleeps until then, or until something happens. */
  sleep(ms: number): Promise<void>;
  /** Until the backend goes on by itself, at the worst; undefined where no deadline is known. */
  leftMs(): number | undefined;
  /** The longest that this request may take now. */
  timeoutMs(step: "read" | "confirm" | "cancel"): number;
}
