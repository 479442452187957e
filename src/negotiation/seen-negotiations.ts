import type { Negotiation } from "../backend/contract.ts";
import { consistentWith } from "../feed/consistent.ts";
import { type FeedEvidence, NO_EVIDENCE } from "../feed/evidence.ts";
import type { Feeds } from "../feed/feeds.ts";
import { hasPlan, phaseOf } from "./backend-states.ts";

/** Negotiations whose agents are remembered. */
const MAX_SEEN = 50;
/** All finished negotiations together, as JSON, in UTF-16 units; the oldest go. */
const MAX_FINISHED_LENGTH = 1_000_000;

/** What this program has seen of the backend's negotiations beside their states: who takes part, and their feeds. */
export class SeenNegotiations {
  readonly #feeds: Feeds | undefined;
  readonly #hash: (text: string) => string;
  readonly #agents = new Map<string, readonly string[]>();
  readonly #others = new Map<string, number>();
  readonly #finished = new Map<string, { negotiation: Negotiation; length: number }>();

  constructor(feeds: Feeds | undefined, hash: (text: string) => string) {
    this.#feeds = feeds;
    this.#hash = hash;
  }

  /** The backend has just shown it. */
  note(negotiation: Negotiation): void {
    const { negotiation_id: id, participants, state } = negotiation;
    this.#agents.delete(id);
    this.#agents.set(
      id,
      participants.map(({ agent_id }) => agent_id),
    );
    for (const oldest of this.#agents.keys()) if (this.#agents.size > MAX_SEEN) this.#agents.delete(oldest);
    const phase = phaseOf(state);
    if (phase !== "before") this.#feeds?.follow(id, phase === "over");
    if (phase === "over" && hasPlan(negotiation)) this.#keep(negotiation);
  }

  /**
   * One that is completed with its plan, as the backend showed it last: it is taken for final (agent layer §5). Only who
   * asks afresh, or another program, would see that a backend changed it all the same.
   * Without a plan nothing says that none comes, so such a one is read again.
   */
  finished(id: string): Negotiation | undefined {
    return this.#finished.get(id)?.negotiation;
  }

  #keep(negotiation: Negotiation): void {
    const { negotiation_id: id } = negotiation;
    this.#finished.delete(id);
    this.#finished.set(id, { negotiation, length: JSON.stringify(negotiation).length });
    let total = [...this.#finished.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [oldest, { length }] of this.#finished) {
      if (total <= MAX_FINISHED_LENGTH) return;
      this.#finished.delete(oldest);
      total -= length;
    }
  }

  agents(id: string): readonly string[] {
    return this.#agents.get(id) ?? [];
  }

  /** How many others its scene lists; undefined where that is not known. */
  others(id: string): number | undefined {
    return this.#others.get(id);
  }

  noteOthers(id: string, count: number): void {
    this.#others.set(id, count);
    for (const oldest of this.#others.keys()) if (this.#others.size > MAX_SEEN) this.#others.delete(oldest);
  }

  /** What the feed has said of it so far, as far as it agrees with the backend's own answer. */
  evidence(negotiation: Negotiation): FeedEvidence {
    const known = this.#feeds?.evidence(negotiation.negotiation_id) ?? NO_EVIDENCE;
    const othersInScene = this.others(negotiation.negotiation_id);
    return {
      ...consistentWith(negotiation, known, this.#hash),
      ...(othersInScene !== undefined && { othersInScene }),
    };
  }

  close(): void {
    this.#feeds?.close();
  }
}
