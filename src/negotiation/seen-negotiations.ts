import { LRUCache } from "lru-cache";
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
  readonly #agents = new LRUCache<string, readonly string[]>({ max: MAX_SEEN });
  readonly #others = new LRUCache<string, number>({ max: MAX_SEEN });
  readonly #finished = new LRUCache<string, Negotiation>({
    maxSize: MAX_FINISHED_LENGTH,
    sizeCalculation: (negotiation) => JSON.stringify(negotiation).length,
  });

  constructor(feeds: Feeds | undefined, hash: (text: string) => string) {
    this.#feeds = feeds;
    this.#hash = hash;
  }

  /** The backend has just shown it. */
  note(negotiation: Negotiation): void {
    const { negotiation_id: id, participants, state } = negotiation;
    this.#agents.set(
      id,
      participants.map(({ agent_id }) => agent_id),
    );
    const phase = phaseOf(state);
    if (phase !== "before") this.#feeds?.follow(id, phase === "over");
    if (phase === "over" && hasPlan(negotiation)) this.#finished.set(id, negotiation);
  }

  /**
   * One that is completed with its plan, as the backend showed it last: it is taken for final (agent layer §5). Only who
   * asks afresh, or another program, would see that a backend changed it all the same.
   * Without a plan nothing says that none comes, so such a one is read again.
   */
  finished(id: string): Negotiation | undefined {
    return this.#finished.get(id);
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
