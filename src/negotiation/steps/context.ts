import type { Negotiation } from "../../backend/contract.ts";
import type { CoreDeps, PinnedBackend } from "../core.ts";
import type { NegotiationKey } from "../facts.ts";
import type { Journal } from "../journal.ts";
import type { Observation } from "../observation.ts";
import type { PendingDecision, Waiters } from "../pending-decision.ts";
import type { Decision, Stage } from "../stage.ts";

/** A request whose answer did not come. */
interface Loss {
  decision: Decision;
  /** When the last such request was given up, on the monotonic clock. */
  at: number;
}

/** What a step works with, which is one negotiation as its supervisor holds it. */
export interface StepContext {
  readonly key: NegotiationKey;
  readonly deps: CoreDeps;
  readonly journal: Journal;
  readonly observation: Observation;
  readonly waiters: Waiters;
  /** Leads to the backend at which it was submitted, whatever is configured by now. */
  readonly backend: PinnedBackend;
  readonly stage: Stage;
  /** Whether this program is the one that answers for it. */
  readonly isMine: boolean;
  /** This decision is being carried out here. */
  pending: PendingDecision | undefined;
  /**
   * The decisions, by number, for which this program sent a request that was not answered. They stay when another
   * decision follows, because a yes may turn out to have arrived after the program has begun to withdraw it.
   */
  readonly unanswered: Map<number, Loss>;
  /** The number of the first `adopted` that could take this program's last offer, or 0 if it made none. */
  offered: number;
  /** Whether another program could still take that offer. */
  readonly isOffered: boolean;
  /** Starts or continues what the plan says. */
  start(): void;
  /** From now on this program carries out that decision. */
  begin(number: number): PendingDecision;
  /** Reads what other programs have written since. @throws StoreUnreachable, HomeUnwritable, `tool.config.invalid.newer_version` */
  refresh(): Promise<void>;
  /**
   * Whether another program has adopted the negotiation or undone what this one is about to send, because a program
   * that was stopped and goes on knows only what stood before. It is asked last before a request is sent. For a yes it
   * is true if nothing can be read.
   */
  isOvertaken(decision: Decision): Promise<boolean>;
  /** Reads the negotiation, in time for the deadline. @throws what the backend answered */
  read(requestId?: string, limit?: AbortSignal): Promise<Negotiation>;
  /** Sleeps until then, or until something happens. */
  sleep(ms: number): Promise<void>;
  /** The least time until the backend goes on by itself, in milliseconds, or undefined if no deadline is known. */
  leftMs(): number | undefined;
  /** The longest that this request may take now, in milliseconds. */
  timeoutMs(step: "read" | "confirm" | "cancel"): number;
}
